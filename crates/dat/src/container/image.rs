//! Where the bytes of an open file are.

#[cfg(feature = "mmap")]
use memmap2::Mmap;
#[cfg(all(feature = "mmap", unix))]
use memmap2::UncheckedAdvice;
use std::{borrow::Cow, fs::File, io};

/// The bytes of a whole file, in memory or mapped.
pub(super) enum Image {
    #[cfg(feature = "mmap")]
    Mapped(Mmap),
    Memory(Cow<'static, [u8]>),
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

    /// Drops the pages of a map from this process's memory.
    pub(super) fn release_pages(&self) {
        #[cfg(all(feature = "mmap", unix))]
        if let Image::Mapped(map) = self {
            // SAFETY: the map is read-only and backed by a file, so a dropped page is read again with the
            // same contents. A failure only means that the pages stay.
            #[allow(unsafe_code)]
            let _ = unsafe { map.unchecked_advise(UncheckedAdvice::DontNeed) };
        }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            #[cfg(feature = "mmap")]
            Image::Mapped(map) => map,
            Image::Memory(bytes) => bytes,
        }
    }
}
