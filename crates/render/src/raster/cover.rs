//! Which pixels of a tile a triangle covers.

use super::{TILE, triangle::Triangle};
use crate::texture::RUN;
use std::ops::Range;

/// Columns of one row of a tile, from the first to before the end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) first: u8,
    pub(super) end: u8,
}

impl Span {
    /// The columns.
    #[inline(always)]
    pub(super) fn columns(self) -> Range<usize> {
        usize::from(self.first)..usize::from(self.end)
    }

    /// The runs that have some of the columns.
    #[inline(always)]
    pub(super) fn runs(self) -> Range<usize> {
        usize::from(self.first) / RUN..usize::from(self.end).div_ceil(RUN)
    }
}

/// Calls `row` with the rows of the tile at `origin` that a triangle may cover, from top to bottom, and the columns that
/// it covers in each.
#[inline(always)]
pub(super) fn rows(triangle: &Triangle, origin: (i32, i32), mut row: impl FnMut(usize, Span)) {
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
    let left = x0 - origin.0;
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
        let span = if low > high {
            Span { first: 0, end: 0 }
        } else {
            Span { first: (left + low) as u8, end: (left + high + 1) as u8 }
        };
        row((y - origin.1) as usize, span);
    }
}
