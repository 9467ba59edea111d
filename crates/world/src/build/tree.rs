//! Flat trees from stored ones.

use super::{plane, polygons::Polygons, sphere};
use crate::{
    bsp::{CellVolume, NO_NODE, PhysicsNode, PhysicsTree},
    geometry::Sphere,
};
use glam::Vec3;
use threshold_dat::records::{BspNode, BspTag, BspTree};

/// Bounds that never prune, for nodes whose own are not stored.
const UNBOUNDED: Sphere = Sphere { center: Vec3::ZERO, radius: 1e9 };

/// The planes along the chain of positive children. Spec: physics-bsp §5.1.
pub(super) fn cell_volume(tree: &BspTree) -> CellVolume {
    let mut planes = Vec::new();
    let mut next = Some(0);
    // Children lie behind their parents, so the walk ends; the limit holds for trees made in memory.
    while let Some(BspNode::Inner(inner)) = next.and_then(|index: u32| tree.nodes.get(index as usize)) {
        if planes.len() >= tree.nodes.len() {
            break;
        }
        planes.push(plane(&inner.plane));
        next = inner.positive;
    }
    planes.into_iter().collect()
}

/// The tree with its polygon ids resolved; node numbers stay as stored.
pub(super) fn physics_tree(tree: &BspTree, polygons: &Polygons) -> PhysicsTree {
    let mut leaf_polygons = Vec::new();
    let child = |index: Option<u32>| index.filter(|&i| (i as usize) < tree.nodes.len()).unwrap_or(NO_NODE);
    let nodes = tree.nodes.iter().map(|node| match node {
        BspNode::Inner(inner) => PhysicsNode::Inner {
            sphere: if inner.tag == BspTag::Port { UNBOUNDED } else { sphere(&inner.sphere) },
            plane: plane(&inner.plane),
            positive: child(inner.positive),
            negative: child(inner.negative),
        },
        BspNode::Leaf(leaf) => {
            let first = leaf_polygons.len();
            let ids = leaf.polygons.of(&tree.polygons);
            leaf_polygons.extend(ids.iter().filter_map(|&id| polygons.index_of(id)));
            PhysicsNode::Leaf {
                sphere: sphere(&leaf.sphere),
                solid: leaf.solid != 0,
                first: first as u32,
                count: (leaf_polygons.len() - first) as u32,
            }
        }
    });
    PhysicsTree { nodes: nodes.collect(), leaf_polygons: leaf_polygons.into() }
}

/// Bounds of a whole tree: the sphere of its root.
pub(super) fn root_sphere(tree: &BspTree) -> Option<Sphere> {
    let root = match tree.nodes.first()? {
        BspNode::Inner(inner) => inner.sphere,
        BspNode::Leaf(leaf) => leaf.sphere,
    };
    Some(sphere(&root)).filter(|s| s.center.is_finite() && s.radius.is_finite() && s.radius >= 0.0)
}
