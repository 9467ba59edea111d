//! How blocks are loaded: by threads, or a few in each tick.

#[cfg(feature = "threads")]
use super::worker::Workers;
use crate::{BlockId, Library, landblock::Landblock, load::LoadedBlock, load_block, model::Model};
use std::{
    collections::{BTreeSet, VecDeque},
    sync::Arc,
};
use threshold_dat::Error;

/// Who loads blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loading {
    /// So many background threads; at least one.
    #[cfg(feature = "threads")]
    Threads(usize),
    /// Every tick loads so many blocks itself, at least one: no thread is needed, and the same ticks load the same blocks.
    Inline(usize),
}

impl Default for Loading {
    fn default() -> Self {
        #[cfg(feature = "threads")]
        return Loading::Threads(2);
        #[cfg(not(feature = "threads"))]
        Loading::Inline(4)
    }
}

pub(super) type Finished = (BlockId, Result<Furnished, Error>);

/// A block with the models of its objects.
pub(super) struct Furnished {
    pub(super) loaded: LoadedBlock,
    pub(super) models: Vec<Arc<Model>>,
}

pub(super) enum Loader {
    #[cfg(feature = "threads")]
    Threads(Workers),
    Inline {
        queue: VecDeque<BlockId>,
        per_tick: usize,
    },
}

impl Loader {
    #[cfg_attr(not(feature = "threads"), allow(unused_variables))]
    pub(super) fn start(library: &Arc<Library>, loading: Loading) -> Loader {
        match loading {
            #[cfg(feature = "threads")]
            Loading::Threads(count) => Loader::Threads(Workers::start(library, count)),
            Loading::Inline(per_tick) => Loader::Inline { queue: VecDeque::new(), per_tick: per_tick.max(1) },
        }
    }

    /// Replaces what is to be loaded, most urgent first.
    pub(super) fn request(&mut self, blocks: impl Iterator<Item = BlockId>) {
        match self {
            #[cfg(feature = "threads")]
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
            #[cfg(feature = "threads")]
            Loader::Threads(workers) => workers.finished(),
            Loader::Inline { queue, per_tick } => {
                let count = (*per_tick).min(queue.len());
                queue.drain(..count).map(|id| (id, furnish(library, id))).collect()
            }
        }
    }
}

/// Loads a block with the models of its objects, so that placing them has nothing to wait for. A source that cannot
/// answer now fails the block: it would come without them and stay so.
pub(super) fn furnish(library: &Library, id: BlockId) -> Result<Furnished, Error> {
    let loaded = load_block(library, id)?;
    let models = models_of(library, &loaded.block)?;
    Ok(Furnished { loaded, models })
}

fn models_of(library: &Library, block: &Landblock) -> Result<Vec<Arc<Model>>, Error> {
    let of_cells = block.env_cells.iter().flatten().flat_map(|cell| &cell.statics);
    let listed = block.statics.iter().chain(of_cells).map(|object| object.model);
    let ids: BTreeSet<_> = listed.chain(block.scenery.iter().map(|growth| growth.model)).collect();
    let models: Result<Vec<_>, Error> = ids.into_iter().map(|id| library.model(id)).collect();
    Ok(models?.into_iter().flatten().collect())
}
