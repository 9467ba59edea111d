//! Colours of the pixels of a triangle, a run at a time.

use super::{
    Batch, Fill,
    cover::Span,
    light::Light,
    state::{Depth, DrawState},
    tile::Sources,
    triangle::{ATTRIBUTES, Triangle},
};
use crate::texture::{Address, RUN, Texels, Texture, each, round};

/// What a triangle is painted with inside one tile.
pub(super) struct Shader<'a> {
    /// Attributes at the tile's first pixel, and their change from pixel to pixel.
    corner: &'a [f32; ATTRIBUTES],
    dx: &'a [f32; ATTRIBUTES],
    dy: &'a [f32; ATTRIBUTES],
    texture: &'a Texture,
    state: DrawState,
    fog_color: u32,
}

/// Some pixels of a run.
#[derive(Clone, Copy)]
pub(super) struct Lanes {
    /// Column of the first pixel of the run.
    start: usize,
    /// First and last pixel that the triangle covers; what all share is computed between them.
    low: usize,
    high: usize,
    /// Those that are drawn.
    pub(super) mask: u32,
}

impl Lanes {
    /// What a span has of a run; at least one pixel.
    #[inline(always)]
    pub(super) fn new(span: Span, run: usize) -> Lanes {
        let start = run * RUN;
        let columns = span.columns();
        let (low, high) = (columns.start.max(start) - start, (columns.end - 1).min(start + RUN - 1) - start);
        Lanes { start, low, high, mask: (0xFF >> (RUN - 1 - high)) & (0xFF << low) }
    }

    /// Draws some of the pixels only.
    #[inline(always)]
    pub(super) fn with_mask(self, mask: u32) -> Lanes {
        Lanes { mask, ..self }
    }

    /// The columns of all pixels of the run.
    #[inline(always)]
    fn x(&self) -> [f32; RUN] {
        let start = self.start as i32 as f32;
        each(|i| start + i as i32 as f32)
    }
}

impl<'a> Shader<'a> {
    /// What a batch says about one of its triangles; `None` when that is no surface.
    #[inline(always)]
    pub(super) fn new<'t: 'a>(
        triangle: &'a Triangle,
        corner: &'a [f32; ATTRIBUTES],
        batch: &Batch,
        sources: &Sources<'_, 't>,
    ) -> Option<Shader<'a>> {
        let Fill::Surface { texture, state } = batch.fills[triangle.fill as usize] else { return None };
        Some(Shader {
            corner,
            dx: &triangle.slopes.dx,
            dy: &triangle.slopes.dy,
            texture: (sources.textures)(texture),
            state,
            fog_color: sources.fog_color,
        })
    }

    /// The same for one row of the tile.
    #[inline(always)]
    pub(super) fn row(&self, y: usize) -> Row<'_> {
        let y = y as i32 as f32;
        Row { shader: self, start: std::array::from_fn(|i| self.corner[i] + self.dy[i] * y) }
    }

    /// Squared texels that one step across or down covers, whichever is more.
    #[inline(always)]
    fn footprint(&self, u: f32, v: f32, w: f32) -> f32 {
        let size = (self.texture.width() as i32 as f32, self.texture.height() as i32 as f32);
        let step = |d: &[f32; ATTRIBUTES]| {
            let du = (d[1] - u * d[0]) * w * size.0;
            let dv = (d[2] - v * d[0]) * w * size.1;
            du * du + dv * dv
        };
        let (across, down) = (step(self.dx), step(self.dy));
        if across > down { across } else { down }
    }
}

/// One row of a triangle inside a tile.
pub(super) struct Row<'a> {
    shader: &'a Shader<'a>,
    /// Attributes at the tile's first column.
    start: [f32; ATTRIBUTES],
}

impl Row<'_> {
    #[inline(always)]
    fn at(&self, attribute: usize, x: f32) -> f32 {
        self.start[attribute] + self.shader.dx[attribute] * x
    }

    /// Drops the pixels that are not nearer than what is there, if that matters.
    #[inline(always)]
    pub(super) fn test(&self, mut lanes: Lanes, depth: &[f32; RUN]) -> Lanes {
        if self.shader.state.depth != Depth::Ignore {
            let x = lanes.x();
            let nearer = (0..RUN).fold(0, |bits, i| bits | u32::from(self.at(0, x[i]) > depth[i]) << i);
            lanes.mask &= nearer;
        }
        lanes
    }

    /// Paints opaque pixels.
    #[inline(always)]
    pub(super) fn shade(&self, lanes: &Lanes, color: &mut [u32; RUN]) {
        self.paint::<true>(lanes, color);
    }

    /// Mixes pixels with what is there.
    #[inline(always)]
    pub(super) fn blend(&self, lanes: &Lanes, color: &mut [u32; RUN], depth: &mut [f32; RUN]) {
        let drawn = self.paint::<false>(lanes, color);
        if self.shader.state.depth == Depth::TestAndWrite {
            let x = lanes.x();
            for i in 0..RUN {
                depth[i] = if drawn >> i & 1 != 0 { self.at(0, x[i]) } else { depth[i] };
            }
        }
    }

    /// Draws pixels, and returns which of them pass the test of their alpha.
    #[inline(always)]
    fn paint<const PLAIN: bool>(&self, lanes: &Lanes, color: &mut [u32; RUN]) -> u32 {
        let state = self.shader.state;
        let x = lanes.x();
        let w: [f32; RUN] = each(|i| 1.0 / self.at(0, x[i]));
        let u: [f32; RUN] = each(|i| self.at(1, x[i]) * w[i]);
        let v: [f32; RUN] = each(|i| self.at(2, x[i]) * w[i]);
        let middle = ((lanes.low + lanes.high) / 2) & (RUN - 1);
        let (middle_u, middle_v) = (u[middle], v[middle]);
        let rho = self.shader.footprint(middle_u, middle_v, w[middle]);
        let (u, v) = match state.address {
            // Whole repetitions do not matter; near zero they do not use up precision either.
            Address::Wrap => {
                let (whole_u, whole_v) = ((middle_u as i32) as f32, (middle_v as i32) as f32);
                (each(|i| u[i] - whole_u), each(|i| v[i] - whole_v))
            }
            Address::Clamp => (each(|i| between(u[i], -1.0, 2.0)), each(|i| between(v[i], -1.0, 2.0))),
        };
        let light = Light {
            color: [self.bytes(3, &x, &w), self.bytes(4, &x, &w), self.bytes(5, &x, &w)],
            clear: if state.fog { self.bytes(6, &x, &w) } else { [255; RUN] },
            fog_color: self.shader.fog_color,
        };
        let mut texels = Texels::default();
        self.shader.texture.sample(&u, &v, rho, state.address, lanes.mask, &mut texels);
        match (PLAIN, state.fog) {
            (true, false) => light.paint::<true, false>(&texels, state, lanes.mask, color),
            (true, true) => light.paint::<true, true>(&texels, state, lanes.mask, color),
            (false, false) => light.paint::<false, false>(&texels, state, lanes.mask, color),
            (false, true) => light.paint::<false, true>(&texels, state, lanes.mask, color),
        }
    }

    /// An attribute as bytes; what is out of range is brought into it.
    #[inline(always)]
    fn bytes(&self, attribute: usize, x: &[f32; RUN], w: &[f32; RUN]) -> [u16; RUN] {
        each(|i| round(between(self.at(attribute, x[i]) * w[i] * 255.0, 0.0, 255.0)) as u16)
    }
}

/// Brings a number into a range; NaN becomes the lower end.
#[inline(always)]
#[allow(clippy::manual_clamp, reason = "clamp lets NaN through")]
fn between(x: f32, low: f32, high: f32) -> f32 {
    x.max(low).min(high)
}
