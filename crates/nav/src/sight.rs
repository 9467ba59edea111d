//! Whether a straight line stays on the mesh: worth walking before any search.

use crate::{
    Nav, Surroundings,
    mesh::{PatchKind, Side},
    nav::PatchId,
};
use glam::Vec2;
use threshold_world::{Position, coords::block_offset};

/// Patches that a line is followed through.
const MAX_PATCHES: usize = 256;

impl Nav {
    /// Whether the straight line between two places crosses from patch to patch all the way, through no door.
    pub(crate) fn sees(&self, around: &Surroundings<'_>, from: &Position, to: &Position) -> bool {
        let home = from.cell.block();
        let mesh = self.mesh(around, home);
        let Some(found) = mesh.at(around.world, from.cell.low(), from.frame.origin) else { return false };
        let mut id = PatchId::new(home, found.patch);
        let mut at = from.frame.origin.truncate();
        let goal = at + from.offset_to(to).truncate();
        for _ in 0..MAX_PATCHES {
            let mesh = self.mesh(around, id.block());
            let Some(patch) = mesh.patches.get(id.patch() as usize) else { return false };
            if patch.kind == PatchKind::Single {
                return false;
            }
            let shift = block_offset(home.cell(1), id.block().cell(1)).truncate();
            let low = mesh.flat(id.patch(), 0) - mesh.pitch / 2.0 + shift;
            let high = low + Vec2::new(f32::from(patch.w), f32::from(patch.h)) * mesh.pitch;
            if goal.cmpge(low).all() && goal.cmple(high).all() {
                return true;
            }
            let way = goal - at;
            let until = |ahead: f32, at: f32, low: f32, high: f32| match ahead {
                ahead if ahead > 0.0 => (high - at) / ahead,
                ahead if ahead < 0.0 => (low - at) / ahead,
                _ => f32::INFINITY,
            };
            let (x, y) = (until(way.x, at.x, low.x, high.x), until(way.y, at.y, low.y, high.y));
            let direction = match x < y {
                true if way.x > 0.0 => 0,
                true => 2,
                false if way.y > 0.0 => 1,
                false => 3,
            };
            at += way * x.min(y).max(0.0);
            let along = if x < y { at.y - low.y } else { at.x - low.x };
            let offset = (along / mesh.pitch).max(0.0) as u16;
            let next = self.ways(around, id).find(|way| {
                let link = &way.link;
                link.side == Side::Border(direction)
                    && (link.lo..=link.hi).contains(&offset)
                    && link.door == 0
                    && link.drop == 0
            });
            let Some(next) = next else { return false };
            id = next.to;
        }
        false
    }
}
