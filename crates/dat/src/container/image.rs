//! Where the bytes of an open file are.

use memmap2::Mmap;
#[cfg(unix)]
use memmap2::UncheckedAdvice;
use std::{borrow::Cow, fs::File, io};

/// The bytes of a whole file, in memory or mapped.
pub(super) enum Image {
    Mapped(Mmap),
    Memory(Cow<'static, [u8]>),
}

impl Image {
    #[allow(unsafe_code)]
    pub(super) fn map(file: &File) -> io::Result<Image> {
        // SAFETY: the map is read-only. A file that another program shortens or rewrites meanwhile breaks the
        // contract of any map; everything here that changes a file writes a new one and renames it, so the
        // mapped one stays as it is until it is dropped.
        unsafe { Mmap::map(file) }.map(Image::Mapped)
    }

    /// Drops the pages of a map from this process's memory.
    pub(super) fn release_pages(&self) {
        #[cfg(unix)]
        if let Image::Mapped(map) = self {
            // SAFETY: the map is read-only and backed by a file, so a dropped page is read again with the
            // same contents. A failure only means that the pages stay.
            #[allow(unsafe_code)]
            let _ = unsafe { map.unchecked_advise(UncheckedAdvice::DontNeed) };
        }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            Image::Mapped(map) => map,
            Image::Memory(bytes) => bytes,
        }
    }
}
