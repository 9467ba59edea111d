//! From bytes to values.

use super::{Codec, Form, FormKind, Forms, Layout, Result, Word};
use crate::error::{MessageError, Reason};
use threshold_dat::{DatId, records::Text};

/// Reads one message, never past its end.
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    pos: usize,
    /// What alignment counts from: the message, or the buffer that is being read.
    base: usize,
    /// Kept only when the message is to be written again.
    forms: Option<Vec<Form>>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Reader { bytes, pos: 0, base: 0, forms: None }
    }

    /// A reader that remembers unusual forms.
    pub(crate) fn exact(bytes: &'a [u8]) -> Self {
        Reader { forms: Some(Vec::new()), ..Reader::new(bytes) }
    }

    /// What no field claimed.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.pos..).unwrap_or_default()
    }

    /// Takes what no field claimed.
    pub(crate) fn take_rest(&mut self) -> &'a [u8] {
        let rest = self.rest();
        self.pos = self.bytes.len();
        rest
    }

    pub(crate) fn into_forms(self) -> Forms {
        let rest = self.rest().to_vec();
        Forms { forms: self.forms.unwrap_or_default(), rest }
    }

    #[inline]
    fn chunk<const N: usize>(&mut self, field: &'static str) -> Result<[u8; N]> {
        match self.bytes.get(self.pos..).and_then(|rest| rest.first_chunk::<N>()) {
            Some(chunk) => {
                self.pos += N;
                Ok(*chunk)
            }
            None => Err(self.fault(Reason::Truncated, field)),
        }
    }

    fn half(&mut self, field: &'static str) -> Result<u32> {
        Ok(u16::from_le_bytes(self.chunk(field)?).into())
    }

    /// Remembers the bytes from `offset` to `end` as the form of a value.
    fn keep(&mut self, offset: usize, end: usize, kind: FormKind, value: u32) {
        if let Some(forms) = &mut self.forms {
            let bytes = self.bytes.get(offset..end).unwrap_or_default().to_vec();
            let place = forms.partition_point(|form| form.offset <= offset);
            forms.insert(place, Form { offset, kind, value, bytes });
        }
    }
}

impl Codec for Reader<'_> {
    #[inline]
    fn raw<const N: usize>(&mut self, value: &mut [u8; N], field: &'static str) -> Result<()> {
        *value = self.chunk(field)?;
        Ok(())
    }

    #[inline]
    fn word<const N: usize>(&mut self, _: u32, field: &'static str) -> Result<Word> {
        let offset = self.pos;
        let bytes: [u8; N] = self.chunk(field)?;
        let sent = bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte));
        Ok(Word { sent, offset, size: N })
    }

    #[inline]
    fn settle(&mut self, word: Word, usual: u32) {
        if word.sent != usual {
            self.keep(word.offset, word.offset + word.size, FormKind::Word, usual);
        }
    }

    #[inline]
    fn align(&mut self) {
        let offset = self.pos;
        let gap = (self.base.wrapping_sub(offset)) % 4;
        self.pos = (offset + gap).min(self.bytes.len());
        if self.forms.is_some() {
            let padding = self.bytes.get(offset..self.pos).unwrap_or_default();
            if padding.len() < gap || padding.iter().any(|&byte| byte != 0) {
                self.keep(offset, self.pos, FormKind::Padding, gap as u32);
            }
        }
    }

    fn text(&mut self, value: &mut Text, field: &'static str) -> Result<()> {
        let offset = self.pos;
        let mut len = self.half(field)?;
        let is_long = len == 0xFFFF;
        if is_long {
            len = u32::from_le_bytes(self.chunk(field)?);
        }
        let Some(text) = self.rest().get(..len as usize) else {
            self.pos = offset;
            return Err(self.fault(Reason::String, field));
        };
        if is_long && len < 0xFFFF {
            self.keep(offset, self.pos, FormKind::TextLength, len);
        }
        self.pos += text.len();
        let ended = text.strip_suffix(&[0]);
        if ended.is_some() {
            self.keep(self.pos - 1, self.pos, FormKind::TextEnd, len);
        }
        *value = Text(ended.unwrap_or(text).to_vec());
        self.align();
        Ok(())
    }

    #[inline]
    fn known(&mut self, value: &mut DatId, base: u32, field: &'static str) -> Result<()> {
        let offset = self.pos;
        let first = self.half(field)?;
        let (delta, is_usual) = if first & 0x8000 == 0 {
            (first, first < 0x4000)
        } else {
            let delta = (first & 0x3FFF) << 16 | self.half(field)?;
            (delta, first & 0x4000 == 0 && delta >= 0x4000)
        };
        *value = DatId(base.wrapping_add(delta));
        if !is_usual {
            self.keep(offset, self.pos, FormKind::Known, value.0);
        }
        Ok(())
    }

    fn class(&mut self, value: &mut u32, field: &'static str) -> Result<()> {
        let offset = self.pos;
        let first = self.half(field)?;
        *value = first;
        if first & 0x8000 != 0 {
            *value = (first & 0x7FFF) << 16 | self.half(field)?;
            if *value < 0x8000 {
                self.keep(offset, self.pos, FormKind::Class, *value);
            }
        }
        Ok(())
    }

    #[inline]
    fn optional_with<T: Default>(
        &mut self,
        present: bool,
        value: &mut Option<T>,
        content: impl FnOnce(&mut Self, &mut T) -> Result<()>,
    ) -> Result<()> {
        if present { content(self, value.insert(T::default())) } else { Ok(()) }
    }

    fn few<T: Layout>(&mut self, count: usize, list: &mut Vec<T>, field: &'static str) -> Result<()> {
        list.reserve_exact(count);
        for _ in 0..count {
            let mut value = T::default();
            self.value(&mut value, field)?;
            list.push(value);
        }
        Ok(())
    }

    fn buffer<T: Layout>(&mut self, value: &mut Option<T>, field: &'static str) -> Result<()> {
        let offset = self.pos;
        let len = u32::from_le_bytes(self.chunk(field)?) as usize;
        let (message, start) = (self.bytes, self.pos);
        let Some(buffer) = start.checked_add(len).and_then(|end| message.get(..end)) else {
            self.pos = offset;
            return Err(self.fault(Reason::Count, field));
        };
        if len == 0 {
            return Ok(());
        }
        let base = std::mem::replace(&mut self.base, start);
        self.bytes = buffer;
        let result = self.value(value.insert(T::default()), field);
        (self.bytes, self.base) = (message, base);
        result?;
        let last = std::mem::replace(&mut self.pos, buffer.len());
        if last < self.pos {
            self.keep(last, self.pos, FormKind::BufferEnd, 0);
        }
        Ok(())
    }

    fn remaining(&self) -> Option<usize> {
        Some(self.rest().len())
    }

    #[cold]
    fn fault(&self, reason: Reason, field: &'static str) -> MessageError {
        MessageError { reason, opcode: None, offset: self.pos, field }
    }
}
