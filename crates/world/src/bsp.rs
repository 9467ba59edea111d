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

    /// [`Plane::distance`] of each.
    #[inline]
    fn distances(&self, p: Vec3) -> Vec4 {
        self.x * p.x + self.y * p.y + self.z * p.z + self.d
    }
}

/// The space a cell fills: the intersection of positive half-spaces, in the order the cell tree lists them.
///
/// Retail keeps a tree but only ever follows its positive children, so the chain is all there is.
#[derive(Clone, Debug, PartialEq)]
pub struct CellVolume {
    planes: Box<[Plane]>,
    /// The planes that stand or lean.
    walls: Box<[PlaneQuad]>,
    /// Offset of the highest plane that faces straight up; infinite when there is none.
    floor: f32,
    /// Offset of the lowest plane that faces straight down; infinite when there is none.
    ceiling: f32,
}

impl Default for CellVolume {
    /// All of space.
    fn default() -> Self {
        CellVolume::from_iter([])
    }
}

/// How far a point is in front of the planes of a [`CellVolume`]: the least of its signed distances, infinite where
/// there are no planes.
#[derive(Clone, Copy, Debug)]
pub struct Depth {
    /// From planes that stand or lean.
    pub walls: f32,
    /// From planes that lie level in the cell's space, a floor and a ceiling.
    pub levels: f32,
}

impl Depth {
    /// From all planes.
    #[inline]
    pub fn least(&self) -> f32 {
        if self.levels < self.walls { self.levels } else { self.walls }
    }
}

impl FromIterator<Plane> for CellVolume {
    /// The space in front of all the planes.
    fn from_iter<I: IntoIterator<Item = Plane>>(planes: I) -> CellVolume {
        let planes: Box<[Plane]> = planes.into_iter().collect();
        let faces = |normal: Vec3| move |plane: &&Plane| plane.normal == normal;
        let least =
            |normal: Vec3| planes.iter().filter(faces(normal)).map(|p| p.d).fold(f32::INFINITY, f32::min);
        let (floor, ceiling) = (least(Vec3::Z), least(Vec3::NEG_Z));
        let is_wall = |plane: &&Plane| plane.normal != Vec3::Z && plane.normal != Vec3::NEG_Z;
        let walls: Vec<Plane> = planes.iter().filter(is_wall).copied().collect();
        let walls = walls.chunks(4).map(PlaneQuad::new).collect();
        CellVolume { planes, walls, floor, ceiling }
    }
}

impl CellVolume {
    /// Boundary planes, pointing inwards.
    pub fn planes(&self) -> &[Plane] {
        &self.planes
    }

    /// How deep in the volume a point is.
    #[inline]
    pub fn depth(&self, p: Vec3) -> Depth {
        let mut distances = self.walls.iter().map(|quad| quad.distances(p));
        let walls = distances
            .next()
            .map_or(f32::INFINITY, |first| distances.fold(first, |least, t| t.min(least)).min_element());
        let (above, below) = (p.z + self.floor, self.ceiling - p.z);
        Depth { walls, levels: if below < above { below } else { above } }
    }

    /// Points on a boundary count as inside. Retail: `BSPNODE::point_inside_cell_bsp`. Spec: physics-bsp §5.2.
    #[inline]
    pub fn contains(&self, p: Vec3) -> bool {
        self.depth(p).least() >= -EPSILON
    }

    /// Retail: `BSPNODE::sphere_intersects_cell_bsp`. Spec: physics-bsp §5.2.
    #[inline]
    pub fn overlap_sphere(&self, sphere: &Sphere) -> Overlap {
        let reach = sphere.radius + VOLUME_PAD;
        let depth = self.depth(sphere.center).least();
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
