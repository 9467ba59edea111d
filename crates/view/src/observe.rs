//! Watching the traversal: why a cell is in the plan, and why another is not.

use crate::FloodSource;
use threshold_world::CellId;

/// The result of clipping a portal against one region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is entirely outside the region.
    Hidden,
    /// The rest is less than a pixel wide.
    Sliver,
    /// The cell behind it is not loaded.
    NotLoaded,
    /// The cell behind it is not in the list of cells that the traversal may enter.
    NotAdmitted,
    /// The cell behind it is already seen through that region.
    Known,
    /// It leads outdoors in a traversal that draws no landscape.
    OutdoorsIgnored,
    /// A region was added to the outdoors.
    Outdoors,
    /// A region was added to the cell behind it.
    Passed,
}

/// A step of a traversal.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// A traversal starts.
    Flood {
        /// In this cell.
        root: CellId,
        /// For this reason.
        source: FloodSource,
    },
    /// A cell's turn has come.
    Taken {
        /// The cell.
        cell: CellId,
        /// Its squared distance, the order of the queue.
        distance_squared: f32,
    },
    /// A portal was tried against one of its cell's regions.
    Tried {
        /// Owner of the portal.
        cell: CellId,
        /// Index in its list.
        portal: u16,
        /// Index of the region in [`FramePlan::views`](crate::FramePlan::views).
        view: u32,
        /// What became of it.
        outcome: Outcome,
    },
    /// A cell was moved in the drawing order because another is seen through it.
    Moved {
        /// This cell.
        cell: CellId,
        /// Now stands directly before this one.
        before: CellId,
    },
}

/// Told about every step of a traversal; costs nothing when it is `()`.
pub trait Observer {
    /// Something happened.
    fn event(&mut self, event: Event);
}

impl Observer for () {
    #[inline(always)]
    fn event(&mut self, _: Event) {}
}

impl<F: FnMut(Event)> Observer for F {
    fn event(&mut self, event: Event) {
        self(event);
    }
}
