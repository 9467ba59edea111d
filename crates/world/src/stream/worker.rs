//! The loading threads.

use super::loader::Finished;
use crate::{BlockId, Library, load_block};
use std::{
    collections::{BTreeSet, VecDeque},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        mpsc::{Receiver, Sender, channel},
    },
    thread::{self, JoinHandle},
};

#[derive(Default)]
struct Queue {
    waiting: VecDeque<BlockId>,
    running: BTreeSet<BlockId>,
    closed: bool,
}

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Threads that load blocks in the order they are asked for.
pub(super) struct Workers {
    shared: Arc<Shared>,
    /// Never locked: it lets a streamer be shared between threads.
    results: Mutex<Receiver<Finished>>,
    threads: Vec<JoinHandle<()>>,
}

impl Workers {
    pub(super) fn start(library: &Arc<Library>, count: usize) -> Workers {
        let shared = Arc::new(Shared::default());
        let (sender, results) = channel();
        let threads = (0..count.max(1)).map(|_| {
            let (shared, library, sender) = (shared.clone(), library.clone(), sender.clone());
            thread::spawn(move || work(&shared, &library, &sender))
        });
        Workers { threads: threads.collect(), shared, results: Mutex::new(results) }
    }

    /// Replaces what waits; blocks that are being loaded already are not asked for again.
    pub(super) fn request(&self, blocks: impl Iterator<Item = BlockId>) {
        let mut queue = self.shared.lock();
        queue.waiting = blocks.filter(|id| !queue.running.contains(id)).collect();
        drop(queue);
        self.shared.changed.notify_all();
    }

    /// What was finished since the last call.
    pub(super) fn finished(&mut self) -> Vec<Finished> {
        let results = self.results.get_mut().unwrap_or_else(PoisonError::into_inner);
        let finished: Vec<Finished> = results.try_iter().collect();
        let mut queue = self.shared.lock();
        for (id, _) in &finished {
            queue.running.remove(id);
        }
        finished
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.shared.lock().closed = true;
        self.shared.changed.notify_all();
        for thread in self.threads.drain(..) {
            // A thread that panicked has nothing left to do.
            let _ = thread.join();
        }
    }
}

fn work(shared: &Shared, library: &Library, results: &Sender<Finished>) {
    while let Some(id) = next(shared) {
        if results.send((id, load_block(library, id))).is_err() {
            return;
        }
    }
}

/// Waits for a block to load; `None` when the streamer is gone. The block counts as running until it was received.
fn next(shared: &Shared) -> Option<BlockId> {
    let mut queue = shared.lock();
    loop {
        if queue.closed {
            return None;
        }
        if let Some(id) = queue.waiting.pop_front() {
            queue.running.insert(id);
            return Some(id);
        }
        queue = shared.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
    }
}
