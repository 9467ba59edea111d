//! The objects in the cells, for the planner.

use glam::Vec3;
use threshold_physics::{Entity, Scene, State};
use threshold_view::{Candidate, Contents, Viewer};
use threshold_world::{CellId, Library, Position, coords::block_offset, geometry::Sphere, model::Mesh};

/// A scene as an object source of a stage: the objects of physics, in the cells in which they are registered. The stage
/// numbers them by [`EntityKey::id`](threshold_physics::EntityKey::id).
#[derive(Clone, Copy)]
pub struct SceneContents<'a>(pub &'a Scene);

/// A scene as the contents of cells for a viewer. The rules are those of pictures: hidden objects are omitted, and so are
/// parts that their distance ladder does not draw at this distance. Plans number objects by
/// [`EntityKey::number`](threshold_physics::EntityKey::number). Spec: visibility §11 steps 1 to 3.
#[derive(Clone, Copy)]
pub struct SeenScene<'a> {
    scene: &'a Scene,
    library: &'a Library,
    eye: Position,
}

impl<'a> SeenScene<'a> {
    /// A scene as it is seen from somewhere; meshes for other distances are in the library.
    pub fn new(scene: &'a Scene, library: &'a Library, viewer: &Viewer) -> SeenScene<'a> {
        SeenScene { scene, library, eye: viewer.position }
    }

    /// Sphere of the mesh that is drawn instead of another one at some distance. One that cannot be read now is as large
    /// as the mesh itself.
    fn drawing_sphere(&self, mesh: &Mesh, drawn: threshold_dat::DatId) -> Option<Sphere> {
        if drawn == mesh.id {
            return mesh.drawing_sphere;
        }
        let level = self.library.mesh(drawn).unwrap_or(None);
        level.map_or(mesh.drawing_sphere, |level| level.drawing_sphere)
    }

    /// The parts of an object in the coordinates of a cell's block.
    fn parts_of(&self, entity: &Entity, object: u32, cell: CellId, visit: &mut dyn FnMut(Candidate)) {
        if entity.state.intersects(State::NO_DRAW | State::HIDDEN) {
            return;
        }
        let frame = &entity.position.frame;
        let offset = block_offset(cell, entity.position.cell);
        let eye = self.eye.frame.origin + block_offset(cell, self.eye.cell);
        for (index, part) in entity.model.parts.iter().enumerate() {
            let Some(mesh) = &part.mesh else { continue };
            let scale = part.scale * entity.scale;
            let largest = scale.abs().max_element();
            let inner = entity.part_frame(index).unwrap_or(part.frame);
            let place = |p: Vec3| frame.apply(inner.origin * entity.scale + inner.rotate(p)) + offset;
            let sort_center = place(mesh.sort_center * scale);
            let Some(drawn) = mesh.drawn_at((sort_center - eye).length(), scale.z) else { continue };
            let sphere = self.drawing_sphere(mesh, drawn);
            visit(Candidate {
                object,
                part: index as u16,
                sphere: sphere
                    .map(|s| Sphere { center: place(s.center * largest), radius: s.radius * largest }),
                sort_center,
                origin: frame.origin + offset,
                emitter: false,
            });
        }
    }
}

impl Contents for SeenScene<'_> {
    fn parts(&self, cell: CellId, visit: &mut dyn FnMut(Candidate)) {
        for &key in self.scene.shadows_in(cell) {
            if let Some(entity) = self.scene.get(key) {
                self.parts_of(entity, key.number(), cell, visit);
            }
        }
    }
}
