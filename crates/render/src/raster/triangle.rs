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

/// A corner in 1/256 pixels, and 1/w there.
#[derive(Clone, Copy)]
struct Corner {
    x: i32,
    y: i32,
    inverse: f64,
}

impl Corner {
    #[inline(always)]
    fn new(v: &ScreenVertex) -> Option<Corner> {
        let inverse = 1.0 / f64::from(v.w);
        let (x, y) = (f64::from(v.x) * inverse, f64::from(v.y) * inverse);
        // Also false for NaN.
        let is_near = |c: f64| c.abs() <= f64::from(GUARD) * 1.01;
        (is_near(x) && is_near(y)).then(|| Corner { x: fixed(x), y: fixed(y), inverse })
    }

    /// What is interpolated; `None` if some of it is not finite.
    #[inline(always)]
    fn attributes(&self, v: &ScreenVertex) -> Option<[f64; ATTRIBUTES]> {
        let values = [1.0, v.uv[0], v.uv[1], v.light[0], v.light[1], v.light[2], v.clear];
        let attributes = values.map(|a| f64::from(a) * self.inverse);
        attributes.iter().all(|a| a.is_finite()).then_some(attributes)
    }
}

/// Rounds pixels to 1/256, halves to even.
#[inline(always)]
fn fixed(pixels: f64) -> i32 {
    /// Adding this leaves the integer in the low bits of the sum.
    const MAGIC: f64 = 6_755_399_441_055_744.0;
    (pixels * f64::from(1 << SUBPIXEL_BITS) + MAGIC).to_bits() as i32
}

/// Where a triangle is on the screen. Most triangles end here, so their attributes come later.
pub(super) struct Outline {
    corners: [Corner; 3],
    /// Whether the second and third corner were swapped, so that it turns the right way.
    is_swapped: bool,
    /// Pixels that may be covered.
    covered: Rect,
}

impl Outline {
    /// The outline of a clipped triangle; `None` when it faces away, covers no pixel or has a NaN.
    #[inline(always)]
    pub(super) fn new(vertices: [&ScreenVertex; 3], facing: Facing, bounds: Rect) -> Option<Outline> {
        let (a, mut b, mut c) =
            (Corner::new(vertices[0])?, Corner::new(vertices[1])?, Corner::new(vertices[2])?);
        // Rows grow downwards, so what turns counter-clockwise for the viewer has a negative area here.
        let area = |a: &Corner, b: &Corner, c: &Corner| {
            i64::from(b.x - a.x) * i64::from(c.y - a.y) - i64::from(b.y - a.y) * i64::from(c.x - a.x)
        };
        let twice = -area(&a, &b, &c);
        let is_swapped = twice < 0 && facing == Facing::Both;
        if is_swapped {
            std::mem::swap(&mut b, &mut c);
        } else if twice <= 0 {
            return None;
        }
        let low = |v: i32| (v - 128 + 255) >> SUBPIXEL_BITS;
        let high = |v: i32| (v - 128) >> SUBPIXEL_BITS;
        let own = Rect {
            min: (low(a.x.min(b.x).min(c.x)), low(a.y.min(b.y).min(c.y))),
            max: (high(a.x.max(b.x).max(c.x)), high(a.y.max(b.y).max(c.y))),
        };
        let covered = own.within(bounds);
        (!covered.is_empty()).then_some(Outline { corners: [a, b, c], is_swapped, covered })
    }
}

impl Triangle {
    /// Prepares a triangle; `None` when an attribute is not finite.
    #[inline(always)]
    pub(super) fn new(outline: &Outline, vertices: [&ScreenVertex; 3], fill: u32) -> Option<Triangle> {
        let [va, vb, vc] = vertices;
        let (vb, vc) = if outline.is_swapped { (vc, vb) } else { (vb, vc) };
        let [a, b, c] = &outline.corners;
        let attributes = [a.attributes(va)?, b.attributes(vb)?, c.attributes(vc)?];
        let Rect { min, max } = outline.covered;
        let edges = [edge(a, b), edge(b, c), edge(c, a)];
        let slopes = slopes([a, b, c], &attributes, min);
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
fn slopes(corners: [&Corner; 3], attributes: &[[f64; ATTRIBUTES]; 3], reference: (i32, i32)) -> Slopes {
    let scale = 1.0 / f64::from(1 << SUBPIXEL_BITS);
    let point = |c: &Corner| (f64::from(c.x) * scale, f64::from(c.y) * scale);
    let [a, b, c] = corners.map(point);
    let (x1, y1, x2, y2) = (b.0 - a.0, b.1 - a.1, c.0 - a.0, c.1 - a.1);
    let inverse = 1.0 / (x1 * y2 - x2 * y1);
    let (rx, ry) = (f64::from(reference.0) + 0.5 - a.0, f64::from(reference.1) + 0.5 - a.1);
    let mut slopes = Slopes { value: [0.0; ATTRIBUTES], dx: [0.0; ATTRIBUTES], dy: [0.0; ATTRIBUTES] };
    let [at_a, at_b, at_c] = attributes;
    for i in 0..ATTRIBUTES {
        let v = at_a[i];
        let (d1, d2) = (at_b[i] - v, at_c[i] - v);
        let dx = (d1 * y2 - d2 * y1) * inverse;
        let dy = (d2 * x1 - d1 * x2) * inverse;
        slopes.value[i] = (v + dx * rx + dy * ry) as f32;
        (slopes.dx[i], slopes.dy[i]) = (dx as f32, dy as f32);
    }
    slopes
}
