//! Filling triangles inside one tile.

use super::{
    Fill, TILE,
    state::{Blend, Depth, DrawState, blend, mul255},
    triangle::{ATTRIBUTES, Slope, Triangle},
};
use crate::texture::{Address, RUN, SHIFTS, Texture, pixels, round};

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
        match paint.fill {
            Fill::Seal => {
                for (i, depth) in tile.depth[at + first..=at + last].iter_mut().enumerate() {
                    *depth = row.at(0, (first + i) as f32);
                }
            }
            Fill::Punch { depth } => tile.depth[at + first..=at + last].fill(depth),
            Fill::Surface { state, .. } => {
                let slopes = Derivatives { dx: [dx[0], dx[1], dx[2]], dy: [dy[0], dy[1], dy[2]] };
                let color = &mut tile.color[at..at + TILE];
                let depth = &mut tile.depth[at..at + TILE];
                let plain = state.blend == Blend::Opaque && state.alpha_ref == 0;
                let span = match (plain, state.fog) {
                    (true, false) => span::<true, false>,
                    (true, true) => span::<true, true>,
                    (false, false) => span::<false, false>,
                    (false, true) => span::<false, true>,
                };
                span(&row, &slopes, (first, last), state, paint, color, depth);
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

/// Brings a number into a range; NaN becomes the lower end.
#[inline(always)]
#[allow(clippy::manual_clamp, reason = "clamp lets NaN through")]
fn between(x: f32, low: f32, high: f32) -> f32 {
    x.max(low).min(high)
}

/// Bytes of a run of fractions; what is out of range is brought into it.
#[inline(always)]
fn bytes(start: f32, dx: f32, x: &[f32; RUN], w: &[f32; RUN]) -> [u32; RUN] {
    std::array::from_fn(|i| round(between((start + dx * x[i]) * w[i] * 255.0, 0.0, 255.0)) as u32)
}

/// Fills the pixels from `first` to `last` of a row, in runs that begin at multiples of [`RUN`].
#[inline(always)]
fn span<const PLAIN: bool, const FOG: bool>(
    row: &Row,
    slopes: &Derivatives,
    (first, last): (usize, usize),
    state: DrawState,
    paint: &Paint,
    color: &mut [u32],
    depth: &mut [f32],
) {
    let size = (paint.texture.width() as f32, paint.texture.height() as f32);
    let fog = paint.fog_color.to_le_bytes().map(u32::from);
    let write = state.depth == Depth::TestAndWrite;
    let runs = color.chunks_exact_mut(RUN).zip(depth.chunks_exact_mut(RUN)).enumerate();
    for (run, (color, depth)) in runs.take(last / RUN + 1).skip(first / RUN) {
        let start = run * RUN;
        let (low, high) = (first.max(start) - start, last.min(start + RUN - 1) - start);
        let mut mask = (0xFFu32 >> (RUN - 1 - high)) & (0xFF << low);
        let x: [f32; RUN] = std::array::from_fn(|i| (start + i) as f32);
        let q: [f32; RUN] = std::array::from_fn(|i| row.at(0, x[i]));
        if state.depth != Depth::Ignore {
            let nearer = (0..RUN).fold(0, |bits, i| bits | u32::from(q[i] > depth[i]) << i);
            mask &= nearer;
        }
        if mask == 0 {
            continue;
        }
        let w: [f32; RUN] = std::array::from_fn(|i| 1.0 / q[i]);
        let mut u: [f32; RUN] = std::array::from_fn(|i| row.at(1, x[i]) * w[i]);
        let mut v: [f32; RUN] = std::array::from_fn(|i| row.at(2, x[i]) * w[i]);
        let middle = (low + high) / 2;
        let rho = slopes.footprint(u[middle], v[middle], w[middle], size);
        match state.address {
            // Whole repetitions do not matter; near zero they do not use up precision either.
            Address::Wrap => {
                let (whole_u, whole_v) = ((u[middle] as i32) as f32, (v[middle] as i32) as f32);
                u.iter_mut().for_each(|u| *u -= whole_u);
                v.iter_mut().for_each(|v| *v -= whole_v);
            }
            Address::Clamp => {
                u.iter_mut().for_each(|u| *u = between(*u, -1.0, 2.0));
                v.iter_mut().for_each(|v| *v = between(*v, -1.0, 2.0));
            }
        }
        let mut texels = [0; RUN];
        paint.texture.sample(&u, &v, rho, state.address, mask, &mut texels);
        let light: [[u32; RUN]; 3] = std::array::from_fn(|c| bytes(row.start[3 + c], row.dx[3 + c], &x, &w));
        let clear = if FOG { bytes(row.start[6], row.dx[6], &x, &w) } else { [255; RUN] };
        for i in pixels(mask) {
            let texel = texels[i];
            let channel = |c: usize| (texel >> SHIFTS[c]) as u32 & 0xFF;
            let alpha = if PLAIN { 255 } else { mul255(channel(3), u32::from(state.opacity)) };
            if !PLAIN && alpha < u32::from(state.alpha_ref) {
                continue;
            }
            if write {
                depth[i] = q[i];
            }
            let mut rgb: [u32; 3] = std::array::from_fn(|c| mul255(channel(c), light[c][i]));
            if FOG {
                let mut haze = 255 - clear[i];
                // What a clip map leaves open has no colour to be mixed with, and so takes no fog either.
                if !PLAIN && state.blend == Blend::Clip {
                    haze = mul255(haze, alpha);
                }
                rgb = std::array::from_fn(|c| mul255(rgb[c], clear[i]) + mul255(fog[c], haze));
            }
            color[i] = if PLAIN {
                rgb[0] | rgb[1] << 8 | rgb[2] << 16 | 0xFF00_0000
            } else {
                blend(state.blend, rgb, alpha, color[i])
            };
        }
    }
}
