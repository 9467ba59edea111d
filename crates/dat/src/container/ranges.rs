//! Files that cannot be mapped and are too large to be read whole.

use std::{
    collections::HashMap,
    io,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

/// Bytes that are read at once.
const PAGE_BYTES: usize = 64 << 10;
/// Pages that are kept at most: 16 MiB.
const MOST_PAGES: usize = 256;

/// Reads any part of a file: a file in a browser, a part of an archive, a file on a server.
///
/// ```
/// # use threshold_dat::container::ReadAt;
/// struct InMemory(Vec<u8>);
///
/// impl ReadAt for InMemory {
///     fn size(&self) -> u64 {
///         self.0.len() as u64
///     }
///
///     fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<()> {
///         buffer.copy_from_slice(&self.0[offset as usize..][..buffer.len()]);
///         Ok(())
///     }
/// }
/// ```
pub trait ReadAt: Send + Sync {
    /// Bytes of the file.
    fn size(&self) -> u64;

    /// Fills a buffer with the bytes starting at an offset. Never called for bytes beyond the end.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()>;
}

/// A file that is read by ranges: the pages of it that were used last are in memory.
pub(super) struct Ranges {
    /// What the file is called.
    pub(super) path: PathBuf,
    reader: Box<dyn ReadAt>,
    length: usize,
    pages: Mutex<Pages>,
}

impl Ranges {
    pub(super) fn new(path: PathBuf, reader: Box<dyn ReadAt>) -> Ranges {
        // Offsets have 32 bits: what lies beyond is out of reach anyway.
        let length = usize::try_from(reader.size()).unwrap_or(usize::MAX);
        Ranges { path, reader, length, pages: Mutex::default() }
    }

    pub(super) fn length(&self) -> usize {
        self.length
    }

    /// A part of the file; `None` when some of it is not there.
    pub(super) fn read(&self, start: usize, length: usize) -> io::Result<Option<Vec<u8>>> {
        let Some(end) = start.checked_add(length).filter(|&end| end <= self.length) else { return Ok(None) };
        let mut bytes = Vec::with_capacity(length);
        while bytes.len() < length {
            let at = start + bytes.len();
            let page = self.page(at / PAGE_BYTES)?;
            let within = at % PAGE_BYTES;
            let piece = page.get(within..page.len().min(within + end - at)).unwrap_or_default();
            if piece.is_empty() {
                return Ok(None);
            }
            bytes.extend_from_slice(piece);
        }
        Ok(Some(bytes))
    }

    fn page(&self, number: usize) -> io::Result<Arc<[u8]>> {
        if let Some(page) = self.lock().get(number) {
            return Ok(page);
        }
        let start = number * PAGE_BYTES;
        let mut bytes = vec![0; PAGE_BYTES.min(self.length - start)];
        self.reader.read_at(start as u64, &mut bytes)?;
        let page: Arc<[u8]> = bytes.into();
        self.lock().keep(number, page.clone());
        Ok(page)
    }

    /// Forgets what is in memory.
    pub(super) fn release(&self) {
        *self.lock() = Pages::default();
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Pages> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Pages by number, each with when it was used last.
#[derive(Default)]
struct Pages {
    kept: HashMap<usize, (Arc<[u8]>, u64)>,
    clock: u64,
}

impl Pages {
    fn get(&mut self, number: usize) -> Option<Arc<[u8]>> {
        self.clock += 1;
        let (page, used) = self.kept.get_mut(&number)?;
        *used = self.clock;
        Some(page.clone())
    }

    fn keep(&mut self, number: usize, page: Arc<[u8]>) {
        if self.kept.len() >= MOST_PAGES
            && let Some(&oldest) =
                self.kept.iter().min_by_key(|(_, (_, used))| *used).map(|(number, _)| number)
        {
            self.kept.remove(&oldest);
        }
        self.kept.insert(number, (page, self.clock));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    const SIZE: u64 = (100 << 20) + 77;

    /// A file whose bytes follow from where they are.
    #[derive(Default)]
    struct Made(Arc<AtomicUsize>);

    fn byte(at: u64) -> u8 {
        (at ^ at >> 8 ^ at >> 16) as u8
    }

    impl ReadAt for Made {
        fn size(&self) -> u64 {
            SIZE
        }

        fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
            self.0.fetch_add(1, Ordering::Relaxed);
            assert!(offset + buffer.len() as u64 <= SIZE);
            buffer.iter_mut().zip(offset..).for_each(|(slot, at)| *slot = byte(at));
            Ok(())
        }
    }

    #[test]
    fn every_part_is_read_and_little_of_it_is_kept() {
        let made = Made::default();
        let reads = made.0.clone();
        let file = Ranges::new("made".into(), Box::new(made));
        for start in (0..SIZE as usize - 300_000).step_by(299_993) {
            let bytes = file.read(start, 200).unwrap().unwrap();
            assert!(bytes.iter().zip(start as u64..).all(|(&found, at)| found == byte(at)));
        }
        let long = file.read(PAGE_BYTES - 1, 3 * PAGE_BYTES).unwrap().unwrap();
        assert_eq!(long.len(), 3 * PAGE_BYTES);
        assert!(long.iter().zip(PAGE_BYTES as u64 - 1..).all(|(&found, at)| found == byte(at)));
        assert_eq!(file.lock().kept.len(), MOST_PAGES);
        let before = reads.load(Ordering::Relaxed);
        file.read(PAGE_BYTES - 1, 3 * PAGE_BYTES).unwrap();
        assert_eq!(reads.load(Ordering::Relaxed), before, "what was used last is there");
        file.release();
        file.read(0, 1).unwrap();
        assert_eq!(reads.load(Ordering::Relaxed), before + 1);
    }

    #[test]
    fn nothing_is_read_beyond_the_end() {
        let file = Ranges::new("made".into(), Box::new(Made::default()));
        let end = SIZE as usize;
        assert_eq!(file.read(end - 2, 2).unwrap().unwrap(), [byte(SIZE - 2), byte(SIZE - 1)]);
        for (start, length) in [(end - 2, 3), (end, 1), (usize::MAX, 2), (0, usize::MAX)] {
            assert_eq!(file.read(start, length).unwrap(), None);
        }
        assert_eq!(file.read(end, 0).unwrap(), Some(Vec::new()));
    }
}
