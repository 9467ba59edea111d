//! Flat trees: a cell's volume as a chain of planes, and the physics tree of a structure or mesh.

use crate::{
    EPSILON,
    geometry::{Aabb, Plane, PolygonSet, Side, Sphere},
};
use glam::Vec3;

/// Widening of a sphere in the cell-volume test.
pub const VOLUME_PAD: f32 = 0.01;

/// How much of a sphere lies in a volume. Spec: physics §1.7.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlap {
    /// Not at all.
    Outside,
    /// It cuts a boundary.
    Partial,
    /// Wholly.
    Inside,
}

/// The space a cell fills: the intersection of positive half-spaces, in the order the cell tree lists them.
///
/// Retail keeps a tree but only ever follows its positive children, so the chain is all there is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CellVolume {
    /// Boundary planes, pointing inwards.
    pub planes: Box<[Plane]>,
}

impl CellVolume {
    /// Points on a boundary count as inside. Retail: `BSPNODE::point_inside_cell_bsp`. Spec: physics-bsp §5.2.
    #[inline]
    pub fn contains(&self, p: Vec3) -> bool {
        self.planes.iter().all(|plane| plane.distance(p) >= -EPSILON)
    }

    /// Retail: `BSPNODE::sphere_intersects_cell_bsp`. Spec: physics-bsp §5.2.
    #[inline]
    pub fn overlap_sphere(&self, sphere: &Sphere) -> Overlap {
        let reach = sphere.radius + VOLUME_PAD;
        let mut result = Overlap::Inside;
        for plane in &self.planes {
            let t = plane.distance(sphere.center);
            if t <= -reach {
                return Overlap::Outside;
            }
            if t < reach {
                result = Overlap::Partial;
            }
        }
        result
    }

    /// Retail: `BSPNODE::box_intersects_cell_bsp`. Spec: physics-bsp §5.2.
    pub fn intersects_box(&self, bounds: &Aabb) -> bool {
        let corners = bounds.corners();
        !self.planes.iter().any(|plane| corners.iter().all(|&c| plane.side(c) == Side::Negative))
    }
}

/// Marks an absent child.
pub const NO_NODE: u32 = u32::MAX;

/// A node of a [`PhysicsTree`].
#[derive(Clone, Debug, PartialEq)]
pub enum PhysicsNode {
    /// Splits space; `NO_NODE` children hold nothing.
    Inner {
        /// Bounds of everything below.
        sphere: Sphere,
        /// Splitting plane.
        plane: Plane,
        /// Child in front.
        positive: u32,
        /// Child behind.
        negative: u32,
    },
    /// Holds polygons.
    Leaf {
        /// Bounds of the polygons.
        sphere: Sphere,
        /// Whether the space of the leaf is inside matter.
        solid: bool,
        /// First entry in the tree's polygon list.
        first: u32,
        /// Number of entries.
        count: u32,
    },
}

/// A physics tree; node 0 is the root.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PhysicsTree {
    /// Nodes, parents before children.
    pub nodes: Box<[PhysicsNode]>,
    /// Polygon indices of all leaves.
    pub leaf_polygons: Box<[u16]>,
}

/// What a sphere can hit: polygons and the tree over them.
#[derive(Clone, Debug, PartialEq)]
pub struct PhysicsMesh {
    /// The polygons.
    pub polygons: PolygonSet,
    /// The tree over them.
    pub tree: PhysicsTree,
}

impl PhysicsMesh {
    /// Bounds of the whole mesh: the root's sphere.
    pub fn bounding_sphere(&self) -> Option<Sphere> {
        self.tree.nodes.first().map(|node| match node {
            PhysicsNode::Inner { sphere, .. } | PhysicsNode::Leaf { sphere, .. } => *sphere,
        })
    }
}
