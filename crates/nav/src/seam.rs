//! Links from one block into the next.

use crate::{
    Nav, PatchId, Surroundings,
    flood::block_beside,
    lattice::{Spot, on_ground},
    merge::border,
    mesh::{BlockMesh, Found, Link, PatchKind, Side},
};
use glam::Vec3;
use threshold_world::{
    BlockId,
    coords::{BLOCK_SIDE, adjust_to_outside},
};

/// How far a place that a body came to may be from the place of the mesh that it is taken for, in metres.
const NEAR: f32 = 0.3;

/// A link that leads into another block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SeamLink {
    pub(crate) from: u32,
    pub(crate) to: PatchId,
    pub(crate) link: Link,
}

/// All links that lead out of a block, by the patches they leave from.
pub(crate) fn seam_links(nav: &Nav, around: &Surroundings<'_>, block: BlockId) -> Box<[SeamLink]> {
    let mesh = nav.mesh(around, block);
    let mut links = Vec::new();
    for direction in 0..4 {
        if let Some(beside) = block_beside(block, direction)
            && around.world.landscape(beside).is_some()
        {
            open_links(around, mesh, nav.mesh(around, beside), direction, &mut links);
        }
    }
    for exit in &mesh.exits {
        let other = nav.mesh(around, exit.to.block());
        let found = other.at(around.world, exit.to.low(), exit.origin).filter(|found| found.distance < NEAR);
        if let Some(Found { patch, point, .. }) = found {
            let link = Link {
                to: patch,
                lo: exit.point,
                hi: point,
                door: exit.door,
                side: Side::Point,
                drop: exit.drop,
            };
            links.push(SeamLink { from: exit.patch, to: PatchId::new(exit.to.block(), patch), link });
        }
    }
    links.sort_by_key(|seam| seam.from);
    links.into()
}

/// From open ground straight into the next block.
fn open_links(
    around: &Surroundings<'_>,
    mesh: &BlockMesh,
    other: &BlockMesh,
    direction: usize,
    links: &mut Vec<SeamLink>,
) {
    let (Some(land), lattice) = (around.world.landscape(mesh.block), mesh.lattice()) else { return };
    let step = [Vec3::X, Vec3::Y, -Vec3::X, -Vec3::Y][direction] * mesh.pitch;
    for (index, patch) in (0..).zip(&mesh.patches) {
        if patch.kind != PatchKind::Open {
            continue;
        }
        let leads_out = |spot: Spot| !lattice.is_in_block(spot.beside(direction));
        for (spot, _) in border(patch).filter(|&(spot, d)| d == direction && leads_out(spot)) {
            let Some(from) = on_ground(land, mesh.sole, lattice.point(spot)) else { continue };
            let Some((cell, p)) = adjust_to_outside(mesh.block.cell(1), from.position.frame.origin + step)
            else {
                continue;
            };
            let Some(found) = other.at(around.world, cell.low(), p).filter(|f| f.distance < mesh.pitch * 1.5)
            else {
                continue;
            };
            let offset =
                if direction.is_multiple_of(2) { spot.j - patch.spot.j } else { spot.i - patch.spot.i }
                    as u16;
            let to = PatchId::new(other.block, found.patch);
            match links.last_mut() {
                Some(SeamLink { from, to: last, link })
                    if (*from, *last) == (index, to)
                        && link.side == Side::Border(direction as u8)
                        && link.hi + 1 == offset =>
                {
                    link.hi = offset;
                }
                _ => {
                    let side = Side::Border(direction as u8);
                    let link = Link { to: found.patch, lo: offset, hi: offset, door: 0, side, drop: 0 };
                    links.push(SeamLink { from: index, to, link });
                }
            }
        }
    }
    debug_assert!(mesh.pitch * f32::from(lattice.side) == BLOCK_SIDE);
}
