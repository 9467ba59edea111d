//! Meshes and models from GfxObj and Setup records.

use super::{
    frame, plane,
    polygons::{Polygons, Vertices},
    sphere, tree,
};
use crate::{
    bsp::PhysicsMesh,
    frame::Frame,
    geometry::Cylinder,
    library::LadderRecord,
    model::{Holding, Mesh, Model, ModelMotion, ModelPart, ShellOpening},
};
use glam::Vec3;
use std::{collections::HashSet, sync::Arc};
use threshold_dat::{DatId, records};

/// Step heights of what has no Setup to tell. Spec: physics §1.1 DEFAULT_STEP.
const DEFAULT_STEP: f32 = 0.01;

/// A mesh, with its distance ladder if it has one.
pub(crate) fn mesh(id: DatId, record: &records::GfxObj, ladder: Option<&LadderRecord>) -> Mesh {
    let vertices = Vertices::new(&record.vertices);
    let physics = record.physics.as_ref().map(|stored| {
        let polygons = Polygons::new(&stored.polygons, &vertices);
        let tree = tree::physics_tree(&stored.bsp, &polygons);
        PhysicsMesh::new(polygons.set, tree)
    });
    let drawing = record.drawing.as_ref();
    let (openings, opening_polygons) = drawing.map(|stored| openings(stored, &vertices)).unwrap_or_default();
    Mesh {
        id,
        physics_sphere: physics.as_ref().and_then(PhysicsMesh::bounding_sphere),
        physics,
        drawing_sphere: drawing.and_then(|stored| tree::root_sphere(&stored.bsp)),
        bounds: vertices.bounds(),
        flat_only: ladder.is_some_and(|ladder| ladder.starts_flat),
        sort_center: Some(Vec3::from_array(record.sort_center)).filter(|c| c.is_finite()).unwrap_or_default(),
        ladder: ladder.and_then(|ladder| ladder.ladder.clone()),
        is_drawn: drawing.is_some_and(|stored| !stored.polygons.is_empty()),
        openings,
        opening_polygons: opening_polygons.set,
    }
}

/// The tree reduced to its portal nodes, in reversed post-order: a node, then its negative, then its positive side.
/// Retail: `BSPTREE::RemoveNonPortalNodes`. Spec: visibility §2.2.
fn openings(drawing: &records::PolygonTree, vertices: &Vertices) -> (Box<[ShellOpening]>, Polygons) {
    let bsp = &drawing.bsp;
    let wanted: HashSet<u16> = bsp.portals.iter().map(|p| p.polygon).collect();
    let polygons = Polygons::new(drawing.polygons.iter().filter(|(id, _)| wanted.contains(id)), vertices);
    let mut openings = Vec::new();
    let mut open: Vec<u32> = vec![0];
    let mut visited = 0;
    while let Some(index) = open.pop() {
        visited += 1;
        let Some(records::BspNode::Inner(inner)) = bsp.nodes.get(index as usize) else { continue };
        if visited > bsp.nodes.len() {
            break;
        }
        if inner.tag == records::BspTag::Port {
            let portals = inner.portals.of(&bsp.portals);
            let pairs = portals.iter().filter_map(|p| Some((polygons.index_of(p.polygon)?, p.portal)));
            openings.push(ShellOpening { plane: plane(&inner.plane), portals: pairs.collect() });
        }
        open.extend(inner.positive);
        open.extend(inner.negative);
    }
    (openings.into(), polygons)
}

/// A model; `part` finds the mesh of a part. Spec: physics-objects §9.1, §9.2.
pub(crate) fn model(
    id: DatId,
    setup: &records::Setup,
    mut part: impl FnMut(DatId) -> Option<Arc<Mesh>>,
) -> Model {
    let placement = setup.placement();
    let place = |i: usize| {
        placement.and_then(|p| p.parts.get(i)).filter(|f| f.is_placed()).map_or(Frame::IDENTITY, frame)
    };
    let parts = setup.parts.iter().enumerate().map(|(i, &mesh)| ModelPart {
        mesh: part(mesh),
        frame: place(i),
        scale: Vec3::from(setup.part_scale(i)),
    });
    let cylinder =
        |c: &records::CylSphere| Cylinder { low: Vec3::from(c.low), radius: c.radius, height: c.height };
    let holdings = setup.holding_locations.iter().filter(|(_, held)| held.frame.is_placed());
    Model {
        id,
        parts: parts.collect(),
        cylinders: setup.cylinders.iter().map(cylinder).collect(),
        spheres: setup.spheres.iter().map(sphere).collect(),
        height: setup.height,
        radius: setup.radius,
        step_up: setup.step_up,
        step_down: setup.step_down,
        sorting_sphere: sphere(&setup.sorting_sphere),
        free_heading: setup.flags & records::Setup::FREE_HEADING != 0,
        holdings: holdings.map(holding).collect(),
        motion: motion(&setup.defaults),
        plays_when_static: setup.defaults.animation != DatId(0) || setup.defaults.script != DatId(0),
    }
}

/// A motion table replaces the default animation. Retail: `CPartArray::InitDefaults`.
fn motion(defaults: &records::SetupDefaults) -> ModelMotion {
    match (defaults.motion_table, defaults.animation) {
        (DatId(0), DatId(0)) => ModelMotion::None,
        (DatId(0), animation) => ModelMotion::Animation(animation),
        (table, _) => ModelMotion::Table(table),
    }
}

fn holding((location, held): &(i32, records::Location)) -> Holding {
    Holding { location: *location as u32, part: held.part as u32 as usize, frame: frame(&held.frame) }
}

/// A mesh used as an object: a model of one part without collision shapes of its own. Spec: physics-objects §9.1.
pub(crate) fn bare_model(mesh: Arc<Mesh>) -> Model {
    Model {
        id: mesh.id,
        cylinders: Box::default(),
        spheres: Box::default(),
        height: 0.0,
        radius: 0.0,
        step_up: DEFAULT_STEP,
        step_down: DEFAULT_STEP,
        sorting_sphere: mesh.flood_sphere().unwrap_or_default(),
        free_heading: false,
        holdings: Box::default(),
        motion: ModelMotion::None,
        plays_when_static: false,
        parts: Box::new([ModelPart { mesh: Some(mesh), frame: Frame::IDENTITY, scale: Vec3::ONE }]),
    }
}
