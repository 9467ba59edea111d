//! Clipping a polygon on the screen to a region, and the rules by which the rest becomes a region itself.

use crate::Projection;
use glam::{Vec2, Vec3, Vec4};

/// Distance of the eye plane. What lies between it and the near plane still lets the view pass.
pub(crate) const EYE_W: f32 = 0.0002;
/// Corners stored per region.
pub(crate) const REGION_CORNERS_MAX: usize = 31;
/// Corners of a polygon in work. A region has 31 edges and openings have few corners; what exceeds this is not convex.
const WORK_CORNERS_MAX: usize = 256;
/// Homogeneous coordinates beyond this have lost the pixels to rounding.
const SCREEN_LIMIT: f32 = 1e9;

/// A polygon brought to the screen: looked at from its accepted side it runs counter-clockwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnScreen {
    /// It is entirely behind the eye.
    Behind,
    /// Its corners are in the buffer.
    Polygon,
    /// Too large for the arithmetic: treated as covering everything.
    Everything,
}

/// In which order the corners of an opening are taken, so that they go round it the same way for the viewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CornerOrder {
    /// It is looked at from its positive side.
    Stored,
    /// It is looked at from its negative side.
    Reversed,
}

impl CornerOrder {
    /// The order for a viewer on this side of an opening.
    pub(crate) fn from_here(neighbour_is_positive: bool) -> CornerOrder {
        if neighbour_is_positive { CornerOrder::Reversed } else { CornerOrder::Stored }
    }

    /// The order for a viewer on the other side of it.
    pub(crate) fn from_there(neighbour_is_positive: bool) -> CornerOrder {
        CornerOrder::from_here(!neighbour_is_positive)
    }
}

/// Brings a world polygon to the screen, appending to `out`, and cuts off what lies behind the eye plane.
///
/// Retail: the first half of `PView::GetClip`
/// (0x005A4320). Spec: visibility §4.2 steps 1–3.
pub(crate) fn bring_to_screen(
    projection: &Projection,
    world: impl DoubleEndedIterator<Item = Vec3> + ExactSizeIterator,
    order: CornerOrder,
    out: &mut Vec<Vec4>,
) -> OnScreen {
    let start = out.len();
    if world.len() > WORK_CORNERS_MAX / 2 {
        return OnScreen::Everything;
    }
    match order {
        CornerOrder::Reversed => out.extend(world.rev().map(|p| projection.to_screen(p))),
        CornerOrder::Stored => out.extend(world.map(|p| projection.to_screen(p))),
    }
    let corners = &out[start..];
    if !corners.iter().all(|p| p.abs().max_element() < SCREEN_LIMIT) {
        out.truncate(start);
        return OnScreen::Everything;
    }
    if corners.iter().any(|p| p.w < EYE_W) {
        cut_at_eye_plane(out, start);
    }
    if out.len() - start < 3 {
        out.truncate(start);
        return OnScreen::Behind;
    }
    OnScreen::Polygon
}

/// Replaces the corners from `start` on by what is left of them in front of the eye plane.
fn cut_at_eye_plane(corners: &mut Vec<Vec4>, start: usize) {
    let end = corners.len();
    let Some(&last) = corners[start..].last() else { return };
    let mut previous = last;
    for i in start..end {
        let current = corners[i];
        let (a, b) = (previous.w - EYE_W, current.w - EYE_W);
        if (a >= 0.0) != (b >= 0.0) {
            let mut cut = between(previous, a, current, b);
            cut.w = EYE_W;
            corners.push(cut);
        }
        if b >= 0.0 {
            corners.push(current);
        }
        previous = current;
    }
    corners.drain(start..end);
}

/// Bounding box in pixels of a polygon that was brought to the screen.
pub(crate) fn bounds_on_screen(polygon: &[Vec4]) -> (Vec2, Vec2) {
    bounds(polygon.iter().map(|p| Vec2::new(p.x, p.y) / p.w))
}

/// Bounding box of some points.
pub(crate) fn bounds(points: impl Iterator<Item = Vec2>) -> (Vec2, Vec2) {
    points.fold((Vec2::MAX, Vec2::MIN), |(min, max), p| (min.min(p), max.max(p)))
}

/// The point between two corners whose distances to a line have opposite signs. Both weigh positively, so w stays
/// positive whatever the rounding, and the order of the two does not matter.
#[inline]
fn between(a: Vec4, distance_a: f32, b: Vec4, distance_b: f32) -> Vec4 {
    let (a_weight, b_weight) = (distance_b.abs(), distance_a.abs());
    (a * a_weight + b * b_weight) / (a_weight + b_weight)
}

/// Work space for clipping; keeps its memory.
#[derive(Debug, Default)]
pub(crate) struct Clipper {
    current: Vec<Vec4>,
    next: Vec<Vec4>,
    distances: Vec<f32>,
    hull: Vec<Vec2>,
}

impl Clipper {
    /// What is left of a polygon within a region; empty or at least a triangle. A polygon that cannot be followed
    /// exactly gives the whole region.
    ///
    /// Retail: `PView::GetClip` (0x005A4320), `ACRender::polyClipFinish` (0x006B6D00). Spec: visibility §4.2 steps 4–5.
    pub(crate) fn clip(&mut self, shape: OnScreen, polygon: &[Vec4], region: &[Vec2]) -> &[Vec4] {
        if shape == OnScreen::Everything {
            return self.whole(region);
        }
        self.current.clear();
        self.current.extend_from_slice(polygon);
        let mut from = match region.last() {
            Some(&last) => last,
            None => return &[],
        };
        for &to in region {
            // Pixels run downwards: the inside of a counter-clockwise polygon is on the right of its edges.
            let (a, b) = (to.y - from.y, from.x - to.x);
            let c = -(a * from.x + b * from.y);
            from = to;
            self.keep_inside(a, b, c);
            if self.current.len() < 3 {
                self.current.clear();
                break;
            }
            if self.current.len() > WORK_CORNERS_MAX {
                return self.whole(region);
            }
        }
        &self.current
    }

    /// The region itself as a clipped polygon, at the far end of the depth range.
    pub(crate) fn whole(&mut self, region: &[Vec2]) -> &[Vec4] {
        self.current.clear();
        self.current.extend(region.iter().map(|p| Vec4::new(p.x, p.y, 1.0, 1.0)));
        &self.current
    }

    /// Leaves nothing.
    pub(crate) fn clear(&mut self) {
        self.current.clear();
    }

    /// The polygon that the last clip left.
    pub(crate) fn result(&self) -> &[Vec4] {
        &self.current
    }

    /// Keeps the half-plane `a·X + b·Y + c·w ≥ 0`.
    fn keep_inside(&mut self, a: f32, b: f32, c: f32) {
        self.distances.clear();
        self.distances.extend(self.current.iter().map(|p| a * p.x + b * p.y + c * p.w));
        let count = self.current.len();
        let inside = self.distances.iter().filter(|&&d| d >= 0.0).count();
        if inside == count {
            return;
        }
        self.next.clear();
        if inside == 0 {
            self.current.clear();
            return;
        }
        let mut previous = count - 1;
        for current in 0..count {
            let (d0, d1) = (self.distances[previous], self.distances[current]);
            if (d0 >= 0.0) != (d1 >= 0.0) {
                self.next.push(between(self.current[previous], d0, self.current[current], d1));
            }
            if d1 >= 0.0 {
                self.next.push(self.current[current]);
            }
            previous = current;
        }
        std::mem::swap(&mut self.current, &mut self.next);
    }

    /// Turns the last clip's result into the corners of a region, written to `out`; false when it is too small to
    /// be one, and then `out` is empty.
    pub(crate) fn store(&mut self, size: Vec2, out: &mut Vec<Vec2>) -> bool {
        simplify(&self.current, out);
        if out.len() < 3 {
            out.clear();
            return false;
        }
        for p in out.iter_mut() {
            *p = p.abs().min(size);
        }
        if has_mixed_turns(out) {
            convex_hull(out, &mut self.hull);
        }
        out.truncate(REGION_CORNERS_MAX);
        true
    }
}

/// Divides by w and drops corners that are within a pixel of the one before or of the line through their neighbours.
///
/// Retail: `Render::copy_view` (0x0054DFC0). Spec: visibility §4.1 steps 1–4.
fn simplify(polygon: &[Vec4], out: &mut Vec<Vec2>) {
    out.clear();
    for p in polygon {
        let p = Vec2::new(p.x, p.y) / p.w;
        match out.as_slice() {
            [.., last] if is_within_a_pixel(*last, p) => continue,
            [.., a, b] if is_on_line(*a, *b, p) => {
                out.pop();
            }
            _ => {}
        }
        out.push(p);
    }
    if let [first, .., a, b] = *out.as_slice()
        && (is_within_a_pixel(b, first) || is_on_line(a, b, first))
    {
        out.pop();
    }
    if let [first, second, .., last] = *out.as_slice()
        && is_on_line(last, first, second)
    {
        out.remove(0);
    }
}

fn is_within_a_pixel(a: Vec2, b: Vec2) -> bool {
    (a - b).abs().max_element() <= 1.0
}

/// Whether `b` lies on the line from `a` to `c` to within about a pixel.
fn is_on_line(a: Vec2, b: Vec2, c: Vec2) -> bool {
    turn(a, b, c).abs() < span(a, c)
}

fn span(a: Vec2, c: Vec2) -> f32 {
    (a - c).abs().max_element()
}

/// Twice the area of the triangle, negative for a left turn as seen on the screen.
fn turn(a: Vec2, b: Vec2, c: Vec2) -> f32 {
    (a.x - b.x) * (b.y - c.y) - (a.y - b.y) * (b.x - c.x)
}

/// Whether the polygon turns both ways, as one does that is not planar or not convex. Its edges would then cut away
/// what is visible.
fn has_mixed_turns(polygon: &[Vec2]) -> bool {
    let (mut left, mut right) = (false, false);
    let count = polygon.len();
    for i in 0..count {
        let (a, b, c) = (polygon[i], polygon[(i + 1) % count], polygon[(i + 2) % count]);
        let turn = turn(a, b, c);
        left |= turn <= -span(a, c);
        right |= turn >= span(a, c);
    }
    left && right
}

/// Replaces a polygon by its convex hull, counter-clockwise as seen on the screen.
fn convex_hull(polygon: &mut Vec<Vec2>, hull: &mut Vec<Vec2>) {
    polygon.sort_unstable_by(|a, b| a.x.total_cmp(&b.x).then(b.y.total_cmp(&a.y)));
    hull.clear();
    for pass in 0..2 {
        let base = hull.len();
        for i in 0..polygon.len() {
            let p = polygon[if pass == 0 { i } else { polygon.len() - 1 - i }];
            while hull.len() >= base + 2 && turn(hull[hull.len() - 2], hull[hull.len() - 1], p) >= 0.0 {
                hull.pop();
            }
            hull.push(p);
        }
        hull.pop();
    }
    std::mem::swap(polygon, hull);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flood::full_screen;

    const SIZE: Vec2 = Vec2::new(600.0, 600.0);

    fn on_screen(points: &[(f32, f32)]) -> Vec<Vec4> {
        points.iter().map(|&(x, y)| Vec4::new(x, y, 0.5, 1.0)).collect()
    }

    /// Stores a polygon given in pixels.
    fn store(points: &[(f32, f32)]) -> Option<Vec<Vec2>> {
        let mut clipper = Clipper { current: on_screen(points), ..Clipper::default() };
        let mut out = vec![Vec2::ZERO];
        let stored = clipper.store(SIZE, &mut out);
        assert_eq!(stored, !out.is_empty());
        stored.then_some(out)
    }

    #[test]
    fn example_14_a_corner_on_an_edge_is_dropped() {
        let square = [(0.0, 100.0), (50.0, 100.0), (100.0, 100.0), (100.0, 0.0), (0.0, 0.0)];
        for shift in 0..5 {
            let mut points = square;
            points.rotate_left(shift);
            assert_eq!(store(&points).unwrap().len(), 4, "{shift}");
        }
    }

    #[test]
    fn example_15_corners_within_a_pixel_are_one() {
        let triangle = store(&[(0.0, 0.0), (0.5, 0.5), (100.0, 0.0), (50.0, 100.0)]).unwrap();
        assert_eq!(triangle, [(0.0, 0.0), (100.0, 0.0), (50.0, 100.0)].map(Vec2::from));
        assert_eq!(store(&[(0.0, 0.0), (0.5, 0.0), (0.0, 0.5)]), None);
    }

    #[test]
    fn example_16_a_clockwise_region_shows_nothing() {
        let mut clockwise = full_screen(SIZE);
        clockwise.reverse();
        let polygon = on_screen(&[(100.0, 300.0), (200.0, 300.0), (200.0, 100.0), (100.0, 100.0)]);
        let mut clipper = Clipper::default();
        assert!(clipper.clip(OnScreen::Polygon, &polygon, &clockwise).is_empty());
        assert_eq!(clipper.clip(OnScreen::Polygon, &polygon, &full_screen(SIZE)), polygon);
    }

    #[test]
    fn example_17_a_region_has_at_most_31_corners() {
        let angle = |i: i32| -(i as f32) * std::f32::consts::TAU / 40.0;
        let polygon: Vec<_> =
            (0..40).map(|i| (300.0 + 200.0 * angle(i).cos(), 300.0 + 200.0 * angle(i).sin())).collect();
        assert_eq!(store(&polygon).unwrap().len(), 31);
    }

    #[test]
    fn a_region_that_turns_both_ways_becomes_its_hull() {
        // An arrow head: the inner corner would cut away its flanks.
        let arrow = [(100.0, 400.0), (300.0, 350.0), (500.0, 400.0), (300.0, 100.0)];
        let hull = store(&arrow).unwrap();
        assert_eq!(hull, [(100.0, 400.0), (500.0, 400.0), (300.0, 100.0)].map(Vec2::from));
        assert!(!has_mixed_turns(&hull));
    }

    #[test]
    fn what_cannot_be_computed_covers_the_whole_region() {
        let region = full_screen(SIZE);
        let mut clipper = Clipper::default();
        assert_eq!(clipper.clip(OnScreen::Everything, &[], &region).len(), 4);
        let mut out = Vec::new();
        assert!(clipper.store(SIZE, &mut out));
        assert_eq!(out, region);
    }

    #[test]
    fn the_far_ends_of_an_edge_do_not_disturb_where_it_crosses_a_line() {
        // From 0.2 mm in front of the eye to a kilometre away; it crosses the left border.
        let polygon = [
            Vec4::new(-60.0, 0.06, 0.0, 0.0002),
            Vec4::new(500_000.0, 590_000.0, 0.0, 1000.0),
            Vec4::new(500_000.0, 10_000.0, 0.0, 1000.0),
        ];
        let mut clipper = Clipper::default();
        let left = clipper.clip(OnScreen::Polygon, &polygon, &full_screen(SIZE)).to_vec();
        assert!(left.len() >= 3);
        for p in left {
            let pixel = Vec2::new(p.x, p.y) / p.w;
            assert!(
                p.w > 0.0 && pixel.cmpge(Vec2::splat(-0.1)).all() && pixel.cmple(SIZE + 0.1).all(),
                "{p}"
            );
        }
    }
}
