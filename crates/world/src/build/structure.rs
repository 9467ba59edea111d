//! Rooms from Environment records.

use super::{
    polygons::{Polygons, Vertices},
    tree,
};
use crate::{bsp::PhysicsMesh, cell::CellStruct};
use threshold_dat::{DatId, records};

/// The geometry of one structure of an Environment.
pub(crate) fn cell_struct(environment: DatId, key: u32, record: &records::CellStruct) -> CellStruct {
    let vertices = Vertices::new(&record.vertices);
    let physics = Polygons::new(&record.physics_polygons, &vertices);
    let tree = tree::physics_tree(&record.physics_bsp, &physics);
    CellStruct {
        environment,
        key,
        volume: tree::cell_volume(&record.cell_bsp),
        physics: (!tree.nodes.is_empty()).then(|| PhysicsMesh::new(physics.set, tree)),
        portal_polygons: Polygons::new(&record.polygons, &vertices).set,
        bounds: vertices.bounds(),
        drawing_sphere: record.drawing_bsp.as_ref().and_then(tree::root_sphere),
    }
}
