//! Where the bytes of an open file are.

use super::ranges::Ranges;
use crate::prefetch::prefetch;
#[cfg(feature = "mmap")]
use memmap2::Mmap;
#[cfg(all(feature = "mmap", unix))]
use memmap2::UncheckedAdvice;
use std::{borrow::Cow, fs::File, io};

/// The bytes of a whole file: in memory, mapped, or read by ranges.
pub(super) enum Image {
    #[cfg(feature = "mmap")]
    Mapped(Mmap),
    Memory(Cow<'static, [u8]>),
    Ranges(Ranges),
}

/// The bytes of a file as readers see them.
#[derive(Clone, Copy)]
pub(super) enum View<'a> {
    Whole(&'a [u8]),
    Ranges(&'a Ranges),
}

impl Image {
    /// Maps a file; without the feature `mmap`, reads it whole.
    #[cfg(feature = "mmap")]
    #[allow(unsafe_code)]
    pub(super) fn open(file: &File) -> io::Result<Image> {
        // SAFETY: the map is read-only. A file that another program shortens or rewrites meanwhile breaks the
        // contract of any map; everything here that changes a file writes a new one and renames it, so the
        // mapped one stays as it is until it is dropped.
        unsafe { Mmap::map(file) }.map(Image::Mapped)
    }

    #[cfg(not(feature = "mmap"))]
    pub(super) fn open(mut file: &File) -> io::Result<Image> {
        let mut bytes = Vec::new();
        io::Read::read_to_end(&mut file, &mut bytes)?;
        Ok(Image::Memory(bytes.into()))
    }

    /// Drops pages from this process's memory.
    pub(super) fn release_pages(&self) {
        match self {
            #[cfg(all(feature = "mmap", unix))]
            Image::Mapped(map) => {
                // SAFETY: the map is read-only and backed by a file, so a dropped page is read again with the
                // same contents. A failure only means that the pages stay.
                #[allow(unsafe_code)]
                let _ = unsafe { map.unchecked_advise(UncheckedAdvice::DontNeed) };
            }
            Image::Ranges(ranges) => ranges.release(),
            _ => {}
        }
    }

    pub(super) fn view(&self) -> View<'_> {
        match self {
            #[cfg(feature = "mmap")]
            Image::Mapped(map) => View::Whole(map),
            Image::Memory(bytes) => View::Whole(bytes),
            Image::Ranges(ranges) => View::Ranges(ranges),
        }
    }
}

impl<'a> View<'a> {
    /// Length of the file.
    pub(super) fn length(self) -> usize {
        match self {
            View::Whole(bytes) => bytes.len(),
            View::Ranges(ranges) => ranges.length(),
        }
    }

    /// Asks the processor for a part of the file that will be read soon.
    #[inline]
    pub(super) fn prefetch(self, start: usize, length: usize) {
        if let View::Whole(bytes) = self
            && let Some(rest) = bytes.get(start..)
        {
            prefetch(&rest[..length.min(rest.len())]);
        }
    }

    /// A part of the file; `None` when some of it is not there.
    pub(super) fn read(self, start: usize, length: usize) -> io::Result<Option<Cow<'a, [u8]>>> {
        match self {
            View::Whole(bytes) => {
                Ok(bytes.get(start..).and_then(|rest| rest.get(..length)).map(Cow::Borrowed))
            }
            View::Ranges(ranges) => Ok(ranges.read(start, length)?.map(Cow::Owned)),
        }
    }
}
