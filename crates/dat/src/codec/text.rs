//! Strings: kept as their Windows-1252 bytes, stored in one of four forms. Spec: dat-container §1.4.

use super::{HookPadding, Reader, Result, Wire, Writer};
use crate::{DatId, RecordError};
#[cfg(feature = "serde")]
use serde::{Serialize, Serializer};
use std::fmt;

/// A string, kept as its Windows-1252 bytes.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Text(pub Vec<u8>);

impl Text {
    /// Longer strings do not exist and would only be a way to waste memory.
    const MAX: usize = 1 << 20;

    /// The only part of Windows-1252 that differs from Latin-1: the bytes 0x80 to 0x9F.
    const HIGH: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}',
        '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
    ];

    fn check_length(len: usize) -> std::result::Result<(), String> {
        if len > Self::MAX {
            Err(format!("a string of {len} bytes; at most {} are allowed", Self::MAX))
        } else {
            Ok(())
        }
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let character = |&byte: &u8| match byte {
            0x80..=0x9F => Text::HIGH.get(usize::from(byte) - 0x80).copied().unwrap_or('?'),
            _ => char::from(byte),
        };
        f.pad(&self.0.iter().map(character).collect::<String>())
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.to_string())
    }
}

impl From<&str> for Text {
    /// Characters that Windows-1252 does not have become `?`.
    fn from(text: &str) -> Self {
        let byte = |character: char| {
            let high = Text::HIGH.iter().position(|&known| known == character);
            let high = high.and_then(|index| u8::try_from(0x80 + index).ok());
            high.or_else(|| u8::try_from(u32::from(character)).ok()).unwrap_or(b'?')
        };
        Text(text.chars().map(byte).collect())
    }
}

#[cfg(feature = "serde")]
impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The older form, which the records of known layout use.
impl Wire for Text {
    // Every use starts at a multiple of 4, so that even an empty one takes four bytes.
    const MIN: usize = 4;

    fn read(r: &mut Reader<'_>, field: &'static str) -> Result<Self> {
        let offset = r.pos();
        let len = r.text_length(field)?;
        Text::check_length(len).map_err(|problem| r.error(field, offset, problem))?;
        let text = Text(r.slice(len, field)?.to_vec());
        r.align(field)?;
        Ok(text)
    }

    fn write(&self, w: &mut Writer<'_>, field: &'static str) -> Result<()> {
        Text::check_length(self.0.len()).map_err(|problem| w.error(field, problem))?;
        w.text_length(self.0.len(), field)?;
        w.raw(&self.0);
        w.align();
        Ok(())
    }
}

/// How a string is stored: for tools that look into records which this crate keeps as bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TextForm {
    /// Length in 16 bits, padded to a multiple of 4.
    Legacy,
    /// Compressed length, not padded.
    Plain,
    /// Compressed length in UTF-16 units, not padded.
    Wide,
    /// Length in 16 bits, the halves of each byte exchanged, padded to a multiple of 4.
    Obfuscated,
}

impl TextForm {
    const FIELD: &'static str = "string";

    /// Reads the string at `offset` of a record; also returns where it ends.
    pub fn read(
        self,
        id: DatId,
        record: &[u8],
        offset: usize,
    ) -> std::result::Result<(String, usize), RecordError> {
        let mut r = Reader::new(id, record);
        r.slice(offset, Self::FIELD)?;
        let text = match self {
            TextForm::Legacy => r.read::<Text>(Self::FIELD)?.to_string(),
            TextForm::Plain => {
                let len = r.compressed_count(1, Self::FIELD)?;
                Text(r.slice(len, Self::FIELD)?.to_vec()).to_string()
            }
            TextForm::Wide => {
                let len = r.compressed_count(2, Self::FIELD)?;
                let units: Vec<u16> = r.elements(len, |r| r.read(Self::FIELD))?;
                String::from_utf16_lossy(&units)
            }
            TextForm::Obfuscated => {
                let len: u16 = r.read(Self::FIELD)?;
                let bytes =
                    r.slice(len.into(), Self::FIELD)?.iter().map(|byte| byte.rotate_left(4)).collect();
                r.align(Self::FIELD)?;
                Text(bytes).to_string()
            }
        };
        Ok((text, r.pos()))
    }

    /// Appends a string to the record it is part of.
    pub fn write(self, id: DatId, record: &mut Vec<u8>, text: &str) -> std::result::Result<(), RecordError> {
        let mut w = Writer::new(id, &[], HookPadding::Aligned);
        w.raw(record);
        let Text(bytes) = Text::from(text);
        match self {
            TextForm::Legacy => w.write(&Text(bytes), Self::FIELD)?,
            TextForm::Plain => {
                w.compressed_count(bytes.len(), Self::FIELD)?;
                w.raw(&bytes);
            }
            TextForm::Wide => {
                let units: Vec<u16> = text.encode_utf16().collect();
                w.compressed_count(units.len(), Self::FIELD)?;
                w.elements(&units, Self::FIELD)?;
            }
            TextForm::Obfuscated => {
                w.count_as::<u16>(bytes.len(), Self::FIELD)?;
                w.raw(&bytes.iter().map(|byte| byte.rotate_left(4)).collect::<Vec<u8>>());
                w.align();
            }
        }
        *record = w.into_bytes();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::testing::{hex, reader, wire};

    #[test]
    fn strings_are_padded_to_a_multiple_of_four() {
        assert_eq!(wire::<Text>("06 00 44 65 72 65 74 68").to_string(), "Dereth");
        assert_eq!(wire::<Text>("04 00 50 2E 59 2E 00 00").to_string(), "P.Y.");
        assert_eq!(wire::<Text>("00 00 00 00").to_string(), "");
    }

    #[test]
    fn bytes_are_windows_1252() {
        assert_eq!(Text(vec![0x80, 0x41, 0xE9]).to_string(), "€Aé");
        let all = Text((0..=255).collect());
        assert_eq!(Text::from(all.to_string().as_str()), all);
        assert_eq!(Text::from("α"), Text(vec![b'?']));
    }

    #[test]
    fn long_strings_use_the_escape() {
        let text = Text(vec![b'x'; 0x1_0000]);
        let mut w = Writer::new(DatId(1), &[], HookPadding::Aligned);
        w.write(&text, "text").unwrap();
        let bytes = w.into_bytes();
        assert_eq!(bytes[..6], hex("FF FF 00 00 01 00"));
        assert_eq!(reader(&bytes).read::<Text>("text").unwrap(), text);
    }

    #[test]
    fn each_form_has_its_documented_bytes() {
        for (form, bytes, text) in [
            (TextForm::Legacy, "04 00 50 2E 59 2E 00 00", "P.Y."),
            (TextForm::Plain, "03 61 62 63", "abc"),
            (TextForm::Wide, "02 48 00 69 00", "Hi"),
            (TextForm::Obfuscated, "02 00 14 C6", "Al"),
        ] {
            let bytes = hex(bytes);
            assert_eq!(form.read(DatId(1), &bytes, 0).unwrap(), (text.to_owned(), bytes.len()));
            let mut written = Vec::new();
            form.write(DatId(1), &mut written, text).unwrap();
            assert_eq!(written, bytes);
            assert!(form.read(DatId(1), &bytes[..bytes.len() - 1], 0).is_err());
        }
    }

    #[test]
    fn padding_depends_on_where_a_string_begins() {
        let mut record = vec![9, 9, 9, 9, 9, 9];
        TextForm::Obfuscated.write(DatId(1), &mut record, "Al").unwrap();
        assert_eq!(record[6..], hex("02 00 14 C6 00 00"));
        assert_eq!(TextForm::Obfuscated.read(DatId(1), &record, 6).unwrap(), ("Al".to_owned(), 12));
    }
}
