//! From values to bytes.

use super::{Codec, FormKind, Forms, Layout, Result, Word};
use crate::error::{MessageError, Reason};
use threshold_dat::{DatId, records::Text};

/// Writes one message; values that it cannot hold are errors that name the field.
pub(crate) struct Writer<'f> {
    bytes: Vec<u8>,
    base: usize,
    forms: &'f Forms,
}

impl<'f> Writer<'f> {
    /// A writer that repeats `forms` where they still fit.
    pub(crate) fn new(forms: &'f Forms) -> Self {
        Writer { bytes: Vec::new(), base: 0, forms }
    }

    pub(crate) fn into_bytes(mut self) -> Vec<u8> {
        self.bytes.extend_from_slice(&self.forms.rest);
        self.bytes
    }

    pub(crate) fn put(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    fn formed(&mut self, kind: FormKind, value: u32, usual: &[u8]) {
        let stored = self.forms.find(self.bytes.len(), kind, value);
        self.bytes.extend_from_slice(stored.unwrap_or(usual));
    }

    /// Two halves, the first one marked as such.
    fn long(&mut self, kind: FormKind, value: u32, number: u32) {
        let [low, high, upper, top] = number.to_le_bytes();
        self.formed(kind, value, &[upper, top | 0x80, low, high]);
    }
}

impl Codec for Writer<'_> {
    fn raw<const N: usize>(&mut self, value: &mut [u8; N], _: &'static str) -> Result<()> {
        self.put(value);
        Ok(())
    }

    fn word<const N: usize>(&mut self, usual: u32, field: &'static str) -> Result<Word> {
        let bytes = usual.to_le_bytes();
        let (stored, beyond) = bytes.split_at(N.min(bytes.len()));
        if beyond.iter().any(|&byte| byte != 0) {
            return Err(self.fault(Reason::Count, field));
        }
        let offset = self.bytes.len();
        self.formed(FormKind::Word, usual, stored);
        let sent = self.bytes.iter().skip(offset).rev().fold(0, |word, &byte| word << 8 | u32::from(byte));
        Ok(Word { sent, offset, size: N })
    }

    fn settle(&mut self, _: Word, _: u32) {}

    fn align(&mut self) {
        let gap = self.base.wrapping_sub(self.bytes.len()) % 4;
        self.formed(FormKind::Padding, gap as u32, [0; 4].get(..gap).unwrap_or_default());
    }

    fn text(&mut self, value: &mut Text, field: &'static str) -> Result<()> {
        // The zero after a text counts in its length and lies where the text ends.
        let text = &value.0;
        let ended = [2, 6].into_iter().find_map(|prefix| {
            let end = self.bytes.len() + prefix + text.len();
            self.forms.find(end, FormKind::TextEnd, text.len() as u32 + 1)
        });
        let end = ended.unwrap_or_default();
        let len = u32::try_from(text.len() + end.len()).map_err(|_| self.fault(Reason::String, field))?;
        if len < 0xFFFF {
            self.formed(FormKind::TextLength, len, &(len as u16).to_le_bytes());
        } else {
            self.put(&[0xFF, 0xFF]);
            self.put(&len.to_le_bytes());
        }
        self.bytes.extend_from_slice(text);
        self.bytes.extend_from_slice(end);
        self.align();
        Ok(())
    }

    fn known(&mut self, value: &mut DatId, base: u32, field: &'static str) -> Result<()> {
        // 0 stands for "none" and is written as the base itself.
        let id = if value.0 == 0 { base } else { value.0 };
        match id.wrapping_sub(base) {
            delta @ 0..=0x3FFF => self.formed(FormKind::Known, id, &(delta as u16).to_le_bytes()),
            delta @ 0x4000..=0x3FFF_FFFF => self.long(FormKind::Known, id, delta),
            _ => return Err(self.fault(Reason::Value, field)),
        }
        Ok(())
    }

    fn class(&mut self, value: &mut u32, field: &'static str) -> Result<()> {
        match *value {
            short @ 0..=0x7FFF => self.formed(FormKind::Class, short, &(short as u16).to_le_bytes()),
            long @ 0x8000..=0x7FFF_FFFF => self.long(FormKind::Class, long, long),
            _ => return Err(self.fault(Reason::Value, field)),
        }
        Ok(())
    }

    fn optional_with<T: Default>(
        &mut self,
        _: bool,
        value: &mut Option<T>,
        content: impl FnOnce(&mut Self, &mut T) -> Result<()>,
    ) -> Result<()> {
        value.as_mut().map_or(Ok(()), |value| content(self, value))
    }

    fn few<T: Layout>(&mut self, _: usize, list: &mut Vec<T>, field: &'static str) -> Result<()> {
        list.iter_mut().try_for_each(|value| self.value(value, field))
    }

    fn buffer<T: Layout>(&mut self, value: &mut Option<T>, field: &'static str) -> Result<()> {
        let offset = self.bytes.len();
        self.put(&[0; 4]);
        let start = self.bytes.len();
        if let Some(value) = value {
            let base = std::mem::replace(&mut self.base, start);
            self.value(value, field)?;
            self.base = base;
            self.formed(FormKind::BufferEnd, 0, &[]);
        }
        let len = u32::try_from(self.bytes.len() - start).map_err(|_| self.fault(Reason::Count, field))?;
        if let Some(place) = self.bytes.get_mut(offset..start) {
            place.copy_from_slice(&len.to_le_bytes());
        }
        Ok(())
    }

    fn remaining(&self) -> Option<usize> {
        None
    }

    fn fault(&self, reason: Reason, field: &'static str) -> MessageError {
        MessageError { reason, opcode: None, offset: self.bytes.len(), field }
    }
}
