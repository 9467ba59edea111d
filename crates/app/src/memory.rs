//! How much memory the program uses, where the system says so.

use std::{fmt, fs};

/// Resident memory in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Memory {
    pub(crate) now: u64,
    pub(crate) peak: u64,
}

impl Memory {
    /// From `/proc`; `None` where there is no such thing.
    pub(crate) fn now() -> Option<Memory> {
        Memory::parse(&fs::read_to_string("/proc/self/status").ok()?)
    }

    fn parse(status: &str) -> Option<Memory> {
        let field = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            let kilobytes: u64 =
                line.trim_start_matches(':').trim().strip_suffix("kB")?.trim().parse().ok()?;
            kilobytes.checked_mul(1024)
        };
        Some(Memory { now: field("VmRSS")?, peak: field("VmHWM")? })
    }
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mb = |bytes: u64| bytes as f64 / f64::from(1 << 20);
        write!(f, "{:.1} MB (peak {:.1} MB)", mb(self.now), mb(self.peak))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_and_their_absence_is_no_error() {
        let status = "Name:\tthreshold\nVmPeak:\t  999 kB\nVmHWM:\t   2048 kB\nVmRSS:\t   1024 kB\n";
        assert_eq!(Memory::parse(status), Some(Memory { now: 1 << 20, peak: 2 << 20 }));
        assert_eq!(Memory::parse("VmRSS: 1 kB"), None);
    }
}
