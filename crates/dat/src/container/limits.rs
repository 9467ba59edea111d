//! How much of a file may be brought into memory at once.

/// The most that reading one record may allocate, whatever its entry claims. A reader of files from strangers may
/// want less than the default, one of files with large records of their own may need more.
///
/// ```no_run
/// # use threshold_dat::container::{DatFile, Limits};
/// let limits = Limits::default().record_bytes(16 << 20);
/// let portal = DatFile::open("client_portal.dat")?.with_limits(limits);
/// # Ok::<(), threshold_dat::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Stored bytes of a record. The largest of the shipped files have about 1 MB.
    pub record_bytes: usize,
    /// Bytes of a compressed record once it is unpacked.
    pub inflated_bytes: usize,
}

impl Limits {
    /// Far beyond what any shipped file has.
    pub const DEFAULT: Limits = Limits { record_bytes: 256 << 20, inflated_bytes: 64 << 20 };

    /// Sets [`Limits::record_bytes`].
    pub const fn record_bytes(self, record_bytes: usize) -> Limits {
        Limits { record_bytes, ..self }
    }

    /// Sets [`Limits::inflated_bytes`].
    pub const fn inflated_bytes(self, inflated_bytes: usize) -> Limits {
        Limits { inflated_bytes, ..self }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits::DEFAULT
    }
}
