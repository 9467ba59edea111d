//! Filling triangles inside one tile.

use super::{
    Fill, TILE,
    state::{Blend, Depth, DrawState, blend, mul255},
    triangle::{ATTRIBUTES, Slope, Triangle},
};
use crate::texture::Texture;

/// One square of the picture. Depth is 1/w: nearer is greater, and nothing is farther than 0.
#[derive(Clone, Debug)]
pub(super) struct Tile {
    pub(super) color: Box<[u32]>,
    pub(super) depth: Box<[f32]>,
}

impl Tile {
    pub(super) fn new() -> Tile {
        Tile { color: vec![0; TILE * TILE].into(), depth: vec![0.0; TILE * TILE].into() }
    }
}

/// What a fill needs besides the triangle.
pub(super) struct Paint<'a> {
    pub(super) fill: Fill,
    pub(super) texture: &'a Texture,
    pub(super) fog_color: u32,
}

/// Values of all attributes at the start of a row, and their change per pixel.
struct Row {
    start: [f32; ATTRIBUTES],
    dx: [f32; ATTRIBUTES],
}

impl Row {
    #[inline(always)]
    fn at(&self, attribute: usize, x: f32) -> f32 {
        self.start[attribute] + self.dx[attribute] * x
    }
}

/// Draws the part of a triangle that lies in the tile whose first pixel is `origin`.
pub(super) fn fill(tile: &mut Tile, origin: (i32, i32), triangle: &Triangle, paint: &Paint) {
    let side = TILE as i32 - 1;
    let (x0, y0) = (triangle.min.0.max(origin.0), triangle.min.1.max(origin.1));
    let (x1, y1) = (triangle.max.0.min(origin.0 + side), triangle.max.1.min(origin.1 + side));
    if x0 > x1 || y0 > y1 {
        return;
    }
    // Edges that cross the box, as values at its first column of each row; the others accept or reject it whole.
    let mut crossing = [(0i32, 0i32, 0i32); 3];
    let mut count = 0;
    for edge in &triangle.edges {
        let start = edge.at(x0, y0);
        let (across, down) = (i64::from(edge.a) * i64::from(x1 - x0), i64::from(edge.b) * i64::from(y1 - y0));
        if start + across.max(0) + down.max(0) < 0 {
            return;
        }
        if start + across.min(0) + down.min(0) < 0 {
            crossing[count] = (edge.a, edge.b, start as i32);
            count += 1;
        }
    }
    let crossing = &crossing[..count];
    let (ox, oy) = (f64::from(origin.0 - triangle.reference.0), f64::from(origin.1 - triangle.reference.1));
    let corner = |s: &Slope| (f64::from(s.value) + f64::from(s.dx) * ox + f64::from(s.dy) * oy) as f32;
    let base: [f32; ATTRIBUTES] = std::array::from_fn(|i| corner(&triangle.slopes[i]));
    let dx: [f32; ATTRIBUTES] = std::array::from_fn(|i| triangle.slopes[i].dx);
    let dy: [f32; ATTRIBUTES] = std::array::from_fn(|i| triangle.slopes[i].dy);
    for y in y0..=y1 {
        let (mut low, mut high) = (0, x1 - x0);
        for &(a, b, start) in crossing {
            let value = start + b * (y - y0);
            if a > 0 {
                if value < 0 {
                    low = low.max((a - 1 - value) / a);
                }
            } else if value < 0 {
                high = -1;
            } else if a < 0 {
                high = high.min(value / -a);
            }
        }
        if low > high {
            continue;
        }
        let row_y = y - origin.1;
        let first = (x0 - origin.0 + low) as usize;
        let last = (x0 - origin.0 + high) as usize;
        let row = Row { start: std::array::from_fn(|i| base[i] + dy[i] * row_y as f32), dx };
        let at = row_y as usize * TILE;
        let color = &mut tile.color[at + first..=at + last];
        let depth = &mut tile.depth[at + first..=at + last];
        match paint.fill {
            Fill::Seal => {
                for (i, depth) in depth.iter_mut().enumerate() {
                    *depth = row.at(0, (first + i) as f32);
                }
            }
            Fill::Punch { depth: punch } => depth.fill(punch),
            Fill::Surface { state, .. } => {
                let slopes = Derivatives { dx: [dx[0], dx[1], dx[2]], dy: [dy[0], dy[1], dy[2]] };
                let plain = state.blend == Blend::Opaque && state.alpha_ref == 0;
                match (plain, state.fog) {
                    (true, false) => span::<true, false>(&row, &slopes, first, state, paint, color, depth),
                    (true, true) => span::<true, true>(&row, &slopes, first, state, paint, color, depth),
                    (false, false) => span::<false, false>(&row, &slopes, first, state, paint, color, depth),
                    (false, true) => span::<false, true>(&row, &slopes, first, state, paint, color, depth),
                }
            }
        }
    }
}

/// Change of 1/w, u/w and v/w from pixel to pixel: what the footprint of a pixel on the texture follows from.
struct Derivatives {
    dx: [f32; 3],
    dy: [f32; 3],
}

impl Derivatives {
    /// Squared texels that one step across or down covers, whichever is more.
    #[inline(always)]
    fn footprint(&self, u: f32, v: f32, w: f32, size: (f32, f32)) -> f32 {
        let step = |d: &[f32; 3]| {
            let du = (d[1] - u * d[0]) * w * size.0;
            let dv = (d[2] - v * d[0]) * w * size.1;
            du * du + dv * dv
        };
        let (across, down) = (step(&self.dx), step(&self.dy));
        if across > down { across } else { down }
    }
}

/// Rounds a number between 0 and 255; smaller, larger or no number is brought into that range.
#[inline(always)]
fn byte(x: f32) -> u32 {
    const MAGIC: f32 = 12_582_912.0;
    (x.max(0.0).min(255.0) + MAGIC).to_bits() & 0xFF
}

#[inline(always)]
fn span<const PLAIN: bool, const FOG: bool>(
    row: &Row,
    slopes: &Derivatives,
    first: usize,
    state: DrawState,
    paint: &Paint,
    color: &mut [u32],
    depth: &mut [f32],
) {
    let test = state.depth != Depth::Ignore;
    let write = state.depth == Depth::TestAndWrite;
    let size = (paint.texture.width() as f32, paint.texture.height() as f32);
    let fog = paint.fog_color.to_le_bytes().map(u32::from);
    for (i, (color, depth)) in color.iter_mut().zip(depth.iter_mut()).enumerate() {
        let x = (first + i) as f32;
        let q = row.at(0, x);
        if test && q <= *depth {
            continue;
        }
        let w = 1.0 / q;
        let (u, v) = (row.at(1, x) * w, row.at(2, x) * w);
        let rho = slopes.footprint(u, v, w, size);
        let texel = paint.texture.sample(u, v, rho, state.address);
        let alpha = if PLAIN { 255 } else { mul255((texel >> 48) as u32, u32::from(state.opacity)) };
        if !PLAIN && alpha < u32::from(state.alpha_ref) {
            continue;
        }
        if write {
            *depth = q;
        }
        let lit = |channel: usize| {
            let light = byte(row.at(3 + channel, x) * w * 255.0);
            mul255((texel >> (16 * channel)) as u32 & 0xFF, light)
        };
        let mut rgb = [lit(0), lit(1), lit(2)];
        if FOG {
            let clear = byte(row.at(6, x) * w * 255.0);
            rgb = std::array::from_fn(|i| mul255(rgb[i], clear) + mul255(fog[i], 255 - clear));
        }
        *color = if PLAIN {
            rgb[0] | rgb[1] << 8 | rgb[2] << 16 | 0xFF00_0000
        } else {
            blend(state.blend, rgb, alpha, *color)
        };
    }
}
