//! Triangle setup: edges in exact integers, attributes as planes over the screen.

use super::{
    Rect,
    clip::{GUARD, ScreenVertex},
};

/// Fractions of a pixel that vertices are rounded to: 1/256.
const SUBPIXEL_BITS: u32 = 8;

/// `a·x + b·y + c ≥ 0` for the pixels (x, y) inside; the fill rule is folded into `c`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) a: i32,
    pub(super) b: i32,
    pub(super) c: i64,
}

impl Edge {
    /// Value at a pixel.
    #[inline(always)]
    pub(super) fn at(&self, x: i32, y: i32) -> i64 {
        i64::from(self.a) * i64::from(x) + i64::from(self.b) * i64::from(y) + self.c
    }
}

/// 1/w, then u/w, v/w, red/w, green/w, blue/w, fog/w.
pub(super) const ATTRIBUTES: usize = 7;

/// All attributes at the triangle's reference pixel, and their change per pixel.
#[derive(Clone, Debug)]
pub(super) struct Slopes {
    value: [f32; ATTRIBUTES],
    pub(super) dx: [f32; ATTRIBUTES],
    pub(super) dy: [f32; ATTRIBUTES],
}

/// A triangle ready to be filled.
#[derive(Clone, Debug)]
pub(super) struct Triangle {
    pub(super) edges: [Edge; 3],
    /// First and last column and row of pixels that may be covered, inclusive.
    pub(super) min: (i32, i32),
    pub(super) max: (i32, i32),
    /// The pixel at which `slopes` hold their values.
    reference: (i32, i32),
    pub(super) slopes: Slopes,
    /// Which fill it belongs to.
    pub(super) fill: u32,
}

/// Whether triangles that turn clockwise on the screen are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Facing {
    /// Only those that turn counter-clockwise.
    Front,
    /// All.
    Both,
}

struct Corner {
    x: i32,
    y: i32,
    attributes: [f64; ATTRIBUTES],
}

impl Corner {
    fn new(v: &ScreenVertex) -> Option<Corner> {
        let inverse = 1.0 / f64::from(v.w);
        let fixed = |c: f32| {
            let c = f64::from(c) * inverse;
            (c.abs() <= f64::from(GUARD) * 1.01).then(|| libm::rint(c * f64::from(1 << SUBPIXEL_BITS)) as i32)
        };
        let values = [1.0, v.uv[0], v.uv[1], v.light[0], v.light[1], v.light[2], v.clear];
        let attributes = values.map(|a| f64::from(a) * inverse);
        if !attributes.iter().all(|a| a.is_finite()) {
            return None;
        }
        Some(Corner { x: fixed(v.x)?, y: fixed(v.y)?, attributes })
    }
}

impl Triangle {
    /// Prepares a clipped triangle; `None` when it faces away, covers no pixel or has a NaN.
    pub(super) fn new(
        corners: [&ScreenVertex; 3],
        facing: Facing,
        bounds: Rect,
        fill: u32,
    ) -> Option<Triangle> {
        let [a, b, c] = corners.map(Corner::new);
        let (a, mut b, mut c) = (a?, b?, c?);
        // Rows grow downwards, so what turns counter-clockwise for the viewer has a negative area here.
        let area = |a: &Corner, b: &Corner, c: &Corner| {
            i64::from(b.x - a.x) * i64::from(c.y - a.y) - i64::from(b.y - a.y) * i64::from(c.x - a.x)
        };
        let mut twice = -area(&a, &b, &c);
        if twice < 0 && facing == Facing::Both {
            std::mem::swap(&mut b, &mut c);
            twice = -twice;
        }
        if twice <= 0 {
            return None;
        }
        let low = |v: i32| (v - 128 + 255) >> SUBPIXEL_BITS;
        let high = |v: i32| (v - 128) >> SUBPIXEL_BITS;
        let own = Rect {
            min: (low(a.x.min(b.x).min(c.x)), low(a.y.min(b.y).min(c.y))),
            max: (high(a.x.max(b.x).max(c.x)), high(a.y.max(b.y).max(c.y))),
        };
        let covered = own.within(bounds);
        if covered.is_empty() {
            return None;
        }
        let Rect { min, max } = covered;
        let edges = [edge(&a, &b), edge(&b, &c), edge(&c, &a)];
        let slopes = slopes([&a, &b, &c], min);
        Some(Triangle { edges, min, max, reference: min, slopes, fill })
    }

    /// All attributes at the first pixel of a tile.
    #[inline(always)]
    pub(super) fn at_corner(&self, origin: (i32, i32)) -> [f32; ATTRIBUTES] {
        let Slopes { value, dx, dy } = &self.slopes;
        let (x, y) = (f64::from(origin.0 - self.reference.0), f64::from(origin.1 - self.reference.1));
        std::array::from_fn(|i| (f64::from(value[i]) + f64::from(dx[i]) * x + f64::from(dy[i]) * y) as f32)
    }
}

/// The half plane to the left of `from → to` for a viewer, pixel centres exactly on a top or left edge included.
fn edge(from: &Corner, to: &Corner) -> Edge {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    // E(p) = dy·(p.x − from.x) − dx·(p.y − from.y), with p the pixel's centre in 1/256 pixels.
    let half = i64::from(1 << (SUBPIXEL_BITS - 1));
    let at_origin = i64::from(dy) * (half - i64::from(from.x)) - i64::from(dx) * (half - i64::from(from.y));
    // Counter-clockwise with rows downwards: left edges run down, top edges run left.
    let inclusive = dy > 0 || (dy == 0 && dx < 0);
    let bias = if inclusive { 0 } else { -1 };
    Edge { a: dy, b: -dx, c: (at_origin + bias) >> SUBPIXEL_BITS }
}

/// Planes through the attributes of the three corners, in double precision: thin triangles reach far.
fn slopes(corners: [&Corner; 3], reference: (i32, i32)) -> Slopes {
    let scale = 1.0 / f64::from(1 << SUBPIXEL_BITS);
    let point = |c: &Corner| (f64::from(c.x) * scale, f64::from(c.y) * scale);
    let [a, b, c] = corners.map(point);
    let (x1, y1, x2, y2) = (b.0 - a.0, b.1 - a.1, c.0 - a.0, c.1 - a.1);
    let inverse = 1.0 / (x1 * y2 - x2 * y1);
    let (rx, ry) = (f64::from(reference.0) + 0.5 - a.0, f64::from(reference.1) + 0.5 - a.1);
    let mut slopes = Slopes { value: [0.0; ATTRIBUTES], dx: [0.0; ATTRIBUTES], dy: [0.0; ATTRIBUTES] };
    for i in 0..ATTRIBUTES {
        let v = corners[0].attributes[i];
        let (d1, d2) = (corners[1].attributes[i] - v, corners[2].attributes[i] - v);
        let dx = (d1 * y2 - d2 * y1) * inverse;
        let dy = (d2 * x1 - d1 * x2) * inverse;
        slopes.value[i] = (v + dx * rx + dy * ry) as f32;
        (slopes.dx[i], slopes.dy[i]) = (dx as f32, dy as f32);
    }
    slopes
}
