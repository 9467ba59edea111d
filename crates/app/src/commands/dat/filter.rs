//! Ranges and kinds on the command line.

use std::{ops::RangeInclusive, str::FromStr};
use threshold_dat::{DatId, RecordKind};

/// Reads `A..B`, `A..`, `..B` or `A`; both ends belong to it.
fn range<T: FromStr + Copy + PartialOrd>(text: &str, low: T, high: T) -> Result<RangeInclusive<T>, String> {
    let bound = |text: &str, open: T| match text {
        "" => Ok(open),
        _ => text.parse().map_err(|_| format!("`{text}` is not a number")),
    };
    let range = match text.split_once("..") {
        Some((start, end)) => bound(start, low)?..=bound(end.trim_start_matches('='), high)?,
        None if text.is_empty() => return Err("empty".to_owned()),
        None => bound(text, low)?..=bound(text, high)?,
    };
    if range.is_empty() { Err("ends before it starts".to_owned()) } else { Ok(range) }
}

/// A range of ids, in hexadecimal.
pub(super) fn ids(text: &str) -> Result<RangeInclusive<DatId>, String> {
    range(text, DatId(0), DatId(u32::MAX))
}

/// A range of numbers.
pub(super) fn numbers(text: &str) -> Result<RangeInclusive<u32>, String> {
    range(text, 0, u32::MAX)
}

/// A kind of record by its name, in any case.
pub(super) fn kind(text: &str) -> Result<RecordKind, String> {
    let same = |kind: &&RecordKind| kind.to_string().eq_ignore_ascii_case(text);
    RecordKind::ALL.iter().find(same).copied().ok_or_else(|| {
        let names: Vec<String> = RecordKind::ALL.iter().map(RecordKind::to_string).collect();
        format!("known kinds are {}", names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_include_both_ends() {
        assert_eq!(numbers("3..5"), Ok(3..=5));
        assert_eq!(numbers("3..=5"), Ok(3..=5));
        assert_eq!(numbers("..5"), Ok(0..=5));
        assert_eq!(numbers("7"), Ok(7..=7));
        assert_eq!(ids("0x02000000..0200FFFF"), Ok(DatId(0x0200_0000)..=DatId(0x0200_FFFF)));
        for bad in ["", "5..3", "x", "1..y", "-1"] {
            assert!(numbers(bad).is_err(), "{bad}");
        }
    }
}
