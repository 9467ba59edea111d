//! Bytes to values and back: the cursor, the primitive encodings and the rule that keeps odd encodings.
//!
//! Some values have more than one byte form (a count in a longer form than needed, a truth value of 5, padding
//! that is not zero). The reader notes each such place as a [`Form`]; a writer that is given the forms repeats
//! them wherever it writes the same value at the same offset, and uses the usual form everywhere else. That is
//! what makes an unchanged record come out identical to the byte. Spec: dat-container §1.

mod reader;
mod text;
mod wire;
mod writer;

pub(crate) use reader::{HookPadding, Reader};
pub use text::{Text, TextForm};
pub use wire::{Blob, PackedTable};
pub(crate) use wire::{KnownId, Wire, wire_struct};
pub(crate) use writer::Writer;

use crate::RecordError;

pub(crate) type Result<T> = std::result::Result<T, RecordError>;

/// A value that was stored in another form than the usual one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Form {
    offset: usize,
    kind: FormKind,
    value: u32,
    bytes: [u8; 6],
    len: u8,
}

/// What a form belongs to, so that one never serves another kind of value after an edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FormKind {
    Padding,
    Bool,
    Compressed,
    KnownId(u32),
    TextLength,
    OwnId,
}

/// What tests of single values need: bytes from hexadecimal text, and both directions.
#[cfg(test)]
pub(crate) mod testing {
    use super::*;
    use crate::DatId;

    pub(crate) fn hex(text: &str) -> Vec<u8> {
        let digits: Vec<u32> = text.chars().filter_map(|c| c.to_digit(16)).collect();
        digits.chunks(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect()
    }

    pub(crate) fn reader(bytes: &[u8]) -> Reader<'_> {
        Reader::examining(DatId(1), bytes, false, HookPadding::Aligned)
    }

    /// Reads with `read`, which must take all bytes, and requires `write` to give the same bytes.
    #[track_caller]
    pub(crate) fn both_ways<T>(
        text: &str,
        read: impl FnOnce(&mut Reader<'_>) -> Result<T>,
        write: impl FnOnce(&T, &mut Writer<'_>) -> Result<()>,
    ) -> T {
        let bytes = hex(text);
        let mut r = reader(&bytes);
        let value = read(&mut r).unwrap();
        let (rest, _, forms) = r.finish();
        assert!(rest.is_empty(), "{} bytes are left", rest.len());
        assert_eq!(forms, [], "the bytes are in the usual form");
        let mut w = Writer::new(DatId(1), &[], HookPadding::Aligned);
        write(&value, &mut w).unwrap();
        assert_eq!(w.into_bytes(), bytes);
        value
    }

    /// The same for a type with one layout.
    #[track_caller]
    pub(crate) fn wire<T: Wire>(text: &str) -> T {
        both_ways(text, |r| r.read("test"), |value, w| w.write(value, "test"))
    }

    #[test]
    fn hexadecimal_text_may_have_any_layout() {
        assert_eq!(hex("0A ff\n10"), [10, 255, 16]);
    }
}

#[cfg(test)]
mod tests {
    use super::testing::{both_ways, hex, reader, wire};
    use super::*;
    use crate::DatId;
    use crate::records::{Color, Frame};

    #[test]
    fn compressed_numbers_have_three_lengths() {
        for (bytes, value) in [
            ("00", 0),
            ("7F", 0x7F),
            ("80 80", 0x80),
            ("BF FF", 0x3FFF),
            ("C0 00 00 40", 0x4000),
            ("C0 01 45 23", 0x12345),
            ("FF FF FF FF", 0x3FFF_FFFF),
        ] {
            assert_eq!(both_ways(bytes, |r| r.compressed("n"), |n, w| w.compressed(*n, "n")), value);
        }
        let mut w = Writer::new(DatId(1), &[], HookPadding::Aligned);
        assert!(w.compressed(0x4000_0000, "n").is_err());
    }

    #[test]
    fn a_number_in_a_longer_form_than_needed_is_kept_that_way() {
        for text in ["80 05", "C0 00 05 00"] {
            let bytes = hex(text);
            let mut r = reader(&bytes);
            assert_eq!(r.compressed("n").unwrap(), 5);
            let (_, notes, forms) = r.finish();
            assert_eq!(notes.len(), 1);
            let mut same = Writer::new(DatId(1), &forms, HookPadding::Aligned);
            same.compressed(5, "n").unwrap();
            assert_eq!(same.into_bytes(), bytes);
            let mut changed = Writer::new(DatId(1), &forms, HookPadding::Aligned);
            changed.compressed(6, "n").unwrap();
            assert_eq!(changed.into_bytes(), [6]);
        }
    }

    #[test]
    fn ids_of_a_known_type_are_stored_from_its_first_id() {
        const BASE: u32 = 0x0100_0000;
        for (bytes, id) in [
            ("01 00", 0x0100_0001),
            ("FF 3F", 0x0100_3FFF),
            ("00 80 00 40", 0x0100_4000),
            ("00 80 54 48", 0x0100_4854),
            ("01 80 CD AB", 0x0101_ABCD),
        ] {
            let read = both_ways(bytes, |r| r.known_id(BASE, "id"), |id, w| w.known_id(*id, BASE, "id"));
            assert_eq!(read, DatId(id));
        }
        // Readers accept the short form up to 0x7FFF, writers leave it at 0x3FFF.
        assert_eq!(reader(&hex("00 40")).known_id(BASE, "id").unwrap(), DatId(0x0100_4000));
        let mut w = Writer::new(DatId(1), &[], HookPadding::Aligned);
        assert!(w.known_id(DatId(0x00FF_FFFF), BASE, "id").is_err(), "below the base");
        w.known_id(DatId(0), BASE, "id").unwrap();
        assert_eq!(w.into_bytes(), [0, 0], "none is the base itself");
    }

    #[test]
    fn colours_frames_and_tables_have_the_documented_bytes() {
        assert_eq!(wire::<Color>("16 39 6F FF"), Color { alpha: 255, red: 111, green: 57, blue: 22 });
        let frame: Frame =
            wire("00 00 80 3F 00 00 00 40 00 00 40 40 00 00 80 3F 00 00 00 00 00 00 00 00 00 00 00 00");
        assert_eq!(frame, Frame { origin: [1.0, 2.0, 3.0], ..Frame::IDENTITY });
        let frame: Frame =
            wire("00 00 00 00 00 00 20 C2 00 00 40 C1 00 00 00 00 00 00 00 00 00 00 00 00 00 00 80 3F");
        assert_eq!(frame, Frame { origin: [0.0, -40.0, -12.0], rotation: [0.0, 0.0, 0.0, 1.0] });
        let table: PackedTable<u32, u32> = wire("01 00 08 00 00 00 00 00 0C 20 26 75");
        assert_eq!(table, PackedTable { buckets: 8, entries: vec![(0, 0x7526_200C)] });
    }

    #[test]
    fn what_ends_too_early_is_refused_where_it_ends() {
        let at = |error: crate::RecordError| error.offset;
        assert_eq!(at(reader(&hex("C0 01")).compressed("n").unwrap_err()), 1);
        assert_eq!(at(reader(&hex("00 80")).known_id(0x0100_0000, "id").unwrap_err()), 2);
        assert_eq!(at(reader(&hex("FF FF FF FF FF 7F")).read::<Text>("text").unwrap_err()), 0);
        assert_eq!(at(reader(&hex("05 00 41")).read::<Text>("text").unwrap_err()), 2);
    }

    #[test]
    fn padding_and_truth_values_that_are_unusual_are_kept() {
        let bytes = hex("01 00 41 37 05 00 00 00");
        let mut r = reader(&bytes);
        let text: Text = r.read("text").unwrap();
        let truth: bool = r.read("truth").unwrap();
        assert!(truth);
        let (_, notes, forms) = r.finish();
        assert_eq!(notes.len(), 2);
        let mut same = Writer::new(DatId(1), &forms, HookPadding::Aligned);
        same.write(&text, "text").unwrap();
        same.write(&truth, "truth").unwrap();
        assert_eq!(same.into_bytes(), bytes);
        // After an edit the value counts, not the form.
        let mut changed = Writer::new(DatId(1), &forms, HookPadding::Aligned);
        changed.write(&text, "text").unwrap();
        changed.write(&false, "truth").unwrap();
        assert_eq!(changed.into_bytes(), hex("01 00 41 37 00 00 00 00"));
    }
}
