//! The objects in the cells, for the planner.

use threshold_physics::{Entity, Scene, State};
use threshold_view::{Candidate, Contents};
use threshold_world::{CellId, coords::block_offset, geometry::Sphere};

/// A scene as what the cells hold: planner and stage see the objects that physics knows, in the cells it lists them in.
/// Plans number objects by [`EntityKey::number`](threshold_physics::EntityKey::number), the stage by
/// [`EntityKey::id`](threshold_physics::EntityKey::id).
#[derive(Clone, Copy)]
pub struct SceneContents<'a>(pub &'a Scene);

impl Contents for SceneContents<'_> {
    fn parts(&self, cell: CellId, visit: &mut dyn FnMut(Candidate)) {
        for &key in self.0.shadows_in(cell) {
            if let Some(entity) = self.0.get(key) {
                parts(entity, key.number(), cell, visit);
            }
        }
    }
}

/// The parts of an object in the coordinates of a cell's block.
fn parts(entity: &Entity, object: u32, cell: CellId, visit: &mut dyn FnMut(Candidate)) {
    if entity.state.intersects(State::NO_DRAW | State::HIDDEN) {
        return;
    }
    let frame = &entity.position.frame;
    let offset = block_offset(cell, entity.position.cell);
    for (index, part) in entity.model.parts.iter().enumerate() {
        let Some(mesh) = &part.mesh else { continue };
        let largest = part.scale.abs().max_element() * entity.scale;
        let place =
            |p| frame.apply(part.frame.origin * entity.scale + part.frame.rotate(p * largest)) + offset;
        let sphere = mesh.drawing_sphere;
        let placed = sphere.map(|s| Sphere { center: place(s.center), radius: s.radius * largest });
        let origin = frame.origin + offset;
        visit(Candidate {
            object,
            part: index as u16,
            sphere: placed,
            sort_center: placed.map_or(origin, |s| s.center),
            origin,
            emitter: false,
        });
    }
}
