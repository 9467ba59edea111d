//! Sphere queries on a physics tree and its polygons. Spec: physics-bsp §5.

mod floor;
mod overlap;
mod overlapped;
mod polygon;
mod solid;
#[cfg(test)]
mod tests;

pub use floor::{FloorSearch, find_floor, hits_floor};
pub use overlap::first_facing;
pub(crate) use overlapped::Overlapped;
pub use polygon::{
    crossed_edge, footprint, is_floor_for, overlap, quarter_footprint, seat_on_plane, touch_fraction,
};
pub use solid::{SolidSearch, contains_in_solid, hits_solid, hits_solid_polygon};

use polygon::is_level;
use threshold_world::{
    bsp::{PhysicsMesh, PhysicsNode},
    geometry::Polygon,
};

/// The node at `index`; `None` for an absent child.
#[inline]
fn node(mesh: &PhysicsMesh, index: u32) -> Option<&PhysicsNode> {
    mesh.tree.nodes.get(index as usize)
}

/// Polygons of a leaf in order, with their index in the mesh.
#[inline]
fn leaf_polygons(mesh: &PhysicsMesh, first: u32, count: u32) -> impl Iterator<Item = (u16, &Polygon)> {
    let indices = mesh.tree.leaf_polygons.get(first as usize..first as usize + count as usize).unwrap_or(&[]);
    indices.iter().filter_map(|&i| mesh.polygons.polygons().get(usize::from(i)).map(|p| (i, p)))
}
