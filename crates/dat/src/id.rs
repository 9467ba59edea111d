//! Record ids and what they say about the record's type.

use serde::{Serialize, Serializer};
use std::{fmt, num::ParseIntError, str::FromStr};

/// The number a record is stored under.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct DatId(pub u32);

impl DatId {
    /// The iteration record, present once in every file.
    pub const ITERATION: DatId = DatId(0xFFFF_0001);
}

impl fmt::Display for DatId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{:08X}", self.0)
    }
}

impl fmt::Debug for DatId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for DatId {
    type Err = ParseIntError;

    /// Accepts `0xA9B4FFFF` and `A9B4FFFF`.
    fn from_str(s: &str) -> Result<Self, ParseIntError> {
        let digits = s.strip_prefix("0x").or_else(|| s.strip_prefix("0X")).unwrap_or(s);
        u32::from_str_radix(digits, 16).map(DatId)
    }
}

impl Serialize for DatId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
