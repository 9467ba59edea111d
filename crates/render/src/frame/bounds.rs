//! The rectangle of the picture in which something can be visible.
//!
//! Meshes are never clipped to openings: depth alone decides what is visible. But everything outside the rectangle around
//! the openings will be covered by walls, and need not be drawn first.

use crate::raster::Rect;
use std::collections::HashMap;
use threshold_view::{FloodSource, FramePlan, Span};
use threshold_world::CellId;

/// Rectangles of cells. A cell's walls are drawn once although several traversals may reach it, so the regions of all
/// of them count; those from the viewer's own cell come after the landscape and count apart.
#[derive(Default)]
pub(super) struct CellBounds {
    rects: HashMap<(CellId, bool), Rect>,
}

impl CellBounds {
    /// Finds the rectangles of a plan.
    pub(super) fn survey(&mut self, plan: &FramePlan) {
        self.rects.clear();
        for flood in &plan.floods {
            let from_viewer = flood.source == FloodSource::Viewer;
            for cell in &plan.cells[flood.cells.range()] {
                let rect = self.rects.entry((cell.id, from_viewer)).or_insert(Rect::NOTHING);
                *rect = rect.around(of_views(plan, cell.views));
            }
        }
    }

    /// Where a cell's walls can show.
    pub(super) fn get(&self, cell: CellId, from_viewer: bool) -> Rect {
        self.rects.get(&(cell, from_viewer)).copied().unwrap_or(Rect::ALL)
    }
}

/// The rectangle around some regions, with a pixel to spare on each side.
pub(super) fn of_views(plan: &FramePlan, views: Span) -> Rect {
    let mut rect = Rect::NOTHING;
    for view in plan.views(views) {
        for point in plan.pixels(view) {
            let (x, y) = (point.x as i32, point.y as i32);
            rect = rect.around(Rect { min: (x - 1, y - 1), max: (x + 1, y + 1) });
        }
    }
    rect
}
