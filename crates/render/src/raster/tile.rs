//! One tile of the picture. Each opaque pixel of it is shaded once.
//!
//! The plan draws far to near, so most of what is drawn is covered again later. Opaque triangles therefore only write
//! their depth and a number into the pixels they cover. Those pixels are shaded at the end of the tile, or earlier when
//! something is blended over them.

use super::{
    Batch, CLEAR_DEPTH, Fill, TILE, TextureIndex,
    cover::{Span, rows},
    shade::{Lanes, Shader},
    state::Depth,
    triangle::{ATTRIBUTES, Triangle},
};
use crate::texture::{RUN, Texture};

/// What the triangles of a picture refer to.
pub(super) struct Sources<'a, 't> {
    pub(super) batches: &'a [Batch],
    pub(super) textures: &'a (dyn Fn(TextureIndex) -> &'t Texture + Sync),
    pub(super) fog_color: u32,
}

/// One square of the picture. Depth is 1/w: nearer is greater, and nothing is farther than 0.
#[derive(Clone, Debug)]
pub(super) struct Tile {
    /// Finished colours, whose alpha is always 255, and numbers of pieces still to be shaded, which are smaller.
    pub(super) color: Box<[u32]>,
    pub(super) depth: Box<[f32]>,
    pending: Pending,
}

/// The smallest value of a pixel that is a colour.
const FIRST_COLOR: u32 = 0xFF00_0000;

/// Most pieces that may be pending; at this number all pixels are shaded. Bounds the memory.
const MAX_PIECES: usize = TILE * TILE;

/// Opaque triangles that may have pixels still to be shaded.
#[derive(Clone, Debug, Default)]
struct Pending {
    pieces: Vec<Piece>,
    /// The rows of each piece.
    spans: Vec<Span>,
}

/// The part of a triangle inside the tile.
#[derive(Clone, Debug)]
struct Piece {
    batch: u32,
    triangle: u32,
    /// Its first row, and the index of that row's span.
    top: u32,
    spans: u32,
    /// Attributes at the tile's first pixel.
    corner: [f32; ATTRIBUTES],
}

impl Tile {
    pub(super) fn new() -> Tile {
        Tile {
            color: vec![0; TILE * TILE].into(),
            depth: vec![0.0; TILE * TILE].into(),
            pending: Pending::default(),
        }
    }

    /// Draws what the batches have sorted into the tile with a number, whose first pixel is `origin`.
    pub(super) fn draw(&mut self, number: usize, origin: (i32, i32), clear: u32, sources: &Sources) {
        self.color.fill(clear | FIRST_COLOR);
        self.depth.fill(0.0);
        for (batch_number, batch) in sources.batches.iter().enumerate() {
            for &entry in &batch.bins[number] {
                if entry == CLEAR_DEPTH {
                    self.depth.fill(0.0);
                    continue;
                }
                let triangle = &batch.triangles[entry as usize];
                match batch.fills[triangle.fill as usize] {
                    Fill::Seal => self.seal(origin, triangle),
                    Fill::Punch { depth } => rows(triangle, origin, |y, span| {
                        self.depth[y * TILE..][span.columns()].fill(depth);
                    }),
                    Fill::Surface { state, .. } if state.is_plain() => {
                        self.cover(origin, triangle, state.depth, (batch_number as u32, entry), sources);
                    }
                    Fill::Surface { .. } => self.blend(origin, triangle, batch, sources),
                }
            }
        }
        self.shade_pending(sources);
    }

    /// Sets depth to the triangle's own.
    fn seal(&mut self, origin: (i32, i32), triangle: &Triangle) {
        let corner = triangle.at_corner(origin)[0];
        let (dx, dy) = (triangle.slopes.dx[0], triangle.slopes.dy[0]);
        rows(triangle, origin, |y, span| {
            let start = corner + dy * y as f32;
            for (depth, x) in self.depth[y * TILE..][span.columns()].iter_mut().zip(i32::from(span.first)..) {
                *depth = start + dx * x as f32;
            }
        });
    }

    /// Writes the number of an opaque triangle, and its depth, into the pixels where it is visible so far.
    fn cover(
        &mut self,
        origin: (i32, i32),
        triangle: &Triangle,
        test: Depth,
        (batch, index): (u32, u32),
        sources: &Sources,
    ) {
        if self.pending.pieces.len() == MAX_PIECES {
            self.shade_pending(sources);
        }
        let Tile { color, depth, pending: Pending { pieces, spans } } = self;
        let corner = triangle.at_corner(origin);
        let (dx, dy) = (triangle.slopes.dx[0], triangle.slopes.dy[0]);
        let number = pieces.len() as u32;
        let (first_span, mut top, mut shows) = (spans.len(), None, false);
        rows(triangle, origin, |y, span| {
            top.get_or_insert(y as u32);
            spans.push(span);
            let start = corner[0] + dy * y as f32;
            let color = &mut color[y * TILE..][span.columns()];
            let depth = &mut depth[y * TILE..][span.columns()];
            let pixels = color.iter_mut().zip(depth).zip(i32::from(span.first)..);
            match test {
                Depth::TestAndWrite => pixels.for_each(|((color, depth), x)| {
                    let q = start + dx * x as f32;
                    let nearer = q > *depth;
                    *color = if nearer { number } else { *color };
                    *depth = if nearer { q } else { *depth };
                    shows |= nearer;
                }),
                Depth::Test => pixels.for_each(|((color, depth), x)| {
                    let nearer = start + dx * x as f32 > *depth;
                    *color = if nearer { number } else { *color };
                    shows |= nearer;
                }),
                Depth::Ignore => {
                    shows |= !color.is_empty();
                    color.fill(number);
                }
            }
        });
        match top {
            Some(top) if shows => {
                pieces.push(Piece { batch, triangle: index, top, spans: first_span as u32, corner });
            }
            _ => spans.truncate(first_span),
        }
    }

    /// Mixes a triangle with what is there, in its turn.
    fn blend(&mut self, origin: (i32, i32), triangle: &Triangle, batch: &Batch, sources: &Sources) {
        let Tile { color, depth, pending } = self;
        let corner = triangle.at_corner(origin);
        let Some(shader) = Shader::new(triangle, &corner, batch, sources) else { return };
        rows(triangle, origin, |y, span| {
            let row = shader.row(y);
            let colors = color[y * TILE..][..TILE].as_chunks_mut::<RUN>().0;
            let depths = depth[y * TILE..][..TILE].as_chunks_mut::<RUN>().0;
            for run in span.runs() {
                let (color, depth) = (&mut colors[run], &mut depths[run]);
                let lanes = row.test(Lanes::new(span, run), depth);
                if lanes.mask != 0 {
                    pending.shade(color, lanes.mask, (run, y), sources);
                    row.blend(&lanes, color, depth);
                }
            }
        });
    }

    /// Shades all pending pixels.
    fn shade_pending(&mut self, sources: &Sources) {
        if !self.pending.pieces.is_empty() {
            let runs = self.color.as_chunks_mut::<RUN>().0;
            for (i, color) in runs.iter_mut().enumerate() {
                self.pending.shade(color, 0xFF, (i % (TILE / RUN), i / (TILE / RUN)), sources);
            }
        }
        self.pending.pieces.clear();
        self.pending.spans.clear();
    }
}

impl Pending {
    /// Shades the pending pixels of a run that are in `mask`.
    #[inline]
    fn shade(&self, color: &mut [u32; RUN], mask: u32, (run, y): (usize, usize), sources: &Sources) {
        // Most runs are all of one piece, or finished.
        let first = color[0];
        if color.iter().fold(0, |differences, pixel| differences | (pixel ^ first)) == 0 {
            if first < FIRST_COLOR {
                self.shade_piece(first, color, mask, (run, y), sources);
            }
            return;
        }
        let mut rest = mask & lanes_where(color, |pixel| pixel < FIRST_COLOR);
        while rest != 0 {
            let number = color[rest.trailing_zeros() as usize & (RUN - 1)];
            let same = rest & lanes_where(color, |pixel| pixel == number);
            rest &= !same;
            self.shade_piece(number, color, same, (run, y), sources);
        }
    }

    /// Shades the pixels of a run that are in `mask`, all of one piece.
    fn shade_piece(
        &self,
        number: u32,
        color: &mut [u32; RUN],
        mask: u32,
        (run, y): (usize, usize),
        sources: &Sources,
    ) {
        let piece = &self.pieces[number as usize];
        let batch = &sources.batches[piece.batch as usize];
        let triangle = &batch.triangles[piece.triangle as usize];
        let span = self.spans[piece.spans as usize + y - piece.top as usize];
        if let Some(shader) = Shader::new(triangle, &piece.corner, batch, sources) {
            let lanes = Lanes::new(span, run).with_mask(mask);
            shader.row(y).shade(&lanes, color);
        }
    }
}

/// The pixels of a run that satisfy a condition, as a mask.
#[inline(always)]
fn lanes_where(run: &[u32; RUN], condition: impl Fn(u32) -> bool) -> u32 {
    (0..RUN).fold(0, |bits, i| bits | u32::from(condition(run[i])) << i)
}
