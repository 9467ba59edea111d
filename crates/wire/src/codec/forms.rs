//! Records which byte form was used for values that have several.

/// The byte forms of a message that differ from the usual ones, and the bytes after its last field.
///
/// Made by [`Message::decode_exact`](crate::Message::decode_exact); the default writes everything in the usual form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Forms {
    pub(super) forms: Vec<Form>,
    pub(super) rest: Vec<u8>,
}

impl Forms {
    /// Whether the message was written in the usual form throughout.
    pub fn is_usual(&self) -> bool {
        self.forms.is_empty() && self.rest.is_empty()
    }

    pub(super) fn find(&self, offset: usize, kind: FormKind, value: u32) -> Option<&[u8]> {
        let start = self.forms.partition_point(|form| form.offset < offset);
        let mut here = self.forms.get(start..)?.iter().take_while(|form| form.offset == offset);
        here.find(|form| form.kind == kind && form.value == value).map(|form| form.bytes.as_slice())
    }
}

/// A value that was stored in another form than the usual one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Form {
    pub(super) offset: usize,
    pub(super) kind: FormKind,
    pub(super) value: u32,
    pub(super) bytes: Vec<u8>,
}

/// What a form belongs to, so that one never serves another kind of value after an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FormKind {
    Word,
    Known,
    Class,
    TextLength,
    /// A zero byte after the text; the bytes are that zero.
    TextEnd,
    Padding,
    /// The rest of a buffer.
    BufferEnd,
}
