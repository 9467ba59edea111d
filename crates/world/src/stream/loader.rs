//! How blocks are loaded: by threads, or a few in each tick.

#[cfg(feature = "parallel")]
use super::worker::Workers;
use crate::{BlockId, Library, load::LoadedBlock, load_block};
use std::{collections::VecDeque, ptr, sync::Arc};
use threshold_dat::Error;

/// How blocks are loaded.
#[derive(Clone, Copy, Debug)]
pub enum Loading {
    /// So many background threads; at least one.
    #[cfg(feature = "parallel")]
    Threads(usize),
    /// Every tick loads so many blocks itself, at least one: no thread is needed, and the same ticks load the same blocks.
    Inline(usize),
    /// Every tick loads blocks itself as long as this says that there is time, at least one: no thread is needed, and
    /// the frame rate holds meanwhile.
    WhileTime(fn() -> bool),
}

impl PartialEq for Loading {
    fn eq(&self, other: &Loading) -> bool {
        match (*self, *other) {
            #[cfg(feature = "parallel")]
            (Loading::Threads(a), Loading::Threads(b)) => a == b,
            (Loading::Inline(a), Loading::Inline(b)) => a == b,
            (Loading::WhileTime(a), Loading::WhileTime(b)) => ptr::fn_addr_eq(a, b),
            _ => false,
        }
    }
}

impl Eq for Loading {}

impl Loading {
    /// Two background threads, or a few blocks each tick where there are no threads.
    #[cfg(feature = "parallel")]
    pub const DEFAULT: Loading = Loading::Threads(2);
    /// Two background threads, or a few blocks each tick where there are no threads.
    #[cfg(not(feature = "parallel"))]
    pub const DEFAULT: Loading = Loading::Inline(4);

    /// Whether a tick that has loaded so many blocks loads one more.
    fn goes_on(self, loaded: usize) -> bool {
        match self {
            #[cfg(feature = "parallel")]
            Loading::Threads(_) => false,
            Loading::Inline(per_tick) => loaded < per_tick.max(1),
            Loading::WhileTime(has_time) => loaded == 0 || has_time(),
        }
    }
}

/// Blocks that a tick tries to load whose records are on their way: so many are asked for at once.
const MOST_PENDING: usize = 32;

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
        loading: Loading,
    },
}

impl Loader {
    #[cfg_attr(not(feature = "parallel"), allow(unused_variables))]
    pub(super) fn start(library: &Arc<Library>, loading: Loading) -> Loader {
        match loading {
            #[cfg(feature = "parallel")]
            Loading::Threads(count) => Loader::Threads(Workers::start(library, count)),
            loading => Loader::Inline { queue: VecDeque::new(), loading },
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
            Loader::Inline { queue, loading } => {
                let (mut finished, mut pending) = (Vec::new(), 0);
                while loading.goes_on(finished.len() - pending) && pending < MOST_PENDING {
                    let Some(id) = queue.pop_front() else { break };
                    let result = load_block(library, id);
                    pending += usize::from(result.as_ref().is_err_and(Error::is_pending));
                    finished.push((id, result));
                }
                finished
            }
        }
    }
}
