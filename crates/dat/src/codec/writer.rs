//! Builds the bytes of one record.

use super::{Form, FormKind, HookPadding, Result, Wire};
use crate::{DatId, RecordError};

/// Writes one record; values the format cannot hold are errors that name the field.
#[derive(Debug)]
pub struct Writer<'f> {
    id: DatId,
    bytes: Vec<u8>,
    forms: &'f [Form],
    hook_padding: HookPadding,
}

impl<'f> Writer<'f> {
    /// A writer that repeats `forms`, sorted by offset, where they still fit.
    pub(crate) fn new(id: DatId, forms: &'f [Form], hook_padding: HookPadding) -> Self {
        Writer { id, bytes: Vec::new(), forms, hook_padding }
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    #[cold]
    pub(crate) fn error(&self, field: &'static str, problem: impl Into<String>) -> RecordError {
        RecordError { id: self.id, field, offset: self.bytes.len(), problem: problem.into() }
    }

    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    pub(crate) fn write<T: Wire>(&mut self, value: &T, field: &'static str) -> Result<()> {
        value.write(self, field)
    }

    /// Elements without a count.
    pub(crate) fn elements<T: Wire>(&mut self, list: &[T], field: &'static str) -> Result<()> {
        list.iter().try_for_each(|element| element.write(self, field))
    }

    fn formed(&mut self, kind: FormKind, value: u32, usual: &[u8]) {
        let at = self.bytes.len();
        let kept = self.forms.binary_search_by_key(&at, |form| form.offset).ok();
        match kept.and_then(|index| self.forms.get(index)) {
            Some(form) if form.kind == kind && form.value == value => {
                self.bytes.extend(form.bytes.iter().take(form.len.into()));
            }
            _ => self.raw(usual),
        }
    }

    /// A count that fits the integer type `N`.
    pub(crate) fn count_as<N: TryFrom<usize> + Wire>(
        &mut self,
        count: usize,
        field: &'static str,
    ) -> Result<()> {
        match N::try_from(count) {
            Ok(count) => count.write(self, field),
            Err(_) => Err(self.error(field, format!("{count} elements are more than the format can count"))),
        }
    }

    pub(crate) fn compressed(&mut self, value: u32, field: &'static str) -> Result<()> {
        let [top, high, middle, low] = value.to_be_bytes();
        match value {
            0..=0x7F => self.formed(FormKind::Compressed, value, &[low]),
            0x80..=0x3FFF => self.formed(FormKind::Compressed, value, &[0x80 | middle, low]),
            0x4000..=0x3FFF_FFFF => {
                self.formed(FormKind::Compressed, value, &[0xC0 | top, high, low, middle])
            }
            _ => return Err(self.error(field, format!("{value:#x} is above 0x3FFFFFFF"))),
        }
        Ok(())
    }

    pub(crate) fn compressed_count(&mut self, count: usize, field: &'static str) -> Result<()> {
        self.compressed(u32::try_from(count).unwrap_or(u32::MAX), field)
    }

    /// An id relative to `base`; 0 ("none") is written as the base itself.
    pub(crate) fn known_id(&mut self, id: DatId, base: u32, field: &'static str) -> Result<()> {
        let id = if id.0 == 0 { base } else { id.0 };
        let kind = FormKind::KnownId(base);
        match id.checked_sub(base) {
            Some(delta @ 0..=0x3FFF) => self.formed(kind, id, &(delta as u16).to_le_bytes()),
            Some(delta @ 0x4000..=0x3FFF_FFFF) => {
                let [a, b] = ((delta >> 16) as u16 | 0x8000).to_le_bytes();
                let [c, d] = (delta as u16).to_le_bytes();
                self.formed(kind, id, &[a, b, c, d]);
            }
            _ => {
                return Err(self.error(field, format!("{} is not an id of the type {base:#010x}", DatId(id))));
            }
        }
        Ok(())
    }

    pub(crate) fn bool32(&mut self, value: bool) {
        self.formed(FormKind::Bool, value.into(), &u32::from(value).to_le_bytes());
    }

    pub(crate) fn text_length(&mut self, len: usize, field: &'static str) -> Result<()> {
        match u32::try_from(len) {
            Ok(len @ 0..=0xFFFE) => self.formed(FormKind::TextLength, len, &(len as u16).to_le_bytes()),
            Ok(len) => {
                let [a, b, c, d] = len.to_le_bytes();
                self.raw(&[0xFF, 0xFF, a, b, c, d]);
            }
            Err(_) => return Err(self.error(field, format!("a string of {len} bytes is too long"))),
        }
        Ok(())
    }

    pub(crate) fn own_id(&mut self) {
        self.formed(FormKind::OwnId, self.id.0, &self.id.0.to_le_bytes());
    }

    pub(crate) fn align(&mut self) {
        let gap = self.bytes.len().next_multiple_of(4) - self.bytes.len();
        self.formed(FormKind::Padding, gap as u32, [0; 4].get(..gap).unwrap_or_default());
    }

    pub(crate) fn align_after_hook(&mut self) {
        if self.hook_padding == HookPadding::Aligned {
            self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        }
    }
}
