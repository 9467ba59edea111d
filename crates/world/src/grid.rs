//! Which polygons are near a place: a grid of boxes over a mesh.
//!
//! Most questions are asked where there is nothing of a mesh, or one polygon alone. The list of the box a sphere's centre is in is
//! short; a sphere that overlaps no polygon of it overlaps none at all.

mod margin;
mod reach;

use crate::{
    EPSILON,
    bsp::{NO_NODE, PhysicsNode, PhysicsTree, Reached},
    geometry::{Aabb, Plane, PlaneQuad, Polygon, PolygonSet, Sphere},
};
use glam::{Vec3, Vec3A, Vec4};
use margin::margin_of;
use reach::{GRID_REACH, Rim, reach_of, slack_at};

/// More boxes make shorter lists and take more memory.
const BOXES_PER_POLYGON: usize = 32;
/// No mesh gets more boxes than this.
const MAX_BOXES: usize = 2048;
/// No mesh gets so many boxes that its lists could become longer than this together.
const MAX_LISTED: usize = 1 << 20;
/// Side of a box in metres from which on smaller ones hardly shorten the lists.
const LEAST_SIDE: f32 = 0.4;
/// Longer lists are left out: a walk finds what is near with less work.
const MAX_QUADS: usize = 8;
/// Added to a number below two million, this rounds it to an integer in the lowest bits.
const ROUNDER: f32 = 12_582_912.0;

/// For each box, the polygons that a sphere of [`GRID_REACH`] or less may overlap when its centre is in the box.
#[derive(Clone, Debug)]
pub(crate) struct PolygonGrid {
    /// Middle of the first box.
    first: Vec3A,
    boxes_per_metre: f32,
    counts: [u32; 3],
    /// Neighbours often have the same list.
    lists: Box<[List]>,
    quads: Box<[NearQuad]>,
    rims: Box<[Rim]>,
    /// A sphere that overlaps a polygon even when its radius is smaller by this is led to the polygon by every walk.
    margin: f32,
}

/// What is in a box: where its list begins among the quads, and in the highest bit whether any of it may be inside matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct List(u16);

impl List {
    const MATTER: u16 = 1 << 15;
    /// Without polygons; the first quad stands for them.
    const EMPTY: List = List(0);
    /// What is beside all boxes.
    const OUTSIDE: List = List(List::MATTER);
    /// Too long to be kept; there are fewer quads.
    const LEFT_OUT: List = List(List::MATTER - 1);

    #[inline]
    fn begin(self) -> usize {
        usize::from(self.0 & !List::MATTER)
    }

    /// What is reached where no polygon is.
    #[inline]
    fn without_polygons(self) -> Reached {
        if self.0 & List::MATTER == 0 { Reached::Space } else { Reached::Nothing }
    }
}

/// Four polygons of a list; some may stand for nothing.
#[derive(Clone, Debug)]
struct NearQuad {
    planes: PlaneQuad,
    indices: [u16; PlaneQuad::LANES],
    is_last: bool,
}

/// The boxes of a grid along each axis.
struct Boxes {
    first: Vec3,
    side: f32,
    counts: [usize; 3],
    /// Room for rounding.
    slack: f32,
}

impl Boxes {
    /// Around everything, as many as the polygons are worth.
    fn around(bounds: &Aabb, polygons: usize) -> Boxes {
        let extent = bounds.max - bounds.min;
        let polygons = polygons.max(1);
        let most = (BOXES_PER_POLYGON * polygons).min(MAX_BOXES).min(MAX_LISTED / polygons).max(1);
        let counts_of =
            |side: f32| (extent / side).ceil().max(Vec3::ONE).to_array().map(|count| count as usize);
        let mut side = LEAST_SIDE;
        while counts_of(side).into_iter().fold(1, usize::saturating_mul) > most {
            side *= 1.125;
        }
        Boxes { first: bounds.min + side / 2.0, side, counts: counts_of(side), slack: slack_at(bounds) }
    }

    fn strides(&self) -> [usize; 3] {
        [1, self.counts[0], self.counts[0] * self.counts[1]]
    }

    fn count(&self) -> usize {
        self.counts.iter().product()
    }

    /// The box with a coordinate, or the one nearest to it.
    fn nearest(&self, axis: usize, coordinate: f32) -> usize {
        let apart = (coordinate - self.first[axis]) / self.side;
        apart.round().clamp(0.0, (self.counts[axis] - 1) as f32) as usize
    }

    /// Calls with each box that a polygon of this plane and reach may be in.
    fn each_within(&self, plane: &Plane, reach: &Aabb, mut call: impl FnMut(usize)) {
        let Plane { normal, .. } = *plane;
        let thickness = GRID_REACH + slack_at(reach) + normal.abs().element_sum() * self.side / 2.0;
        let range = |axis| self.nearest(axis, reach.min[axis])..=self.nearest(axis, reach.max[axis]);
        let strides = self.strides();
        let step = normal.x * self.side;
        for z in range(2) {
            for y in range(1) {
                let row = self.first + Vec3::new(0.0, y as f32, z as f32) * self.side;
                let (height, number) = (plane.distance(row), y * strides[1] + z * strides[2]);
                for x in range(0) {
                    let is_far = (height + x as f32 * step).abs() > thickness;
                    if !is_far {
                        call(number + x);
                    }
                }
            }
        }
    }
}

impl PolygonGrid {
    /// The grid over the polygons of a tree; `None` when they reach beyond all measure.
    pub(crate) fn new(set: &PolygonSet, tree: &PhysicsTree) -> Option<PolygonGrid> {
        let polygons = set.polygons();
        let reaches: Vec<Aabb> = polygons.iter().map(|polygon| reach_of(set, polygon)).collect();
        let corners = reaches.iter().flat_map(|reach| [reach.min, reach.max]);
        let bounds = Aabb::around(corners).unwrap_or_default();
        let extent = bounds.max - bounds.min;
        if !(bounds.min.is_finite() && bounds.max.is_finite() && extent.max_element() < 1e6) {
            return None;
        }
        let boxes = Boxes::around(&bounds, polygons.len());
        let (mut lists, quads) = lists_of(&boxes, polygons, &reaches);
        mark_matter(&mut lists, &boxes, tree);
        Some(PolygonGrid {
            first: boxes.first.into(),
            boxes_per_metre: 1.0 / boxes.side,
            counts: boxes.counts.map(|count| count as u32),
            lists: lists.into(),
            quads: quads.into(),
            rims: polygons.iter().map(|polygon| Rim::new(set, polygon)).collect(),
            margin: margin_of(set, tree),
        })
    }

    /// What a sphere overlaps of the polygons that are wanted.
    #[inline]
    pub(crate) fn reached(
        &self,
        sphere: &Sphere,
        wants: impl Fn(u16) -> bool,
        overlaps: impl Fn(u16, &Sphere) -> bool,
    ) -> Reached {
        let Some(list) = self.list_for(sphere) else { return Reached::Unclear };
        let reach = sphere.radius - EPSILON;
        let mut place = list.begin();
        loop {
            let Some(quad) = self.quads.get(place) else { return Reached::Unclear };
            let near = quad.within(sphere, reach);
            if near != 0 {
                return self.reached_of(list, place, near, sphere, wants, overlaps);
            }
            if quad.is_last {
                return list.without_polygons();
            }
            place += 1;
        }
    }

    /// [`PolygonGrid::reached`] for a list from one of its quads on, where the planes of some of its polygons are near.
    #[inline(never)]
    fn reached_of(
        &self,
        list: List,
        mut place: usize,
        mut near: u32,
        sphere: &Sphere,
        wants: impl Fn(u16) -> bool,
        overlaps: impl Fn(u16, &Sphere) -> bool,
    ) -> Reached {
        let reach = sphere.radius - EPSILON;
        // Apart rather than side by side in memory, where they would be waited for.
        let (mut first, mut second, mut third) = (None, None, None);
        loop {
            let Some(quad) = self.quads.get(place) else { return Reached::Unclear };
            let heights = quad.planes.distances(sphere.center);
            let deep = heights.abs().cmple(Vec4::splat(reach - self.margin)).bitmask();
            let across_sq = (Vec4::splat(reach * reach) - heights * heights).to_array();
            while near != 0 {
                let lane = near.trailing_zeros() as usize & (PlaneQuad::LANES - 1);
                near &= near - 1;
                let index = quad.indices[lane];
                let Some(rim) = self.rims.get(usize::from(index)) else { return Reached::Unclear };
                let inside = rim.inside(sphere.center);
                if rim.is_beside(inside, across_sq[lane]) || !wants(index) {
                    continue;
                }
                if deep >> lane & 1 == 0 {
                    return Reached::Unclear;
                }
                if !rim.is_over(inside) {
                    // What a smaller sphere overlaps, this one overlaps as well.
                    let smaller = Sphere { radius: sphere.radius - self.margin, ..*sphere };
                    if !overlaps(index, &smaller) {
                        if overlaps(index, sphere) {
                            return Reached::Unclear;
                        }
                        continue;
                    }
                }
                if third.is_some() {
                    return Reached::Unclear;
                }
                (first, second, third) = (Some(index), first, second);
            }
            if quad.is_last {
                return match (first, second, third) {
                    (Some(a), None, _) => Reached::One(a),
                    (Some(a), Some(b), None) => Reached::Two([a, b]),
                    (Some(a), Some(b), Some(c)) => Reached::Three([a, b, c]),
                    (None, ..) => list.without_polygons(),
                };
            }
            place += 1;
            near = self.quads.get(place).map_or(0, |quad| quad.within(sphere, reach));
        }
    }

    /// The list of the box in which a sphere's centre is; `None` for a sphere that lists are not made for.
    #[inline]
    fn list_for(&self, sphere: &Sphere) -> Option<List> {
        let fits = sphere.radius > EPSILON && sphere.radius <= GRID_REACH;
        if !fits {
            return None;
        }
        let [x, y, z] = rounded((Vec3A::from(sphere.center) - self.first) * self.boxes_per_metre);
        let [width, depth, height] = self.counts;
        if x >= width || y >= depth || z >= height {
            return Some(List::OUTSIDE);
        }
        self.lists.get((x + width * (y + depth * z)) as usize).copied()
    }
}

/// The nearest integers; absurd ones for what is negative, large or NaN.
#[inline]
fn rounded(v: Vec3A) -> [u32; 3] {
    (v + ROUNDER).to_array().map(|sum| sum.to_bits().wrapping_sub(ROUNDER.to_bits()))
}

impl NearQuad {
    /// A bit for each of the polygons whose plane is not out of reach.
    #[inline]
    fn within(&self, sphere: &Sphere, reach: f32) -> u32 {
        self.planes.distances(sphere.center).abs().cmple(Vec4::splat(reach)).bitmask()
    }
}

/// The list of each box. One that is the same as a neighbour's is kept once.
fn lists_of(boxes: &Boxes, polygons: &[Polygon], reaches: &[Aabb]) -> (Vec<List>, Vec<NearQuad>) {
    let mut pairs: Vec<(u16, u16)> = Vec::new();
    let mut ends = vec![0_u32; boxes.count() + 1];
    for ((polygon, reach), index) in polygons.iter().zip(reaches).zip(0..=u16::MAX) {
        boxes.each_within(&polygon.plane, reach, |number| {
            pairs.push((number as u16, index));
            ends[number + 1] += 1;
        });
    }
    let mut total = 0;
    for end in &mut ends {
        total += *end;
        *end = total;
    }
    // Where the next polygon of each box goes; in the end, where the box after it begins.
    let mut indices = vec![0_u16; pairs.len()];
    for (number, index) in pairs {
        let next = &mut ends[usize::from(number)];
        indices[*next as usize] = index;
        *next += 1;
    }
    let listed = |number: usize| {
        let begin = number.checked_sub(1).map_or(0, |before| ends[before]);
        &indices[begin as usize..ends[number] as usize]
    };
    let mut quads = Vec::new();
    push_quads(&mut quads, polygons, &[]);
    let mut lists: Vec<List> = Vec::with_capacity(boxes.count());
    for number in 0..boxes.count() {
        let here = listed(number);
        let neighbours = boxes.strides().into_iter().filter_map(|back| number.checked_sub(back));
        let same = neighbours.into_iter().find(|&neighbour| listed(neighbour) == here);
        lists.push(match same {
            Some(neighbour) => lists[neighbour],
            None if here.is_empty() => List::EMPTY,
            None => push_quads(&mut quads, polygons, here),
        });
    }
    (lists, quads)
}

/// Appends the polygons of a list in fours.
fn push_quads(quads: &mut Vec<NearQuad>, polygons: &[Polygon], listed: &[u16]) -> List {
    let begin = quads.len();
    let count = listed.len().div_ceil(PlaneQuad::LANES).max(1);
    if count > MAX_QUADS || begin + count >= List::LEFT_OUT.begin() {
        return List::LEFT_OUT;
    }
    quads.extend((1..=count).map(|number| {
        let four = listed.chunks(PlaneQuad::LANES).nth(number - 1).unwrap_or_default();
        let mut indices = [0; PlaneQuad::LANES];
        indices[..four.len()].copy_from_slice(four);
        let planes: Vec<Plane> = four.iter().map(|index| polygons[usize::from(*index)].plane).collect();
        NearQuad { planes: PlaneQuad::new(&planes), indices, is_last: number == count }
    }));
    List(begin as u16)
}

/// Boxes that are followed down a tree, each counted at each node; hostile trees ask for more.
const MAX_VISITS: usize = 1 << 20;

/// Marks the boxes in which a walk may lead to a leaf with polygons that is inside matter.
fn mark_matter(lists: &mut [List], boxes: &Boxes, tree: &PhysicsTree) {
    let [width, depth, height] = boxes.counts;
    let rows = (0..height).flat_map(|z| (0..depth).map(move |y| (y, z)));
    let places = rows.flat_map(|(y, z)| (0..width).map(move |x| Vec3A::new(x as f32, y as f32, z as f32)));
    let middles = places.map(|place| Vec3A::from(boxes.first) + place * boxes.side).collect();
    let all = (0..lists.len()).map(|number| number as u16).collect();
    let half = boxes.side / 2.0 + boxes.slack;
    let mut descent = MatterDescent { lists, tree, half, middles, boxes: all, left: MAX_VISITS };
    if !descent.mark(0, margin::MAX_DEPTH, 0) {
        lists.iter_mut().for_each(|list| list.0 |= List::MATTER);
    }
}

/// The way of all boxes down a tree.
struct MatterDescent<'a> {
    lists: &'a mut [List],
    tree: &'a PhysicsTree,
    /// Half the side of a box, with room for rounding.
    half: f32,
    middles: Vec<Vec3A>,
    /// The boxes that are followed, after those that come to the nodes above.
    boxes: Vec<u16>,
    /// Visits that are left.
    left: usize,
}

impl MatterDescent<'_> {
    /// Marks what the last boxes, from one place on, come to; false when that takes too long.
    fn mark(&mut self, number: u32, depth: usize, begin: usize) -> bool {
        let Some(node) = self.tree.nodes.get(number as usize) else { return true };
        let end = self.boxes.len();
        let (Some(left), Some(depth)) = (self.left.checked_sub(end - begin), depth.checked_sub(1)) else {
            return false;
        };
        self.left = left;
        match node {
            PhysicsNode::Leaf { solid: true, count: 1.., .. } => {
                for &number in &self.boxes[begin..] {
                    self.lists[usize::from(number)].0 |= List::MATTER;
                }
            }
            PhysicsNode::Leaf { .. } => {}
            PhysicsNode::Inner { plane, positive, negative, .. } => {
                let thickness = plane.normal.abs().element_sum() * self.half;
                let normal = Vec3A::from(plane.normal);
                for (child, side) in [(*positive, 1.0), (*negative, -1.0)] {
                    if end == begin || child == NO_NODE {
                        continue;
                    }
                    for i in begin..end {
                        let number = self.boxes[i];
                        let distance = normal.dot(self.middles[usize::from(number)]) + plane.d;
                        let is_beside = distance * side < -thickness;
                        if !is_beside {
                            self.boxes.push(number);
                        }
                    }
                    let is_done = self.mark(child, depth, end);
                    self.boxes.truncate(end);
                    if !is_done {
                        return false;
                    }
                }
            }
        }
        true
    }
}
