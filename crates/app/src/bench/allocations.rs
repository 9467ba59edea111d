//! Allocations of the whole program, counted in a build that is made for it.

/// How many allocations there have been; `None` in an ordinary build.
pub(crate) fn count() -> Option<u64> {
    #[cfg(feature = "count-allocations")]
    return Some(counting::ALLOCATIONS.load(std::sync::atomic::Ordering::Relaxed));
    #[cfg(not(feature = "count-allocations"))]
    None
}

#[cfg(feature = "count-allocations")]
#[allow(
    unsafe_code,
    reason = "an allocator cannot be written otherwise; this one hands everything on to the system's"
)]
mod counting {
    use std::{
        alloc::{GlobalAlloc, Layout, System},
        sync::atomic::{AtomicU64, Ordering},
    };

    pub(super) static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

    struct Counting;

    #[global_allocator]
    static ALLOCATOR: Counting = Counting;

    // SAFETY: each call goes to the system's allocator as it came, and its answer back.
    unsafe impl GlobalAlloc for Counting {
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
            // SAFETY: the caller keeps the promises that the system's allocator asks for.
            unsafe { System.alloc(layout) }
        }

        unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
            ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
            // SAFETY: as above.
            unsafe { System.realloc(memory, layout, size) }
        }

        unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
            // SAFETY: as above.
            unsafe { System.dealloc(memory, layout) }
        }
    }
}
