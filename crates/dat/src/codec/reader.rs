//! The cursor over the bytes of one record.

use super::{Form, FormKind, Result, Wire};
use crate::records::{Note, Severity};
use crate::{DatId, RecordError};

/// More notes than this say nothing new, and a hostile record could ask for millions.
const MAX_NOTES: usize = 64;

/// Whether animation hooks are followed by padding; no shipped record settles it. Spec: dat-portal §9.2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum HookPadding {
    /// Every hook ends at a multiple of 4.
    #[default]
    Aligned,
    /// Hooks follow each other directly.
    None,
}

/// Reads one record, never past its end; every failure names the record, the field and the offset.
#[derive(Debug)]
pub struct Reader<'a> {
    id: DatId,
    bytes: &'a [u8],
    pos: usize,
    strict: bool,
    notes: Option<Vec<Note>>,
    forms: Vec<Form>,
    hook_padding: HookPadding,
    hook_gaps: usize,
}

impl<'a> Reader<'a> {
    /// A lenient reader that keeps no notes: what the engine loads with.
    pub(crate) fn new(id: DatId, bytes: &'a [u8]) -> Self {
        Reader {
            id,
            bytes,
            pos: 0,
            strict: false,
            notes: None,
            forms: Vec::new(),
            hook_padding: HookPadding::Aligned,
            hook_gaps: 0,
        }
    }

    /// A reader that also examines what the engine tolerates.
    pub(crate) fn examining(id: DatId, bytes: &'a [u8], strict: bool, hook_padding: HookPadding) -> Self {
        Reader { strict, notes: Some(Vec::new()), hook_padding, ..Reader::new(id, bytes) }
    }

    pub(crate) fn with_hook_padding(self, hook_padding: HookPadding) -> Self {
        Reader { hook_padding, ..self }
    }

    pub(crate) fn pos(&self) -> usize {
        self.pos
    }

    pub(crate) fn remaining(&self) -> usize {
        self.rest().len()
    }

    /// What is left, without taking it.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.pos..).unwrap_or_default()
    }

    /// True when notes are kept, so that checks which only lead to notes are worth their time.
    pub(crate) fn examines(&self) -> bool {
        self.notes.is_some()
    }

    /// True when some hook did not end at a multiple of 4: only then does the padding rule matter.
    pub(crate) fn met_hook_gap(&self) -> bool {
        self.hook_gaps > 0
    }

    /// The bytes that no field claimed, the notes and the unusual forms.
    pub(crate) fn finish(self) -> (&'a [u8], Vec<Note>, Vec<Form>) {
        (self.rest(), self.notes.unwrap_or_default(), self.forms)
    }

    #[cold]
    pub(crate) fn error(
        &self,
        field: &'static str,
        offset: usize,
        problem: impl Into<String>,
    ) -> RecordError {
        RecordError { id: self.id, field, offset, problem: problem.into() }
    }

    #[cold]
    fn too_short(&self, field: &'static str, needed: usize) -> RecordError {
        self.error(field, self.pos, format!("needs {needed} bytes, {} are left", self.remaining()))
    }

    /// Accepts something unusual, kept as stored.
    pub(crate) fn note(&mut self, field: &'static str, offset: usize, problem: impl FnOnce() -> String) {
        self.remember(Severity::Note, field, offset, problem);
    }

    /// Accepts something that users of the value replace by a substitute; an error in strict mode.
    pub(crate) fn repair(
        &mut self,
        field: &'static str,
        offset: usize,
        problem: impl FnOnce() -> String,
    ) -> Result<()> {
        if self.strict {
            return Err(self.error(field, offset, problem()));
        }
        self.remember(Severity::Repair, field, offset, problem);
        Ok(())
    }

    /// Accepts something the layout does not know, kept as stored; an error in strict mode.
    pub(crate) fn tolerate(
        &mut self,
        field: &'static str,
        offset: usize,
        problem: impl FnOnce() -> String,
    ) -> Result<()> {
        if self.strict {
            return Err(self.error(field, offset, problem()));
        }
        self.note(field, offset, problem);
        Ok(())
    }

    fn remember(
        &mut self,
        severity: Severity,
        field: &'static str,
        offset: usize,
        problem: impl FnOnce() -> String,
    ) {
        let Some(notes) = &mut self.notes else { return };
        if notes.len() < MAX_NOTES {
            notes.push(Note { severity, field, offset, problem: problem() });
        } else if notes.len() == MAX_NOTES {
            let problem = "further notes are left out".to_owned();
            notes.push(Note { severity: Severity::Note, field, offset, problem });
        }
    }

    fn keep_form(&mut self, offset: usize, kind: FormKind, value: u32) {
        // The engine never writes what it loaded.
        if self.notes.is_none() {
            return;
        }
        let stored = self.bytes.get(offset..self.pos).unwrap_or_default();
        let mut form = Form { offset, kind, value, bytes: [0; 6], len: stored.len() as u8 };
        if let Some(kept) = form.bytes.get_mut(..stored.len()) {
            kept.copy_from_slice(stored);
            self.forms.push(form);
        }
    }

    /// The next value of any type.
    #[inline]
    pub(crate) fn read<T: Wire>(&mut self, field: &'static str) -> Result<T> {
        T::read(self, field)
    }

    #[inline]
    pub(crate) fn chunk<const N: usize>(&mut self, field: &'static str) -> Result<[u8; N]> {
        match self.bytes.get(self.pos..).and_then(|rest| rest.first_chunk::<N>()) {
            Some(chunk) => {
                self.pos += N;
                Ok(*chunk)
            }
            None => Err(self.too_short(field, N)),
        }
    }

    pub(crate) fn slice(&mut self, len: usize, field: &'static str) -> Result<&'a [u8]> {
        match self.bytes.get(self.pos..).and_then(|rest| rest.get(..len)) {
            Some(slice) => {
                self.pos += len;
                Ok(slice)
            }
            None => Err(self.too_short(field, len)),
        }
    }

    /// Refuses a count whose elements cannot all be in what is left, before anything is allocated for it.
    pub(crate) fn check_count(
        &self,
        count: u64,
        smallest: u64,
        offset: usize,
        field: &'static str,
    ) -> Result<()> {
        if count.saturating_mul(smallest) > self.remaining() as u64 {
            return Err(self.error(
                field,
                offset,
                format!(
                    "{count} elements of at least {smallest} bytes do not fit into the {} bytes left",
                    self.remaining()
                ),
            ));
        }
        Ok(())
    }

    /// A u32 count of elements of at least `smallest` bytes.
    pub(crate) fn count(&mut self, smallest: usize, field: &'static str) -> Result<usize> {
        let offset = self.pos;
        let count: u32 = self.read(field)?;
        self.check_count(count.into(), smallest as u64, offset, field)?;
        Ok(count as usize)
    }

    /// A compressed count of elements of at least `smallest` bytes.
    pub(crate) fn compressed_count(&mut self, smallest: usize, field: &'static str) -> Result<usize> {
        let offset = self.pos;
        let count = self.compressed(field)?;
        self.check_count(count.into(), smallest as u64, offset, field)?;
        Ok(count as usize)
    }

    /// `count` elements, each read by `element`; the count must have been checked.
    pub(crate) fn elements<T>(
        &mut self,
        count: usize,
        mut element: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut list = Vec::with_capacity(count);
        for _ in 0..count {
            list.push(element(self)?);
        }
        Ok(list)
    }

    /// A number in 1, 2 or 4 bytes; the last two of the long form are little-endian. Spec: dat-container §1.2.
    pub(crate) fn compressed(&mut self, field: &'static str) -> Result<u32> {
        let offset = self.pos;
        let [first] = self.chunk(field)?;
        let (value, smallest) = match first >> 6 {
            0 | 1 => return Ok(first.into()),
            2 => {
                let [second] = self.chunk(field)?;
                (u32::from(first & 0x3F) << 8 | u32::from(second), 0x80)
            }
            _ => {
                let [second, low, high] = self.chunk(field)?;
                let half = u16::from_le_bytes([low, high]);
                (u32::from(first & 0x3F) << 24 | u32::from(second) << 16 | u32::from(half), 0x4000)
            }
        };
        if value < smallest {
            self.note(field, offset, || format!("{value} is stored in a longer form than it needs"));
            self.keep_form(offset, FormKind::Compressed, value);
        }
        Ok(value)
    }

    /// A data id stored relative to the first id of its type. Spec: dat-container §1.3.
    pub(crate) fn known_id(&mut self, base: u32, field: &'static str) -> Result<DatId> {
        let offset = self.pos;
        let first: u16 = self.read(field)?;
        let (delta, usual) = if first & 0x8000 == 0 {
            (u32::from(first), first < 0x4000)
        } else {
            let second: u16 = self.read(field)?;
            let delta = u32::from(first & 0x3FFF) << 16 | u32::from(second);
            (delta, first & 0x4000 == 0 && delta >= 0x4000)
        };
        let id = base.wrapping_add(delta);
        if !usual {
            self.note(field, offset, || format!("{} is not stored in its usual form", DatId(id)));
            self.keep_form(offset, FormKind::KnownId(base), id);
        }
        Ok(DatId(id))
    }

    /// Zero or one in four bytes; anything else is true.
    pub(crate) fn bool32(&mut self, field: &'static str) -> Result<bool> {
        let offset = self.pos;
        let value: u32 = self.read(field)?;
        if value > 1 {
            self.note(field, offset, || format!("truth value {value:#x} instead of 0 or 1"));
            self.keep_form(offset, FormKind::Bool, 1);
        }
        Ok(value != 0)
    }

    /// The length of a legacy string: 16 bits, or the escape 0xFFFF and 32 bits. Spec: dat-container §1.4.
    pub(crate) fn text_length(&mut self, field: &'static str) -> Result<usize> {
        let offset = self.pos;
        let short: u16 = self.read(field)?;
        if short != 0xFFFF {
            return Ok(short.into());
        }
        let long: u32 = self.read(field)?;
        if long < 0xFFFF {
            self.note(field, offset, || format!("length {long} is stored in its long form"));
            self.keep_form(offset, FormKind::TextLength, long);
        }
        Ok(long as usize)
    }

    /// The record's own id, which should be the one the directory has.
    pub(crate) fn own_id(&mut self, differing_is_repair: bool, field: &'static str) -> Result<()> {
        let offset = self.pos;
        let stored: DatId = self.read(field)?;
        if stored != self.id {
            let problem = move || format!("the record says {stored}; the directory's id is used");
            if differing_is_repair {
                self.repair(field, offset, problem)?;
            } else {
                self.note(field, offset, problem);
            }
            self.keep_form(offset, FormKind::OwnId, self.id.0);
        }
        Ok(())
    }

    /// Advances to a multiple of 4 counted from the start of the record.
    pub(crate) fn align(&mut self, field: &'static str) -> Result<()> {
        let offset = self.pos;
        let gap = offset.next_multiple_of(4) - offset;
        let padding = self.slice(gap, field)?;
        if padding.iter().any(|&byte| byte != 0) {
            self.note(field, offset, || format!("padding {padding:02x?} instead of zeros"));
            self.keep_form(offset, FormKind::Padding, gap as u32);
        }
        Ok(())
    }

    /// What follows a hook, by the rule this reader was told to try.
    pub(crate) fn align_after_hook(&mut self) -> Result<()> {
        let gap = self.pos.next_multiple_of(4) - self.pos;
        if gap == 0 {
            return Ok(());
        }
        self.hook_gaps += 1;
        if self.hook_padding == HookPadding::None {
            return Ok(());
        }
        let offset = self.pos;
        let padding = self.slice(gap, "hook padding")?;
        if padding.iter().any(|&byte| byte != 0) {
            return Err(self.error("hook padding", offset, "is not zero"));
        }
        Ok(())
    }

    /// Floats as they are stored, whatever they are.
    #[inline]
    pub(crate) fn floats<const N: usize>(&mut self, field: &'static str) -> Result<[f32; N]> {
        let bytes = self.slice(4 * N, field)?;
        let mut values = [0.0; N];
        for (value, bytes) in values.iter_mut().zip(bytes.as_chunks().0) {
            *value = f32::from_le_bytes(*bytes);
        }
        Ok(values)
    }

    /// Floats on which geometry depends: NaN and infinity make the record useless.
    #[inline]
    pub(crate) fn finite<const N: usize>(&mut self, field: &'static str) -> Result<[f32; N]> {
        let offset = self.pos;
        let values: [f32; N] = self.floats(field)?;
        match values.iter().position(|value| !value.is_finite()) {
            None => Ok(values),
            Some(index) => Err(self.error(
                field,
                offset + 4 * index,
                format!("{} is not a finite number", values[index]),
            )),
        }
    }

    /// Notes keys that occur twice: the first one counts, all are kept.
    pub(crate) fn note_duplicates<K: Ord + Copy + std::fmt::Display>(
        &mut self,
        field: &'static str,
        offset: usize,
        keys: impl Iterator<Item = K>,
    ) {
        if !self.examines() {
            return;
        }
        let mut keys: Vec<K> = keys.collect();
        keys.sort_unstable();
        let twice = keys.windows(2).find_map(|pair| (pair[0] == pair[1]).then_some(pair[0]));
        if let Some(key) = twice {
            self.note(field, offset, || format!("key {key} occurs more than once; the first one counts"));
        }
    }
}
