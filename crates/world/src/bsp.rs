//! Flat trees: a cell's volume as a chain of planes, and the physics tree of a structure or mesh.

use crate::{
    EPSILON,
    geometry::{Aabb, Plane, PlaneQuad, Polygon, PolygonSet, Side, Sphere},
    grid::PolygonGrid,
};
use glam::{Vec3, Vec3A};
use std::sync::OnceLock;

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
#[derive(Clone, Debug, PartialEq)]
pub struct CellVolume {
    planes: Box<[Plane]>,
    /// For each axis, the offset of the innermost plane that faces along it; infinite when there is none.
    ahead: Vec3A,
    /// The same for the opposite direction.
    behind: Vec3A,
    /// The other planes.
    slanted: Box<[PlaneQuad]>,
}

impl Default for CellVolume {
    /// All of space.
    fn default() -> Self {
        CellVolume::from_iter([])
    }
}

/// How far a point is in front of the planes of a [`CellVolume`]; infinite where there are no planes.
#[derive(Clone, Copy, Debug)]
pub struct Depth {
    /// From the planes that face along the axes.
    pub low: Vec3A,
    /// From the planes that face against the axes.
    pub high: Vec3A,
    /// From the nearest of the other planes. NaN when the point is not finite.
    pub slanted: f32,
}

impl Depth {
    /// From all planes: the least distance.
    #[inline]
    pub fn least(&self) -> f32 {
        let along_axes = self.low.min(self.high).min_element();
        if along_axes < self.slanted { along_axes } else { self.slanted }
    }
}

impl FromIterator<Plane> for CellVolume {
    /// The space in front of all the planes.
    fn from_iter<I: IntoIterator<Item = Plane>>(planes: I) -> CellVolume {
        let planes: Box<[Plane]> = planes.into_iter().collect();
        let innermost = |facing: Vec3| {
            planes.iter().filter(|plane| plane.normal == facing).map(|p| p.d).fold(f32::INFINITY, f32::min)
        };
        let axes = Vec3::AXES;
        let slanted = |plane: &&Plane| axes.iter().all(|&axis| plane.normal != axis && plane.normal != -axis);
        let rest: Vec<Plane> = planes.iter().filter(slanted).copied().collect();
        CellVolume {
            ahead: axes.map(innermost).into(),
            behind: axes.map(|axis| innermost(-axis)).into(),
            slanted: rest.chunks(PlaneQuad::LANES).map(PlaneQuad::new).collect(),
            planes,
        }
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
        let along = Vec3A::from(p);
        let slanted = if !along.is_finite() {
            f32::NAN
        } else if let [first, rest @ ..] = &*self.slanted {
            let rest = rest.iter().map(|quad| quad.distances(p));
            rest.fold(first.distances(p), |least, t| t.min(least)).min_element()
        } else {
            f32::INFINITY
        };
        Depth { low: along + self.ahead, high: self.behind - along, slanted }
    }

    /// Normals of the planes that face along no axis, and a point's distances from them.
    pub fn slanted(&self, p: Vec3) -> impl Iterator<Item = (Vec3, f32)> {
        self.slanted.iter().flat_map(move |quad| quad.normals().into_iter().zip(quad.distances(p).to_array()))
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

/// What a sphere overlaps of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    /// Certainly nothing, and its centre is certainly not inside matter.
    Space,
    /// Certainly no polygon.
    Nothing,
    /// One polygon, which every walk comes to, and certainly no other.
    One(u16),
    /// The same of two, in no order.
    Two([u16; 2]),
    /// The same of three, in no order.
    Three([u16; 3]),
    /// Only a walk can tell.
    Unclear,
}

impl Reached {
    /// The polygons that are known to be overlapped.
    #[inline]
    pub fn polygons(&self) -> &[u16] {
        match self {
            Reached::Space | Reached::Nothing | Reached::Unclear => &[],
            Reached::One(index) => std::slice::from_ref(index),
            Reached::Two(indices) => indices,
            Reached::Three(indices) => indices,
        }
    }
}

/// What a sphere can hit: polygons and the tree over them.
#[derive(Clone, Debug)]
pub struct PhysicsMesh {
    /// The polygons.
    pub polygons: PolygonSet,
    /// The tree over them.
    pub tree: PhysicsTree,
    /// Made when it is first asked for, as most meshes are never touched. None for a mesh beyond all measure.
    grid: OnceLock<Option<PolygonGrid>>,
}

impl PartialEq for PhysicsMesh {
    fn eq(&self, other: &PhysicsMesh) -> bool {
        self.polygons == other.polygons && self.tree == other.tree
    }
}

impl PhysicsMesh {
    /// Polygons and the tree over them.
    pub fn new(polygons: PolygonSet, tree: PhysicsTree) -> PhysicsMesh {
        PhysicsMesh { polygons, tree, grid: OnceLock::new() }
    }

    /// What a sphere overlaps of the polygons that are wanted, as far as that can be told without a walk. `overlaps` is the test
    /// that walks make of a polygon; it is asked where neither answer is plain.
    #[inline]
    pub fn reached(
        &self,
        sphere: &Sphere,
        wants: impl Fn(&Polygon) -> bool,
        overlaps: impl Fn(&Polygon, &Sphere) -> bool,
    ) -> Reached {
        match self.grid.get() {
            Some(Some(grid)) => self.reached_by(grid, sphere, wants, overlaps),
            Some(None) => Reached::Unclear,
            None => self.reached_at_first(sphere, wants, overlaps),
        }
    }

    #[cold]
    #[inline(never)]
    fn reached_at_first(
        &self,
        sphere: &Sphere,
        wants: impl Fn(&Polygon) -> bool,
        overlaps: impl Fn(&Polygon, &Sphere) -> bool,
    ) -> Reached {
        let grid = self.grid.get_or_init(|| PolygonGrid::new(&self.polygons, &self.tree));
        grid.as_ref().map_or(Reached::Unclear, |grid| self.reached_by(grid, sphere, wants, overlaps))
    }

    #[inline(always)]
    fn reached_by(
        &self,
        grid: &PolygonGrid,
        sphere: &Sphere,
        wants: impl Fn(&Polygon) -> bool,
        overlaps: impl Fn(&Polygon, &Sphere) -> bool,
    ) -> Reached {
        let polygon = |index: u16| self.polygons.polygons().get(usize::from(index));
        grid.reached(
            sphere,
            |index| polygon(index).is_some_and(&wants),
            |index, sphere| polygon(index).is_some_and(|polygon| overlaps(polygon, sphere)),
        )
    }

    /// Bounds of the whole mesh: the root's sphere.
    pub fn bounding_sphere(&self) -> Option<Sphere> {
        self.tree.nodes.first().map(|node| match node {
            PhysicsNode::Inner { sphere, .. } | PhysicsNode::Leaf { sphere, .. } => *sphere,
        })
    }
}
