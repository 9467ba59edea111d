//! How blocks are loaded: by threads, or a few in each tick.

#[cfg(feature = "parallel")]
use super::worker::Workers;
use crate::{BlockId, Library, load::LoadedBlock, load_block};
use std::{collections::VecDeque, sync::Arc};
use threshold_dat::Error;

/// How blocks are loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loading {
    /// So many background threads; at least one.
    #[cfg(feature = "parallel")]
    Threads(usize),
    /// Every tick loads so many blocks itself, at least one: no thread is needed, and the same ticks load the same blocks.
    Inline(usize),
}

impl Loading {
    /// Two background threads, or a few blocks each tick where there are no threads.
    #[cfg(feature = "parallel")]
    pub const DEFAULT: Loading = Loading::Threads(2);
    /// Two background threads, or a few blocks each tick where there are no threads.
    #[cfg(not(feature = "parallel"))]
    pub const DEFAULT: Loading = Loading::Inline(4);
}

impl Default for Loading {
    fn default() -> Self {
        Loading::DEFAULT
    }
}

pub(super) type Finished = (BlockId, Result<LoadedBlock, Error>);

pub(super) enum Loader {
    #[cfg(feature = "parallel")]
    Threads(Workers),
    Inline {
        queue: VecDeque<BlockId>,
        per_tick: usize,
    },
}

impl Loader {
    #[cfg_attr(not(feature = "parallel"), allow(unused_variables))]
    pub(super) fn start(library: &Arc<Library>, loading: Loading) -> Loader {
        match loading {
            #[cfg(feature = "parallel")]
            Loading::Threads(count) => Loader::Threads(Workers::start(library, count)),
            Loading::Inline(per_tick) => Loader::Inline { queue: VecDeque::new(), per_tick: per_tick.max(1) },
        }
    }

    /// Replaces what is to be loaded, most urgent first.
    pub(super) fn request(&mut self, blocks: impl Iterator<Item = BlockId>) {
        match self {
            #[cfg(feature = "parallel")]
            Loader::Threads(workers) => workers.request(blocks),
            Loader::Inline { queue, .. } => {
                queue.clear();
                queue.extend(blocks);
            }
        }
    }

    /// What was finished since the last call, or is now.
    pub(super) fn finished(&mut self, library: &Library) -> Vec<Finished> {
        match self {
            #[cfg(feature = "parallel")]
            Loader::Threads(workers) => workers.finished(),
            Loader::Inline { queue, per_tick } => {
                let count = (*per_tick).min(queue.len());
                queue.drain(..count).map(|id| (id, load_block(library, id))).collect()
            }
        }
    }
}
