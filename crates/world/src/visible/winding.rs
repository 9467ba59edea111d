//! Convex polygons in double precision, and the planes that bound what is seen through two of them.

use glam::DVec3;

/// Openings that leave less than this are closed, in metres. Stored coordinates are no more exact.
const APERTURE: f64 = 1e-4;
/// How far a corner may be beyond a plane that counts as bounding. Far away such an error grows, so it is much smaller.
const EXACT: f64 = 1e-7;

/// A plane: points with `normal · p + d > 0` are in front of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    normal: DVec3,
    d: f64,
}

impl Plane {
    pub(super) fn distance(&self, p: DVec3) -> f64 {
        self.normal.dot(p) + self.d
    }

    pub(super) fn flipped(&self) -> Plane {
        Plane { normal: -self.normal, d: -self.d }
    }

    /// Of a loop of corners, counter-clockwise seen from the front; `None` for one without area.
    pub(super) fn of(corners: &[DVec3]) -> Option<Plane> {
        let first = *corners.first()?;
        let pairs = corners.windows(2).skip(1);
        let sum: DVec3 = pairs.map(|pair| (pair[0] - first).cross(pair[1] - first)).sum();
        let normal = sum.try_normalize().filter(|_| sum.length() >= 1e-6)?;
        let d = -corners.iter().map(|p| normal.dot(*p)).sum::<f64>() / corners.len() as f64;
        d.is_finite().then_some(Plane { normal, d })
    }
}

/// A convex loop of corners.
pub(super) type Winding = Vec<DVec3>;

/// A polygon as it is, or, where it is notched, a rectangle around it: everything here is about convex ones.
pub(super) fn convex(corners: Winding, plane: &Plane) -> Winding {
    let count = corners.len();
    let turns_back = (0..count).any(|i| {
        let [a, b, c] = [0, 1, 2].map(|k| corners[(i + k) % count]);
        (b - a).cross(c - b).dot(plane.normal) < -EXACT
    });
    if !turns_back {
        return corners;
    }
    let x = plane.normal.any_orthonormal_vector();
    let y = plane.normal.cross(x);
    let range = |axis: DVec3| {
        let along = || corners.iter().map(move |p| axis.dot(*p));
        [along().fold(f64::INFINITY, f64::min), along().fold(f64::NEG_INFINITY, f64::max)]
    };
    let ([west, east], [south, north]) = (range(x), range(y));
    [(west, south), (east, south), (east, north), (west, north)]
        .map(|(u, v)| x * u + y * v - plane.normal * plane.d)
        .to_vec()
}

/// Whether any of a polygon is in front of a plane.
pub(super) fn is_in_front(winding: &[DVec3], plane: &Plane) -> bool {
    winding.iter().any(|p| plane.distance(*p) > APERTURE)
}

/// Leaves what is in front of a plane; false when nothing is.
pub(super) fn clip(winding: &mut Winding, plane: &Plane) -> bool {
    if !is_in_front(winding, plane) {
        return false;
    }
    if winding.iter().all(|p| plane.distance(*p) >= 0.0) {
        return true;
    }
    let mut kept = Vec::with_capacity(winding.len() + 1);
    let mut previous = winding[winding.len() - 1];
    for &corner in winding.iter() {
        let (from, to) = (plane.distance(previous), plane.distance(corner));
        if (from < 0.0) != (to < 0.0) {
            kept.push(previous + (corner - previous) * (from / (from - to)));
        }
        if to >= 0.0 {
            kept.push(corner);
        }
        previous = corner;
    }
    *winding = kept;
    winding.len() >= 3
}

/// Cuts `seen` down to what rays from `source` through `pass` can reach behind `pass`; false when that is nothing.
///
/// A plane with all of `source` behind it and all of `pass` in front of it has everything that such rays reach in front of it as
/// well. The planes through an edge of one and a corner of the other are the tightest of that sort.
pub(super) fn clip_to_beam(seen: &mut Winding, source: &[DVec3], pass: &[DVec3]) -> bool {
    clip_by_edges(seen, source, pass, false) && clip_by_edges(seen, pass, source, true)
}

/// The planes through edges of `edges` and corners of `others`, with `edges` behind them, or in front of them when `flip`.
fn clip_by_edges(seen: &mut Winding, edges: &[DVec3], others: &[DVec3], flip: bool) -> bool {
    let mut a = edges[edges.len() - 1];
    for &b in edges {
        for &corner in others {
            let Some(normal) = (b - a).cross(corner - a).try_normalize() else { continue };
            let mut plane = Plane { normal, d: -normal.dot(a) };
            // The edges' polygon lies on one side of a plane through its edge; the rest must lie on the other one.
            let side = edges.iter().map(|p| plane.distance(*p)).max_by(|a, b| a.abs().total_cmp(&b.abs()));
            if side.is_some_and(|side| side > 0.0) {
                plane = plane.flipped();
            }
            let is_bound = edges.iter().all(|p| plane.distance(*p) <= EXACT)
                && others.iter().all(|p| plane.distance(*p) >= -EXACT)
                && others.iter().any(|p| plane.distance(*p) > APERTURE);
            if !is_bound {
                continue;
            }
            if flip {
                plane = plane.flipped();
            }
            if !clip(seen, &plane) {
                return false;
            }
        }
        a = b;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(x: f64, [y0, y1]: [f64; 2]) -> Winding {
        [(y0, 0.0), (y1, 0.0), (y1, 2.0), (y0, 2.0)].map(|(y, z)| DVec3::new(x, y, z)).to_vec()
    }

    fn extent(winding: &[DVec3]) -> [f64; 2] {
        let ys = || winding.iter().map(|p| p.y);
        [ys().fold(f64::INFINITY, f64::min), ys().fold(f64::NEG_INFINITY, f64::max)]
    }

    #[test]
    fn a_beam_through_two_doors_widens_by_the_law_of_rays() {
        // Doors 2 m wide at x = 0 and x = 2: at x = 4 rays reach from -3 to 3.
        let mut wall = square(4.0, [-10.0, 10.0]);
        assert!(clip_to_beam(&mut wall, &square(0.0, [-1.0, 1.0]), &square(2.0, [-1.0, 1.0])));
        let [low, high] = extent(&wall);
        assert!((low + 3.0).abs() < 1e-9 && (high - 3.0).abs() < 1e-9, "{low} {high}");
        let mut beyond = square(4.0, [3.0, 5.0]);
        assert!(!clip_to_beam(&mut beyond, &square(0.0, [-1.0, 1.0]), &square(2.0, [-1.0, 1.0])));
        let mut partly = square(4.0, [2.5, 5.0]);
        assert!(clip_to_beam(&mut partly, &square(0.0, [-1.0, 1.0]), &square(2.0, [-1.0, 1.0])));
        assert!((extent(&partly)[1] - 3.0).abs() < 1e-9);
    }

    #[test]
    fn a_notched_polygon_becomes_a_rectangle_around_it() {
        let mut notched = square(3.0, [0.0, 2.0]);
        let plane = Plane::of(&notched).unwrap();
        assert_eq!(convex(notched.clone(), &plane), notched);
        notched.insert(2, DVec3::new(3.0, 1.0, 1.0));
        let around = convex(notched.clone(), &Plane::of(&notched).unwrap());
        assert_eq!((around.len(), extent(&around)), (4, [0.0, 2.0]));
        assert!(around.iter().all(|p| (p.x - 3.0).abs() < 1e-9));
        assert!(Plane::of(&around).unwrap().normal.dot(plane.normal) > 0.999);
    }

    #[test]
    fn a_door_in_the_same_plane_is_not_in_front() {
        let plane = Plane::of(&square(0.0, [0.0, 1.0])).unwrap();
        assert!(!is_in_front(&square(0.0, [2.0, 3.0]), &plane));
        assert!(
            is_in_front(&square(1.0, [2.0, 3.0]), &plane) != is_in_front(&square(-1.0, [2.0, 3.0]), &plane)
        );
    }
}
