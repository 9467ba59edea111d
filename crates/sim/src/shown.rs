//! The objects of a scene, for the stage and for overlays.

use crate::SceneContents;
use threshold_physics::{Entity, EntityKey, State};
use threshold_render::stage::{ObjectSource, Shape, SourceObject};
use threshold_world::{
    CellId,
    geometry::{Cylinder, Sphere},
};

impl ObjectSource for SceneContents<'_> {
    /// Leaves out what waits in cells that are not loaded: there may be a whole world of it.
    fn objects(&self, visit: &mut dyn FnMut(&SourceObject<'_>)) {
        let mut cells = Vec::new();
        for (key, entity) in self.0.entities() {
            if entity.cell.is_some() || entity.shadows().is_empty() {
                visit(&describe(key, entity, &mut cells));
            }
        }
    }

    fn contains(&self, key: u64) -> bool {
        EntityKey::from_id(key).is_some_and(|key| self.0.get(key).is_some())
    }

    fn shapes_in(&self, cell: CellId, visit: &mut dyn FnMut(&SourceObject<'_>, &[Shape])) {
        let (mut cells, mut shapes) = (Vec::new(), Vec::new());
        for &key in self.0.shadows_in(cell) {
            if let Some(entity) = self.0.get(key) {
                collect_shapes(entity, &mut shapes);
                visit(&describe(key, entity, &mut cells), &shapes);
            }
        }
    }
}

fn describe<'a>(key: EntityKey, entity: &'a Entity, cells: &'a mut Vec<CellId>) -> SourceObject<'a> {
    cells.clear();
    cells.extend(entity.shadows().iter().map(|shadow| shadow.cell));
    SourceObject {
        key: key.id(),
        model: entity.model.id,
        position: entity.position,
        scale: entity.scale,
        is_fixed: entity.state.contains(State::STATIC),
        is_hidden: entity.state.intersects(State::NO_DRAW | State::HIDDEN),
        cells,
        pose: entity.actor().and_then(|actor| actor.animator.shown_pose()),
    }
}

/// What an object is hit by: trees, else cylinders, else spheres; failing all, the sphere it floods with.
fn collect_shapes(entity: &Entity, out: &mut Vec<Shape>) {
    out.clear();
    let trees = entity.parts().iter().filter(|part| part.mesh.physics.is_some());
    out.extend(trees.map(|part| Shape::Box {
        bounds: part.mesh.bounds,
        frame: part.position.frame,
        scale: part.scale,
    }));
    if !out.is_empty() {
        return;
    }
    let (model, frame, scale) = (&entity.model, &entity.position.frame, entity.scale);
    let place = |p| frame.apply(p * scale);
    let sphere = |s: &Sphere| Shape::Sphere(Sphere { center: place(s.center), radius: s.radius * scale });
    out.extend(model.cylinders.iter().map(|c| {
        let (radius, height) = (c.radius * scale, c.height * scale);
        Shape::Cylinder(Cylinder { low: place(c.low), radius, height })
    }));
    if out.is_empty() {
        out.extend(model.spheres.iter().map(sphere));
    }
    if out.is_empty() {
        out.push(sphere(&model.sorting_sphere));
    }
}
