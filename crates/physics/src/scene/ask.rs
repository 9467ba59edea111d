//! Queries for objects by position.

use super::{Entity, EntityKey, Scene};
use crate::bsp;
use threshold_world::{
    BlockId, CellId, Position,
    coords::{BLOCK_SIDE, block_offset},
    geometry::{Cylinder, Sphere},
};

impl Scene {
    /// Objects whose cell is this loaded cell, in order of key. Retail: `CObjCell::object_list`.
    pub fn residents_in(&self, cell: CellId) -> impl Iterator<Item = EntityKey> + '_ {
        self.residents_between(cell, cell)
    }

    fn residents_between(&self, first: CellId, last: CellId) -> impl Iterator<Item = EntityKey> + '_ {
        let residents = self.residents.range((first, EntityKey::FIRST)..);
        residents.take_while(move |(home, _)| *home <= last).map(|&(_, key)| key)
    }

    /// Objects whose origin is within a distance of a place, with their distances, nearest first. Objects that wait for their
    /// cell are not included.
    pub fn within(&self, center: &Position, distance: f32) -> Vec<(EntityKey, f32)> {
        let mut found = Vec::new();
        // Origins are block-local, and those of interior cells may lie outside their block: one more ring.
        let rings = (distance.clamp(0.0, 256.0 * BLOCK_SIDE) / BLOCK_SIDE) as i32 + 2;
        let own = center.cell.block();
        let span = |v: u8| (i32::from(v) - rings).max(0) as u8..=(i32::from(v) + rings).min(0xFF) as u8;
        for x in span(own.x()) {
            for y in span(own.y()) {
                let block = BlockId::new(x, y);
                for key in self.residents_between(block.cell(0), block.cell(0xFFFF)) {
                    let metres = self.get(key).map(|entity| center.distance_to(&entity.position));
                    found.extend(metres.filter(|m| *m <= distance).map(|metres| (key, metres)));
                }
            }
        }
        found.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        found
    }

    /// Objects registered in a cell whose shapes a sphere overlaps, in list order. The sphere is in the
    /// coordinates of the cell's block.
    pub fn overlapping(&self, cell: CellId, sphere: &Sphere) -> Vec<EntityKey> {
        let overlaps = |key: &EntityKey| {
            self.get(*key).is_some_and(|entity| {
                let shift = block_offset(entity.position.cell, cell);
                entity.overlaps(&Sphere { center: sphere.center + shift, ..*sphere })
            })
        };
        self.shadows_in(cell).iter().copied().filter(overlaps).collect()
    }
}

impl Entity {
    /// Whether a sphere in the coordinates of the object's block overlaps one of the shapes that it is hit by.
    fn overlaps(&self, sphere: &Sphere) -> bool {
        let by_mesh = self.parts().iter().any(|part| {
            let Some(mesh) = &part.mesh.physics else { return false };
            let center = part.position.frame.apply_inverse(sphere.center) / part.scale;
            bsp::hits_solid(mesh, &Sphere { center, radius: sphere.radius / part.scale }, true)
        });
        let center = self.position.frame.apply_inverse(sphere.center) / self.scale;
        let local = Sphere { center, radius: sphere.radius / self.scale };
        let by_shape = if self.model.cylinders.is_empty() {
            let meets = |own: &Sphere| own.center.distance(local.center) < own.radius + local.radius;
            !self.model.has_physics_mesh() && self.model.spheres.iter().any(meets)
        } else {
            self.model.cylinders.iter().any(|own| meets_cylinder(own, &local))
        };
        by_mesh || by_shape
    }
}

fn meets_cylinder(cylinder: &Cylinder, sphere: &Sphere) -> bool {
    let from = sphere.center - cylinder.low;
    let beside = (from.truncate().length() - cylinder.radius).max(0.0);
    let above = (from.z - from.z.clamp(0.0, cylinder.height)).abs();
    beside * beside + above * above < sphere.radius * sphere.radius
}
