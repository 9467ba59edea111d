//! Convex solids, for rooms, walls, stairs and furniture.

use super::{Plane, Polygon, Side};
use glam::{DMat3, DVec2, DVec3};

/// A polygon and its material.
#[derive(Clone, Debug, PartialEq)]
pub struct Facet<S> {
    /// Shape; counter-clockwise seen from the front.
    pub polygon: Polygon,
    /// Dressing.
    pub skin: S,
}

/// A convex solid; its facets face outwards.
#[derive(Clone, Debug, PartialEq)]
pub struct Convex<S> {
    /// One polygon per side.
    pub facets: Vec<Facet<S>>,
}

impl<S: Copy> Convex<S> {
    /// A box between two corners.
    pub fn block(min: DVec3, max: DVec3, skin: S) -> Convex<S> {
        let base = [(min.x, min.y), (max.x, min.y), (max.x, max.y), (min.x, max.y)].map(DVec2::from);
        Convex::prism(&base, min.z, max.z, skin)
    }

    /// An upright prism over a convex outline that runs counter-clockwise seen from above.
    pub fn prism(outline: &[DVec2], bottom: f64, top: f64, skin: S) -> Convex<S> {
        let at = |z: f64| outline.iter().map(|p| p.extend(z)).collect::<Vec<_>>();
        Convex::between(&at(bottom), &at(top), skin)
    }

    /// A solid between two loops with as many corners each, both counter-clockwise seen from above: corner i of the
    /// lower loop stands under corner i of the upper one. All sides must come out flat.
    pub fn between(lower: &[DVec3], upper: &[DVec3], skin: S) -> Convex<S> {
        let n = lower.len().min(upper.len());
        let mut polygons = vec![Polygon::new(lower).flipped(), Polygon::new(upper)];
        for i in 0..n {
            let j = (i + 1) % n;
            let mut side: Vec<DVec3> = vec![lower[i], lower[j], upper[j], upper[i]];
            side.dedup_by(|a, b| a.distance_squared(*b) < 1e-12);
            if side.len() > 3 && side[0].distance_squared(side[side.len() - 1]) < 1e-12 {
                side.pop();
            }
            polygons.push(Polygon::new(side));
        }
        polygons.retain(|p| p.points.len() >= 3 && p.area() > 1e-9);
        Convex { facets: polygons.into_iter().map(|polygon| Facet { polygon, skin }).collect() }
    }

    /// The solid with other dressings; `choose` sees each side's outward normal.
    pub fn dressed<T>(&self, mut choose: impl FnMut(DVec3) -> T) -> Convex<T> {
        let dress = |f: &Facet<S>| Facet {
            polygon: f.polygon.clone(),
            skin: choose(f.polygon.plane().map_or(DVec3::Z, |p| p.normal)),
        };
        Convex { facets: self.facets.iter().map(dress).collect() }
    }

    /// The solid turned by `turn`, then moved by `by`.
    pub fn moved(&self, turn: DMat3, by: DVec3) -> Convex<S> {
        let facets = self.facets.iter();
        Convex {
            facets: facets
                .map(|f| Facet { polygon: f.polygon.map(|p| turn * p + by), skin: f.skin })
                .collect(),
        }
    }

    /// Planes of the sides, facing outwards.
    pub fn planes(&self) -> Vec<Plane> {
        self.facets.iter().filter_map(|f| f.polygon.plane()).collect()
    }

    /// Planes of the sides, facing inwards.
    pub fn inward_planes(&self) -> Vec<Plane> {
        self.planes().iter().map(Plane::flipped).collect()
    }

    /// Smallest and largest coordinates.
    pub fn bounds(&self) -> (DVec3, DVec3) {
        let points = self.facets.iter().flat_map(|f| &f.polygon.points);
        points.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(lo, hi), &p| (lo.min(p), hi.max(p)))
    }

    /// Mean of the corners: a point inside.
    pub fn center(&self) -> DVec3 {
        let (sum, n) = self
            .facets
            .iter()
            .flat_map(|f| &f.polygon.points)
            .fold((DVec3::ZERO, 0.0), |(sum, n), &p| (sum + p, n + 1.0));
        sum / f64::max(n, 1.0)
    }

    /// Whether a point lies inside, with a margin (negative: the solid is shrunk by it).
    pub fn contains(&self, p: DVec3, margin: f64) -> bool {
        self.planes().iter().all(|plane| plane.distance(p) <= margin)
    }
}

/// The parts of `polygon` outside a solid given by its outward planes. A part that lies in a side of the solid is
/// outside only if it faces the same way and `keep_flush` says so: faces that touch back to back vanish.
pub(crate) fn outside_of(polygon: &Polygon, planes: &[Plane], keep_flush: bool) -> Vec<Polygon> {
    let mut left = Vec::new();
    let mut rest = polygon.clone();
    for plane in planes {
        match rest.side(plane) {
            Side::Front => return vec![polygon.clone()],
            Side::Back => {}
            Side::On => {
                let faces_alike = rest.plane().is_some_and(|p| p.normal.dot(plane.normal) > 0.0);
                if faces_alike && keep_flush {
                    return vec![polygon.clone()];
                }
            }
            Side::Across => {
                let (front, back) = rest.split(plane);
                left.extend(front);
                match back {
                    Some(back) => rest = back,
                    None => return vec![polygon.clone()],
                }
            }
        }
    }
    left
}

/// The outer surface of several solids that may touch or overlap: sides inside another solid, and sides that touch
/// back to back, are cut away; of sides that lie on each other the first solid's remains.
pub fn union_surface<S: Copy>(solids: &[Convex<S>]) -> Vec<Facet<S>> {
    let planes: Vec<Vec<Plane>> = solids.iter().map(Convex::planes).collect();
    let bounds: Vec<_> = solids.iter().map(Convex::bounds).collect();
    let mut surface = Vec::new();
    for (i, solid) in solids.iter().enumerate() {
        for facet in &solid.facets {
            let mut pieces = vec![facet.polygon.clone()];
            for j in (0..solids.len()).filter(|&j| j != i && touch(&bounds[i], &bounds[j])) {
                pieces = pieces.iter().flat_map(|p| outside_of(p, &planes[j], i < j)).collect();
            }
            surface.extend(pieces.into_iter().map(|polygon| Facet { polygon, skin: facet.skin }));
        }
    }
    surface
}

fn touch(a: &(DVec3, DVec3), b: &(DVec3, DVec3)) -> bool {
    a.0.cmple(b.1 + 0.01).all() && b.0.cmple(a.1 + 0.01).all()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area<S>(facets: &[Facet<S>]) -> f64 {
        facets.iter().map(|f| f.polygon.area()).sum()
    }

    #[test]
    fn flush_boxes_lose_the_sides_between_them() {
        let a = Convex::block(DVec3::ZERO, DVec3::ONE, ());
        let b = Convex::block(DVec3::X, DVec3::new(2.0, 1.0, 1.0), ());
        assert_eq!(area(&union_surface(&[a, b])), 10.0);
    }

    #[test]
    fn overlapping_boxes_keep_only_their_outside() {
        let a = Convex::block(DVec3::ZERO, DVec3::ONE, ());
        let b = Convex::block(DVec3::new(0.5, 0.0, 0.0), DVec3::new(1.5, 1.0, 1.0), ());
        assert!((area(&union_surface(&[a, b])) - 8.0).abs() < 1e-9);
    }

    #[test]
    fn a_step_on_a_box_cuts_its_footprint_out_of_the_top() {
        let a = Convex::block(DVec3::ZERO, DVec3::new(2.0, 2.0, 1.0), ());
        let b = Convex::block(DVec3::new(0.5, 0.5, 1.0), DVec3::new(1.0, 1.0, 1.5), ());
        // 16 of the box and the four sides of the step; top minus footprint plus the step's own top.
        assert!((area(&union_surface(&[a, b])) - (16.0 + 4.0 * 0.25)).abs() < 1e-9);
    }
}
