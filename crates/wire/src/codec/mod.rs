//! One description of every layout, for reading and for writing.
//!
//! A type lists its fields once, in [`Layout::layout`]; a [`Reader`] reads them, a [`Writer`] writes
//! them. Values that have several byte forms (an id in a longer form than needed, unknown flag bits,
//! padding that is not zero) are read as the same value; a reader that keeps [`Forms`] remembers how they were written,
//! and a writer that is given them repeats that wherever it writes the same value at the same place. An unchanged
//! message therefore comes out identical to the byte. Spec: wire §1.

mod forms;
mod reader;
mod values;
mod writer;

pub use forms::Forms;
use forms::{Form, FormKind};
pub(crate) use reader::Reader;
pub(crate) use values::layout_struct;
pub(crate) use writer::Writer;

use crate::error::{MessageError, Reason};
use threshold_dat::{DatId, records::Text};

pub(crate) type Result<T> = std::result::Result<T, MessageError>;

/// A value with one layout.
pub(crate) trait Layout: Default {
    /// The fewest bytes a value takes: what a count is checked against.
    const MIN: usize;

    /// Names the fields in the order in which they are sent. A single value goes by the name `field`.
    fn layout<C: Codec>(&mut self, c: &mut C, field: &'static str) -> Result<()>;
}

/// One direction: every method reads into its value, or writes it.
pub(crate) trait Codec: Sized {
    /// Bytes as they are.
    fn raw<const N: usize>(&mut self, value: &mut [u8; N], field: &'static str) -> Result<()>;

    /// A word of `N` bytes that has forms, mostly flags: reading returns what was sent, whatever `usual` is; writing
    /// sends `usual`, or what was read where `usual` is now written, and returns that.
    fn word<const N: usize>(&mut self, usual: u32, field: &'static str) -> Result<Word>;

    /// Ends what began with a word: `usual` is what the values that were read would be sent with.
    fn settle(&mut self, word: Word, usual: u32);

    /// Advances to a multiple of 4; at the end of the message the padding may be missing.
    fn align(&mut self);

    /// A string, its padding included.
    fn text(&mut self, value: &mut Text, field: &'static str) -> Result<()>;

    /// An id relative to the first one of its type.
    fn known(&mut self, value: &mut DatId, base: u32, field: &'static str) -> Result<()>;

    /// The number of a weenie class.
    fn class(&mut self, value: &mut u32, field: &'static str) -> Result<()>;

    /// A value that is there when a flag says so. Writing looks at the value alone.
    fn optional_with<T: Default>(
        &mut self,
        present: bool,
        value: &mut Option<T>,
        content: impl FnOnce(&mut Self, &mut T) -> Result<()>,
    ) -> Result<()>;

    /// A few elements, at most 255. Writing looks at the list alone.
    fn few<T: Layout>(&mut self, count: usize, list: &mut Vec<T>, field: &'static str) -> Result<()>;

    /// A part with its length in front and an alignment of its own; absent when it is empty.
    fn buffer<T: Layout>(&mut self, value: &mut Option<T>, field: &'static str) -> Result<()>;

    /// Bytes of the message that are left, when that decides what follows; unknown when writing.
    fn remaining(&self) -> Option<usize>;

    /// What is wrong at this place.
    fn fault(&self, reason: Reason, field: &'static str) -> MessageError;

    /// The next value of any type.
    #[inline]
    fn value<T: Layout>(&mut self, value: &mut T, field: &'static str) -> Result<()> {
        value.layout(self, field)
    }

    /// A value that is there when a flag says so.
    #[inline]
    fn optional<T: Layout>(
        &mut self,
        present: bool,
        value: &mut Option<T>,
        field: &'static str,
    ) -> Result<()> {
        self.optional_with(present, value, |c, value| c.value(value, field))
    }

    /// Any number of elements; a count that the rest of the message cannot hold is refused before anything is made.
    fn elements<T: Layout>(&mut self, count: usize, list: &mut Vec<T>, field: &'static str) -> Result<()> {
        if self.remaining().is_some_and(|left| count.saturating_mul(T::MIN) > left) {
            return Err(self.fault(Reason::Count, field));
        }
        self.few(count, list, field)
    }

    /// Zero or not, in `N` bytes.
    fn truth<const N: usize>(&mut self, value: &mut bool, field: &'static str) -> Result<()> {
        let word = self.word::<N>((*value).into(), field)?;
        *value = word.sent != 0;
        self.settle(word, (*value).into());
        Ok(())
    }

    /// The length of a list as a number of `N` bytes.
    fn count<const N: usize>(&mut self, len: usize, field: &'static str) -> Result<usize> {
        let len = u32::try_from(len).map_err(|_| self.fault(Reason::Count, field))?;
        Ok(self.word::<N>(len, field)?.sent as usize)
    }
}

/// A word as it was sent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word {
    /// All its bits.
    pub(crate) sent: u32,
    offset: usize,
    size: usize,
}

impl Word {
    pub(crate) fn has(self, bits: u32) -> bool {
        self.sent & bits != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(value: &mut impl Layout, forms: &Forms) -> Vec<u8> {
        let mut w = Writer::new(forms);
        w.value(value, "test").unwrap();
        w.into_bytes()
    }

    /// Reads one value and requires that it is written as it was.
    fn both_ways<T: Layout>(sent: &[u8]) -> (T, Forms) {
        let mut r = Reader::exact(sent);
        let mut value = T::default();
        r.value(&mut value, "test").unwrap();
        let forms = r.into_forms();
        assert_eq!(bytes(&mut value, &forms), sent);
        (value, forms)
    }

    #[derive(Default)]
    struct Model(DatId);

    impl Layout for Model {
        const MIN: usize = 2;

        fn layout<C: Codec>(&mut self, c: &mut C, field: &'static str) -> Result<()> {
            c.known(&mut self.0, 0x0100_0000, field)
        }
    }

    #[test]
    fn ids_of_a_known_type_are_sent_from_its_first_id() {
        for (sent, id, usual) in [
            (&[0x01, 0x00][..], 0x0100_0001, true),
            (&[0xFF, 0x3F], 0x0100_3FFF, true),
            (&[0x00, 0x80, 0x54, 0x48], 0x0100_4854, true),
            (&[0x01, 0x80, 0xCD, 0xAB], 0x0101_ABCD, true),
            // Emulators use the short form up to 0x7FFF.
            (&[0x1B, 0x48], 0x0100_481B, false),
            (&[0x00, 0xC0, 0x54, 0x48], 0x0100_4854, false),
            (&[0x00, 0x80, 0x01, 0x00], 0x0100_0001, false),
        ] {
            let (model, forms) = both_ways::<Model>(sent);
            assert_eq!((model.0, forms.is_usual()), (DatId(id), usual));
        }
        assert_eq!(bytes(&mut Model(DatId(0)), &Forms::default()), [0, 0], "none is the first id");
        let forms = Forms::default();
        assert!(Writer::new(&forms).value(&mut Model(DatId(0x00FF_FFFF)), "test").is_err());
    }

    #[test]
    fn a_zero_after_a_text_is_not_part_of_it_and_is_sent_again() {
        let (text, forms) = both_ways::<Text>(b"\x05\x00Door\0\0");
        assert_eq!(text.to_string(), "Door");
        assert_eq!(bytes(&mut Text::from("Gate"), &forms), b"\x05\x00Gate\0\0");
        assert_eq!(
            bytes(&mut Text::from("Gates"), &forms),
            b"\x05\x00Gates\0",
            "another text, the usual form"
        );
    }

    #[test]
    fn odd_lengths_and_padding_are_sent_again() {
        let (text, _) = both_ways::<Text>(b"\xFF\xFF\x04\0\0\0Door\x07\x08");
        assert_eq!(text.to_string(), "Door");
        both_ways::<Text>(b"\xFF\xFF\x05\0\0\0Door\0\x09");
        both_ways::<Text>(b"\x03\0Cat");
        let (text, _) = both_ways::<Text>(b"\0\0");
        assert_eq!(text.to_string(), "");
    }

    #[test]
    fn a_string_that_is_longer_than_the_message_is_refused_before_it_is_made() {
        let refused =
            Reader::new(b"\xFF\xFF\xFF\xFF\xFF\x7Fab").value(&mut Text::default(), "name").unwrap_err();
        assert_eq!((refused.reason, refused.offset, refused.field), (Reason::String, 0, "name"));
        let cut = Reader::new(b"\xFF\xFF\xFF").value(&mut Text::default(), "name").unwrap_err();
        assert_eq!((cut.reason, cut.offset), (Reason::Truncated, 2));
    }
}
