//! The caller's memory: the only place that reads or writes it.
//!
//! Nothing here is kept beyond the call. Values are copied in and out, so that buffers of one call may overlap.

use crate::fault::{Fault, ThStatus};
use bytemuck::AnyBitPattern;
use std::{ptr, slice};

fn null(name: &str) -> Fault {
    Fault::new(ThStatus::NullPointer, format!("{name} is null"))
}

/// A value that must be there.
///
/// # Safety
/// `at` is null or readable.
pub(crate) unsafe fn read<T: AnyBitPattern>(at: *const T, name: &str) -> Result<T, Fault> {
    if at.is_null() {
        return Err(null(name));
    }
    // SAFETY: readable, as the caller promises; need not be aligned.
    Ok(unsafe { at.read_unaligned() })
}

/// A value that may be left out.
///
/// # Safety
/// `at` is null or readable.
pub(crate) unsafe fn read_optional<T: AnyBitPattern>(at: *const T) -> Option<T> {
    // SAFETY: readable unless null, as the caller promises; need not be aligned.
    (!at.is_null()).then(|| unsafe { at.read_unaligned() })
}

/// A copy of an array.
///
/// # Safety
/// `at` is null or readable for `count` values.
pub(crate) unsafe fn read_array<T: AnyBitPattern>(
    at: *const T,
    count: u32,
    name: &str,
) -> Result<Vec<T>, Fault> {
    let count = checked_length::<T>(count, name)?;
    if count == 0 {
        return Ok(Vec::new());
    }
    if at.is_null() {
        return Err(null(name));
    }
    let mut values: Vec<T> = Vec::new();
    values.try_reserve_exact(count).map_err(|_| Fault::argument(format!("{name} is too long")))?;
    // SAFETY: readable for `count` values, as the caller promises; copied as bytes, as it need not be aligned. The
    // vector has room for them, and any bits are values.
    unsafe {
        let bytes = count * size_of::<T>();
        ptr::copy_nonoverlapping(at.cast::<u8>(), values.as_mut_ptr().cast::<u8>(), bytes);
        values.set_len(count);
    }
    Ok(values)
}

/// A copy of a text in UTF-8.
///
/// # Safety
/// `at` is null or readable for `length` bytes.
pub(crate) unsafe fn read_text(at: *const u8, length: u32, name: &str) -> Result<String, Fault> {
    // SAFETY: as the caller promises.
    let bytes = unsafe { read_array(at, length, name) }?;
    String::from_utf8(bytes).map_err(|_| Fault::argument(format!("{name} is not UTF-8")))
}

/// The length of an array in memory must be a length at all; only 32-bit machines can be asked for more.
fn checked_length<T>(count: u32, name: &str) -> Result<usize, Fault> {
    let count = count as usize;
    let is_possible = count.checked_mul(size_of::<T>()).is_some_and(|bytes| bytes <= isize::MAX as usize);
    is_possible.then_some(count).ok_or_else(|| Fault::argument(format!("{name} is too long")))
}

/// A place for one result.
pub(crate) struct Out<T>(*mut T);

impl<T: Copy> Out<T> {
    /// # Safety
    /// `at` is null or writable until the call ends.
    pub(crate) unsafe fn new(at: *mut T, name: &str) -> Result<Out<T>, Fault> {
        if at.is_null() { Err(null(name)) } else { Ok(Out(at)) }
    }

    pub(crate) fn set(&self, value: T) {
        // SAFETY: not null and writable, as was promised when it was made; need not be aligned.
        unsafe { self.0.write_unaligned(value) }
    }
}

/// A place for a result that the caller may not want.
pub(crate) struct OptionalOut<T>(*mut T);

impl<T: Copy> OptionalOut<T> {
    /// # Safety
    /// `at` is null or writable until the call ends.
    pub(crate) unsafe fn new(at: *mut T) -> OptionalOut<T> {
        OptionalOut(at)
    }

    pub(crate) fn set(&self, value: T) {
        if !self.0.is_null() {
            // SAFETY: not null and writable, as was promised when it was made; need not be aligned.
            unsafe { self.0.write_unaligned(value) }
        }
    }
}

/// A place for any number of results. Without a buffer only their number is wanted.
pub(crate) struct OutArray<T> {
    at: *mut T,
    capacity: u32,
    count: Out<u32>,
}

impl<T: Copy> OutArray<T> {
    /// # Safety
    /// `at` is null or writable for `capacity` values, and `count` is null or writable, until the call ends.
    pub(crate) unsafe fn new(at: *mut T, capacity: u32, count: *mut u32) -> Result<OutArray<T>, Fault> {
        checked_length::<T>(capacity, "the buffer")?;
        if at.is_null() && capacity != 0 {
            return Err(null("the buffer"));
        }
        // SAFETY: as the caller promises.
        let count = unsafe { Out::new(count, "the place for the count") }?;
        Ok(OutArray { at, capacity, count })
    }

    /// Whether only the number of results is wanted.
    pub(crate) fn is_question(&self) -> bool {
        self.at.is_null()
    }

    /// For results that are costly: says how many there are, and whether they are wanted.
    pub(crate) fn wants(&self, found: u32) -> Result<bool, Fault> {
        self.count.set(found);
        if !self.is_question() && found > self.capacity {
            let message = format!("{found} results do not fit into a buffer for {}", self.capacity);
            return Err(Fault::new(ThStatus::TooSmall, message));
        }
        Ok(!self.is_question())
    }

    /// Writes the number of results, and the results if there is a buffer; one that is too small stays as it is.
    pub(crate) fn set(&self, values: &[T]) -> Result<(), Fault> {
        let found = u32::try_from(values.len())
            .map_err(|_| Fault::new(ThStatus::Internal, "more results than can be counted"))?;
        if !self.wants(found)? {
            return Ok(());
        }
        // SAFETY: writable for `capacity` values, as was promised when it was made; the values are ours, so they do not
        // overlap; copied as bytes, as the buffer need not be aligned.
        unsafe {
            ptr::copy_nonoverlapping(values.as_ptr().cast::<u8>(), self.at.cast::<u8>(), size_of_val(values));
        }
        Ok(())
    }
}

/// A place for exactly as many results as there are questions.
pub(crate) struct OutExact<T> {
    at: *mut T,
    count: u32,
}

impl<T: Copy> OutExact<T> {
    /// # Safety
    /// `at` is null or writable for `count` values until the call ends.
    pub(crate) unsafe fn new(at: *mut T, count: u32, name: &str) -> Result<OutExact<T>, Fault> {
        checked_length::<T>(count, name)?;
        if at.is_null() && count != 0 { Err(null(name)) } else { Ok(OutExact { at, count }) }
    }

    pub(crate) fn set(&self, values: &[T]) -> Result<(), Fault> {
        if values.len() != self.count as usize {
            return Err(Fault::new(
                ThStatus::Internal,
                "the number of results differs from the number of queries",
            ));
        }
        if values.is_empty() {
            return Ok(());
        }
        // SAFETY: writable for `count` values, as was promised when it was made; the values are ours, so they do not
        // overlap; copied as bytes, as the buffer need not be aligned.
        unsafe {
            ptr::copy_nonoverlapping(values.as_ptr().cast::<u8>(), self.at.cast::<u8>(), size_of_val(values));
        }
        Ok(())
    }
}

/// Copies as much of a text as there is room for, with a zero at the end; returns its whole length.
///
/// # Safety
/// `buffer` is null or writable for `capacity` bytes.
pub(crate) unsafe fn copy_text(text: &str, buffer: *mut u8, capacity: u32) -> u32 {
    if !buffer.is_null() && capacity > 0 {
        let wanted = text.len().min(capacity as usize - 1);
        let room = (0..=wanted).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
        // SAFETY: writable for `capacity` bytes, as the caller promises.
        let buffer = unsafe { slice::from_raw_parts_mut(buffer, room + 1) };
        buffer[..room].copy_from_slice(&text.as_bytes()[..room]);
        buffer[room] = 0;
    }
    text.len() as u32
}
