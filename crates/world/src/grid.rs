//! Which polygons are near a place: a grid of boxes over a mesh.
//!
//! Most questions are asked where there is nothing of a mesh, or one polygon alone. The list of the box a sphere's centre is in is
//! short; a sphere that overlaps no polygon of it overlaps none at all.

mod margin;
mod reach;

use crate::{
    EPSILON,
    bsp::PhysicsTree,
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
const MAX_QUADS: usize = 4;
/// Added to a number below two million, this rounds it to an integer in the lowest bits.
const ROUNDER: f32 = 12_582_912.0;

/// For each box, the polygons that a sphere of [`GRID_REACH`] or less may overlap when its centre is in the box.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PolygonGrid {
    /// Middle of the first box.
    first: Vec3A,
    boxes_per_metre: f32,
    counts: [u32; 3],
    /// The list of each box. Neighbours often have the same one.
    lists: Box<[List]>,
    quads: Box<[NearQuad]>,
    rims: Box<[Rim]>,
    /// A sphere that overlaps a polygon even when its radius is smaller by this is led to the polygon by every walk.
    pub(crate) margin: f32,
}

/// Where a list is among the quads.
#[derive(Clone, Copy, Debug, PartialEq)]
struct List {
    begin: u32,
    /// None when the list is too long to be kept.
    quads: Option<u8>,
}

/// Four polygons of a list.
#[derive(Clone, Debug, PartialEq)]
struct NearQuad {
    planes: PlaneQuad,
    indices: [u16; PlaneQuad::LANES],
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
        let count = polygons.len().max(1);
        let most = (BOXES_PER_POLYGON * count).min(MAX_BOXES).min(MAX_LISTED / count).max(1);
        let counts_of =
            |side: f32| (extent / side).ceil().max(Vec3::ONE).to_array().map(|count| count as u32);
        let mut side = LEAST_SIDE;
        while counts_of(side).map(u64::from).iter().product::<u64>() > most as u64 {
            side *= 1.125;
        }
        let mut grid = PolygonGrid {
            first: (bounds.min + side / 2.0).into(),
            boxes_per_metre: 1.0 / side,
            counts: counts_of(side),
            lists: Box::default(),
            quads: Box::default(),
            rims: polygons.iter().map(|polygon| Rim::new(set, polygon)).collect(),
            margin: margin_of(set, tree),
        };
        let listed = grid.polygons_by_box(polygons, &reaches, side);
        grid.keep(polygons, &listed);
        Some(grid)
    }

    /// Pairs of a box and the index of a polygon that reaches into it, in order.
    fn polygons_by_box(&self, polygons: &[Polygon], reaches: &[Aabb], side: f32) -> Vec<(u32, u16)> {
        let mut pairs = Vec::new();
        for ((polygon, reach), index) in polygons.iter().zip(reaches).zip(0..=u16::MAX) {
            let Plane { normal, .. } = polygon.plane;
            let thickness = GRID_REACH + slack_at(reach) + normal.abs().element_sum() * side / 2.0;
            let (low, high) = (self.nearest_box(reach.min), self.nearest_box(reach.max));
            for z in low[2]..=high[2] {
                for y in low[1]..=high[1] {
                    for x in low[0]..=high[0] {
                        let middle = Vec3::from(self.first) + Vec3::new(x as f32, y as f32, z as f32) * side;
                        let is_far = polygon.plane.distance(middle).abs() > thickness;
                        if !is_far {
                            pairs.push((self.number([x, y, z]), index));
                        }
                    }
                }
            }
        }
        pairs.sort_unstable();
        pairs
    }

    /// Keeps the list of each box; one that is the same as that of the box before, or of the row before, is kept once.
    fn keep(&mut self, polygons: &[Polygon], mut listed: &[(u32, u16)]) {
        let boxes: u32 = self.counts.iter().product();
        let row = self.counts[0] as usize;
        let mut quads: Vec<NearQuad> = Vec::new();
        let mut lists: Vec<List> = Vec::new();
        let mut indices: Vec<&[(u32, u16)]> = Vec::new();
        for number in 0..boxes {
            let own = listed.iter().take_while(|(at, _)| *at == number).count();
            let (here, rest) = listed.split_at(own);
            listed = rest;
            let is_same =
                |place: &usize| indices[*place].iter().map(|pair| pair.1).eq(here.iter().map(|pair| pair.1));
            let before =
                [1, row].into_iter().filter_map(|back| indices.len().checked_sub(back)).find(is_same);
            lists.push(match before {
                Some(place) => lists[place],
                None => List { begin: quads.len() as u32, quads: push_quads(&mut quads, polygons, here) },
            });
            indices.push(here);
        }
        (self.lists, self.quads) = (lists.into(), quads.into());
    }

    /// How many boxes a point is from the first one.
    #[inline]
    fn apart(&self, p: Vec3) -> Vec3A {
        (Vec3A::from(p) - self.first) * self.boxes_per_metre
    }

    /// The box with a point, or the one nearest to it.
    fn nearest_box(&self, p: Vec3) -> [u32; 3] {
        let last = self.counts.map(|count| (count - 1) as f32);
        rounded(self.apart(p).clamp(Vec3A::ZERO, last.into()))
    }

    #[inline]
    fn number(&self, [x, y, z]: [u32; 3]) -> u32 {
        x + self.counts[0] * (y + self.counts[1] * z)
    }

    /// The list of the box with a point; `None` when it is not kept.
    #[inline]
    fn list_at(&self, p: Vec3) -> Option<&[NearQuad]> {
        let [x, y, z] = rounded(self.apart(p));
        let [width, depth, height] = self.counts;
        if x >= width || y >= depth || z >= height {
            return Some(&[]);
        }
        let list = self.lists.get(self.number([x, y, z]) as usize)?;
        let begin = list.begin as usize;
        self.quads.get(begin..begin + usize::from(list.quads?))
    }

    /// The polygons that a sphere may overlap; `None` when they are not known.
    pub(crate) fn near<'a>(&'a self, sphere: &'a Sphere) -> Option<impl Iterator<Item = u16> + 'a> {
        let quads = self.list_for(sphere)?;
        let listed = quads.iter().flat_map(|quad| {
            let is_near = quad.within(sphere, sphere.radius - EPSILON);
            (0..PlaneQuad::LANES).filter(move |lane| is_near >> lane & 1 != 0).map(|lane| quad.indices[lane])
        });
        Some(listed.filter(|&index| {
            let rim = &self.rims[usize::from(index)];
            !rim.is_beside(rim.inside(sphere.center), sphere)
        }))
    }

    /// The only polygon of those wanted that a sphere overlaps, if there is one; `None` when that needs a closer look. It is
    /// overlapped by its inside, even when the sphere's radius is smaller by the margin.
    #[inline]
    pub(crate) fn only_near(&self, sphere: &Sphere, wants: impl Fn(u16) -> bool) -> Option<Option<u16>> {
        let mut found = None;
        for quad in self.list_for(sphere)? {
            let mut near = quad.within(sphere, sphere.radius - EPSILON);
            while near != 0 {
                let lane = near.trailing_zeros() as usize & (PlaneQuad::LANES - 1);
                near &= near - 1;
                let index = quad.indices[lane];
                let rim = self.rims.get(usize::from(index))?;
                let inside = rim.inside(sphere.center);
                if rim.is_beside(inside, sphere) || !wants(index) {
                    continue;
                }
                let is_deep = quad.within(sphere, sphere.radius - EPSILON - self.margin) >> lane & 1 != 0;
                if !(is_deep && rim.is_over(inside)) || found.is_some() {
                    return None;
                }
                found = Some(index);
            }
        }
        Some(found)
    }

    /// What is listed where a sphere is, if it is no larger than lists are made for.
    #[inline]
    fn list_for(&self, sphere: &Sphere) -> Option<&[NearQuad]> {
        if sphere.radius <= GRID_REACH { self.list_at(sphere.center) } else { None }
    }
}

impl NearQuad {
    /// A bit for each of the polygons whose plane is not out of reach.
    #[inline]
    fn within(&self, sphere: &Sphere, reach: f32) -> u32 {
        self.planes.distances(sphere.center).abs().cmple(Vec4::splat(reach)).bitmask()
    }
}

/// Appends the polygons of a list in fours; `None` for a list that is too long.
fn push_quads(quads: &mut Vec<NearQuad>, polygons: &[Polygon], listed: &[(u32, u16)]) -> Option<u8> {
    let fours = listed.chunks(PlaneQuad::LANES);
    let count = fours.len();
    if count > MAX_QUADS {
        return None;
    }
    quads.extend(fours.map(|four| {
        let mut indices = [0; PlaneQuad::LANES];
        indices.iter_mut().zip(four).for_each(|(index, (_, listed))| *index = *listed);
        let planes: Vec<Plane> = four.iter().map(|(_, index)| polygons[usize::from(*index)].plane).collect();
        NearQuad { planes: PlaneQuad::new(&planes), indices }
    }));
    Some(count as u8)
}

/// The nearest integers; absurd ones for what is negative, large or NaN.
#[inline]
fn rounded(v: Vec3A) -> [u32; 3] {
    (v + ROUNDER).to_array().map(|sum| sum.to_bits().wrapping_sub(ROUNDER.to_bits()))
}
