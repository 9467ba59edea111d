//! Handles: numbers that name what is open.
//!
//! A handle looks like a pointer to C, so that compilers tell kinds of handles apart, but it is a place in a table and a
//! count of how often that place was used. Closed handles, handles of another kind and made-up numbers are all told
//! apart, and nothing is ever read through one. The table is the only thing that calls share.

use crate::{
    dat::Dat,
    fault::{Fault, ThStatus},
    world::World,
};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Mutex, TryLockError,
        atomic::{AtomicUsize, Ordering},
    },
};

/// A world. Open one with `th_open` or `th_open_sample`, close it with `th_close`.
pub struct ThWorld {
    _opaque: (),
}

/// A dat file. Open one with `th_dat_open`, close it with `th_dat_close`.
pub struct ThDat {
    _opaque: (),
}

pub(crate) static WORLDS: Table<World> = Table::new("world");
pub(crate) static DATS: Table<Dat> = Table::new("dat file");

/// Bits of a handle that name a slot.
const PLACE_BITS: u32 = 10;
/// Handles of a kind that can be open at the same time.
const PLACES: usize = 1 << PLACE_BITS;

/// What is open, of one kind.
pub(crate) struct Table<T> {
    kind: &'static str,
    places: [Place<T>; PLACES],
    /// Where to look for a free slot first: a slot is reused as late as possible.
    next: AtomicUsize,
}

struct Place<T> {
    /// The handle that is open; 0 for none.
    handle: AtomicUsize,
    content: Mutex<Content<T>>,
}

struct Content<T> {
    uses: usize,
    value: Option<Box<T>>,
}

impl<T> Table<T> {
    const fn new(kind: &'static str) -> Table<T> {
        let places = [const {
            Place { handle: AtomicUsize::new(0), content: Mutex::new(Content { uses: 0, value: None }) }
        }; PLACES];
        Table { kind, places, next: AtomicUsize::new(0) }
    }

    /// Keeps a value; its handle.
    pub(crate) fn open(&self, value: T) -> Result<usize, Fault> {
        let first = self.next.fetch_add(1, Ordering::Relaxed);
        for index in (0..PLACES).map(|i| (first.wrapping_add(i)) % PLACES) {
            let place = &self.places[index];
            let Ok(mut content) = place.content.try_lock() else { continue };
            if content.value.is_none() {
                content.value = Some(Box::new(value));
                // The count wraps around after a while, past zero: no handle is null.
                content.uses = (content.uses + 1) & (usize::MAX >> PLACE_BITS);
                content.uses = content.uses.max(1);
                let handle = content.uses << PLACE_BITS | index;
                place.handle.store(handle, Ordering::Release);
                return Ok(handle);
            }
        }
        let message = format!("{PLACES} {}s are open; close some first", self.kind);
        Err(Fault::new(ThStatus::TooMany, message))
    }

    /// Works with what a handle names.
    #[inline]
    pub(crate) fn with<R>(
        &self,
        handle: usize,
        work: impl FnOnce(&mut T) -> Result<R, Fault>,
    ) -> Result<R, Fault> {
        let place = self.place(handle)?;
        let mut content = match place.content.try_lock() {
            Ok(content) => content,
            Err(TryLockError::WouldBlock) => return Err(self.busy()),
            Err(TryLockError::Poisoned(_)) => {
                let message = format!("the {} was in use when the library failed; close it", self.kind);
                return Err(Fault::new(ThStatus::Internal, message));
            }
        };
        // It may have been closed just now.
        self.place(handle)?;
        work(content.value.as_deref_mut().ok_or_else(|| self.closed(handle))?)
    }

    /// Ends a handle.
    pub(crate) fn close(&self, handle: usize) -> Result<(), Fault> {
        let place = self.place(handle)?;
        let mut content = match place.content.try_lock() {
            Ok(content) => content,
            Err(TryLockError::WouldBlock) => return Err(self.busy()),
            Err(TryLockError::Poisoned(poisoned)) => {
                place.content.clear_poison();
                poisoned.into_inner()
            }
        };
        self.place(handle)?;
        place.handle.store(0, Ordering::Release);
        let value = content.value.take();
        drop(content);
        // What a failure left behind may fail once more; the place is free all the same.
        let dropped = catch_unwind(AssertUnwindSafe(|| drop(value)));
        dropped.map_err(|_| Fault::new(ThStatus::Internal, "closing failed"))
    }

    #[inline]
    fn place(&self, handle: usize) -> Result<&Place<T>, Fault> {
        let place = &self.places[handle % PLACES];
        if handle != 0 && place.handle.load(Ordering::Acquire) == handle {
            Ok(place)
        } else {
            Err(self.closed(handle))
        }
    }

    #[cold]
    fn closed(&self, handle: usize) -> Fault {
        if handle == 0 {
            return Fault::new(ThStatus::NullPointer, format!("the {} is null", self.kind));
        }
        Fault::new(ThStatus::Closed, format!("the {} handle is closed or invalid", self.kind))
    }

    #[cold]
    fn busy(&self) -> Fault {
        let message = format!("another thread is in a call with this {}", self.kind);
        Fault::new(ThStatus::Busy, message)
    }
}

/// The number that a handle is.
pub(crate) fn number<H>(handle: *const H) -> usize {
    handle.addr()
}

/// A number as C sees it; nothing is ever read through it.
pub(crate) fn handle<H>(number: usize) -> *mut H {
    std::ptr::without_provenance_mut(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    static NUMBERS: Table<u32> = Table::new("number");

    #[test]
    fn closed_and_made_up_handles_are_told_apart() {
        let first = NUMBERS.open(1).unwrap();
        assert_eq!(NUMBERS.with(first, |n| Ok(*n)).unwrap(), 1);
        let status = |handle| NUMBERS.with(handle, |_| Ok(())).unwrap_err().status;
        for made_up in [1, 7 * PLACES, first + 1, first ^ (1 << 20), usize::MAX] {
            assert_eq!(status(made_up), ThStatus::Closed, "{made_up}");
        }
        assert_eq!(status(0), ThStatus::NullPointer);
        NUMBERS.close(first).unwrap();
        assert_eq!(status(first), ThStatus::Closed);
        assert_eq!(NUMBERS.close(first).unwrap_err().status, ThStatus::Closed);
        for _ in 0..3 * PLACES {
            let next = NUMBERS.open(2).unwrap();
            assert_ne!(next, first);
            NUMBERS.close(next).unwrap();
        }
    }

    #[test]
    fn what_fails_inside_is_refused_until_it_is_closed() {
        static TABLE: Table<u32> = Table::new("number");
        let handle = TABLE.open(1).unwrap();
        let work = || TABLE.with(handle, |_| -> Result<(), Fault> { panic!("on purpose") });
        assert!(catch_unwind(AssertUnwindSafe(work)).is_err());
        assert_eq!(TABLE.with(handle, |_| Ok(())).unwrap_err().status, ThStatus::Internal);
        TABLE.close(handle).unwrap();
        assert_eq!(TABLE.with(handle, |_| Ok(())).unwrap_err().status, ThStatus::Closed);
        for _ in 0..PLACES {
            TABLE.open(3).unwrap();
        }
        assert_eq!(TABLE.open(4).unwrap_err().status, ThStatus::TooMany);
    }
}
