//! Asking for memory before it is needed.

/// Bytes that the processor fetches at once.
#[cfg(target_arch = "x86_64")]
const CACHE_LINE: usize = 64;

/// Asks the processor for a value that will be needed soon. Does nothing where it cannot be asked.
#[inline(always)]
pub fn prefetch<T: ?Sized>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let start = std::ptr::from_ref(value).cast::<i8>();
        let mut offset = 0;
        while offset < size_of_val(value) {
            // SAFETY: a prefetch reads nothing, and the address is in the value.
            #[allow(unsafe_code)]
            unsafe {
                _mm_prefetch::<_MM_HINT_T0>(start.wrapping_add(offset));
            }
            offset += CACHE_LINE;
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
