//! Which point lights count in a frame. Spec: render-data §12.3.

use super::{FrameInput, sees_sky};
use crate::light::{Candidate, MAX_DYNAMIC, MAX_PER_OBJECT, MAX_STATIC, PointLight, keep_nearest};
use threshold_world::{BlockId, CellId, World, coords::block_offset, geometry::Sphere};

/// The lights that are kept for a frame, in the coordinates of the viewer's block.
#[derive(Default)]
pub(super) struct KeptLights {
    fixed: Vec<Candidate>,
    moving: Vec<Candidate>,
    /// The fixed ones of the frame before, in the coordinates of the player's block.
    known: Vec<Candidate>,
    known_block: BlockId,
    /// Changes whenever other fixed lights are kept.
    pub(super) version: u32,
    cells: Vec<CellId>,
}

impl KeptLights {
    /// Finds the lights around the player. Fixed ones are ranked by their distance from the origin of its cell,
    /// the others by that from himself.
    pub(super) fn collect(&mut self, scene: &FrameInput, viewer: CellId) {
        let player = &scene.player;
        visible_cells(scene.world, player.cell, &mut self.cells);
        self.fixed.clear();
        self.moving.clear();
        for &cell in &self.cells {
            scene.stage.lights_in(cell, true, player.cell, &mut self.fixed);
            scene.stage.lights_in(cell, false, player.cell, &mut self.moving);
        }
        let center = match scene.world.cell(player.cell) {
            Some(threshold_world::Cell::Env(cell)) => cell.position.frame.origin,
            Some(threshold_world::Cell::Land(cell)) => cell.position().frame.origin,
            None => player.frame.origin,
        };
        keep_nearest(&mut self.fixed, center, MAX_STATIC);
        let lamp = PointLight::lamp(player.frame.origin);
        self.moving.push(Candidate { light: lamp, owner: player.frame.origin });
        keep_nearest(&mut self.moving, player.frame.origin, MAX_DYNAMIC);
        if self.known != self.fixed || self.known_block != player.cell.block() {
            self.known.clone_from(&self.fixed);
            self.known_block = player.cell.block();
            self.version = self.version.wrapping_add(1);
        }
        let offset = block_offset(viewer, player.cell);
        for candidate in self.fixed.iter_mut().chain(&mut self.moving) {
            candidate.light.position += offset;
            candidate.owner += offset;
        }
    }

    /// The kept fixed lights in the coordinates of a cell's block.
    pub(super) fn fixed_in(&self, cell: CellId) -> impl Iterator<Item = PointLight> + '_ {
        let offset = block_offset(cell, self.known_block.cell(0));
        self.known.iter().map(move |c| PointLight { position: c.light.position + offset, ..c.light })
    }

    /// All lights that move.
    pub(super) fn moving(&self) -> impl Iterator<Item = PointLight> + '_ {
        self.moving.iter().map(|c| c.light)
    }

    /// The lights on an object: those whose falloff reaches its sphere, the moving ones first.
    pub(super) fn reaching(&self, sphere: &Sphere) -> impl Iterator<Item = PointLight> + '_ {
        let sphere = *sphere;
        let all = self.moving.iter().chain(&self.fixed).map(|c| c.light);
        all.filter(move |light| light.reaches(&sphere)).take(MAX_PER_OBJECT)
    }
}

/// The interior cells that count as visible from the player's cell, ascending. Spec: visibility §13 rules 3, 4.
fn visible_cells(world: &World, player: CellId, out: &mut Vec<CellId>) {
    out.clear();
    if let Some(cell) = world.env_cell(player) {
        let block = player.block();
        out.push(player);
        out.extend(cell.visible_cells.iter().map(|&low| block.cell(low)));
    }
    if sees_sky(world, player) {
        let (x, y) = (i32::from(player.block().x()), i32::from(player.block().y()));
        for (dx, dy) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))) {
            let (Ok(x), Ok(y)) = (u8::try_from(x + dx), u8::try_from(y + dy)) else { continue };
            let Some(block) = world.landscape(BlockId::new(x, y)) else { continue };
            let portals = block.buildings.iter().flat_map(|building| &building.portals);
            out.extend(portals.flat_map(|p| p.visible_cells.iter().map(|&low| block.id.cell(low))));
        }
    }
    out.sort_unstable();
    out.dedup();
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    fn light(x: f32) -> Candidate {
        let position = Vec3::new(x, 0.0, 0.0);
        let light = PointLight { position, color: Vec3::ONE, intensity: 1.0, falloff: 5.0 };
        Candidate { light, owner: position }
    }

    #[test]
    fn an_object_takes_eight_lights_and_the_moving_ones_first() {
        let kept = KeptLights {
            fixed: (0..20).map(|i| light(i as f32 * 0.1)).collect(),
            moving: vec![light(1.0), light(100.0)],
            ..KeptLights::default()
        };
        let sphere = Sphere { center: Vec3::ZERO, radius: 1.0 };
        let reached: Vec<f32> = kept.reaching(&sphere).map(|l| l.position.x).collect();
        assert_eq!(reached.len(), 8);
        assert_eq!(reached[..2], [1.0, 0.0], "the far one does not reach");
    }
}
