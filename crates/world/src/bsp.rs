//! Flat trees: a cell's volume as a chain of planes, and the physics tree of a structure or mesh.

use crate::{
    EPSILON,
    geometry::{Aabb, Plane, PolygonSet, Side, Sphere},
};
use glam::{Vec3, Vec4};

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

/// Four planes side by side, so that a point is measured from all of them at once.
#[derive(Clone, Copy, Debug, PartialEq)]
struct PlaneQuad {
    x: Vec4,
    y: Vec4,
    z: Vec4,
    d: Vec4,
}

impl PlaneQuad {
    /// Up to four planes; the last one fills what is left.
    fn new(planes: &[Plane]) -> PlaneQuad {
        let lanes = |part: fn(&Plane) -> f32| {
            Vec4::from_array(std::array::from_fn(|i| part(&planes[i.min(planes.len() - 1)])))
        };
        PlaneQuad {
            x: lanes(|p| p.normal.x),
            y: lanes(|p| p.normal.y),
            z: lanes(|p| p.normal.z),
            d: lanes(|p| p.d),
        }
    }

    fn plane(&self, i: usize) -> Plane {
        Plane { normal: Vec3::new(self.x[i], self.y[i], self.z[i]), d: self.d[i] }
    }

    /// [`Plane::distance`] of each.
    #[inline]
    fn distances(&self, p: Vec3) -> Vec4 {
        self.x * p.x + self.y * p.y + self.z * p.z + self.d
    }
}

/// The space a cell fills: the intersection of positive half-spaces, in the order the cell tree lists them.
///
/// Retail keeps a tree but only ever follows its positive children, so the chain is all there is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CellVolume {
    quads: Box<[PlaneQuad]>,
    count: usize,
}

impl FromIterator<Plane> for CellVolume {
    /// The space in front of all the planes.
    fn from_iter<I: IntoIterator<Item = Plane>>(planes: I) -> CellVolume {
        let planes: Vec<Plane> = planes.into_iter().collect();
        CellVolume { quads: planes.chunks(4).map(PlaneQuad::new).collect(), count: planes.len() }
    }
}

impl CellVolume {
    /// Boundary planes, pointing inwards.
    pub fn planes(&self) -> impl ExactSizeIterator<Item = Plane> + '_ {
        (0..self.count).map(|i| self.quads[i / 4].plane(i % 4))
    }

    /// Signed distance of a point from the boundary plane that it is farthest behind, or least in front of; infinite
    /// for a volume without planes.
    #[inline]
    pub fn depth(&self, p: Vec3) -> f32 {
        let mut distances = self.quads.iter().map(|quad| quad.distances(p));
        let Some(first) = distances.next() else { return f32::INFINITY };
        distances.fold(first, |least, t| t.min(least)).min_element()
    }

    /// Points on a boundary count as inside. Retail: `BSPNODE::point_inside_cell_bsp`. Spec: physics-bsp §5.2.
    #[inline]
    pub fn contains(&self, p: Vec3) -> bool {
        self.depth(p) >= -EPSILON
    }

    /// Retail: `BSPNODE::sphere_intersects_cell_bsp`. Spec: physics-bsp §5.2.
    #[inline]
    pub fn overlap_sphere(&self, sphere: &Sphere) -> Overlap {
        let reach = sphere.radius + VOLUME_PAD;
        let depth = self.depth(sphere.center);
        if depth <= -reach {
            Overlap::Outside
        } else if depth < reach {
            Overlap::Partial
        } else {
            Overlap::Inside
        }
    }

    /// Retail: `BSPNODE::box_intersects_cell_bsp`. Spec: physics-bsp §5.2.
    pub fn intersects_box(&self, bounds: &Aabb) -> bool {
        let corners = bounds.corners();
        !self.planes().any(|plane| corners.iter().all(|&c| plane.side(c) == Side::Negative))
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
