//! One entry point for every kind of record, and what decoding returns besides the value.

use super::*;
use crate::codec::{Form, HookPadding, Reader, Wire, Writer};
use crate::{DatId, Mode, RecordError, RecordKind};
#[cfg(feature = "serde")]
use serde::Serialize;

type Result<T> = std::result::Result<T, RecordError>;

/// How grave a note is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Severity {
    /// Unusual, but used unchanged.
    Note,
    /// Users of the value replace it by a substitute; an error in strict mode.
    Repair,
}

/// A deviation that a lenient reader tolerated.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Note {
    /// Its severity.
    pub severity: Severity,
    /// Field in question.
    pub field: &'static str,
    /// Byte offset from the start of the record.
    pub offset: usize,
    /// Found and expected values.
    pub problem: String,
}

/// A value with everything needed to re-encode the record byte for byte.
#[derive(Debug, Clone, PartialEq)]
pub struct Decoded<T> {
    /// The directory's id.
    pub id: DatId,
    /// The record's content.
    pub value: T,
    /// What the reader tolerated, in order of occurrence.
    pub notes: Vec<Note>,
    /// Bytes after the last known field.
    pub trailing: Vec<u8>,
    forms: Vec<Form>,
    hook_padding: HookPadding,
}

impl<T> Decoded<T> {
    fn map<U>(self, into: impl FnOnce(T) -> U) -> Decoded<U> {
        let Decoded { id, value, notes, trailing, forms, hook_padding } = self;
        Decoded { id, value: into(value), notes, trailing, forms, hook_padding }
    }
}

impl<T: DatRecord> Decoded<T> {
    /// The record's bytes: those it was read from unless the value was changed.
    pub fn encode(&self) -> Result<Vec<u8>> {
        write_record(&self.value, self)
    }
}

impl Decoded<Record> {
    /// The record's bytes: those it was read from unless the value was changed.
    pub fn encode(&self) -> Result<Vec<u8>> {
        self.value.write_as(self)
    }
}

/// A record type with a known layout.
pub trait DatRecord: Wire {
    /// The kind of id it is stored under.
    const KIND: RecordKind;
    /// Whether the record starts with its own id.
    #[doc(hidden)]
    const STARTS_WITH_ID: bool = true;

    /// Reads a record the way the engine does: leniently, without notes.
    fn load(id: DatId, bytes: &[u8]) -> Result<Self> {
        let mut r = Reader::new(id, bytes);
        match read_record(&mut r) {
            Err(_) if r.met_hook_gap() => {
                read_record(&mut Reader::new(id, bytes).with_hook_padding(HookPadding::None))
            }
            other => other,
        }
    }

    /// Reads a record with notes, ready to be written again.
    fn decode(id: DatId, bytes: &[u8], mode: Mode) -> Result<Decoded<Self>> {
        let strict = mode == Mode::Strict;
        let attempt = |hook_padding| {
            let mut r = Reader::examining(id, bytes, strict, hook_padding);
            let value = read_record::<Self>(&mut r);
            (r, value)
        };
        let mut hook_padding = HookPadding::Aligned;
        let (mut r, mut value) = attempt(hook_padding);
        if value.is_err() && r.met_hook_gap() {
            let (second, without_padding) = attempt(HookPadding::None);
            if without_padding.is_ok() {
                (r, value, hook_padding) = (second, without_padding, HookPadding::None);
            }
        }
        let value = value?;
        note_trailing(&mut r)?;
        let (trailing, notes, forms) = r.finish();
        let decoded = Decoded { id, value, notes, trailing: trailing.to_vec(), forms, hook_padding };
        if strict {
            compare(id, bytes, &decoded.encode()?)?;
        }
        Ok(decoded)
    }

    /// The bytes of a record that is to be stored under `id`.
    fn encode(&self, id: DatId) -> Result<Vec<u8>> {
        let mut w = Writer::new(id, &[], HookPadding::Aligned);
        if Self::STARTS_WITH_ID {
            w.own_id();
        }
        self.write(&mut w, "record")?;
        Ok(w.into_bytes())
    }
}

fn read_record<T: DatRecord>(r: &mut Reader<'_>) -> Result<T> {
    if T::STARTS_WITH_ID {
        let is_cell_record =
            matches!(T::KIND, RecordKind::LandBlock | RecordKind::LandBlockInfo | RecordKind::EnvCell);
        r.own_id(is_cell_record, "id")?;
    }
    r.read("record")
}

fn write_record<T: DatRecord, U>(value: &T, origin: &Decoded<U>) -> Result<Vec<u8>> {
    let mut w = Writer::new(origin.id, &origin.forms, origin.hook_padding);
    if T::STARTS_WITH_ID {
        w.own_id();
    }
    value.write(&mut w, "record")?;
    w.raw(&origin.trailing);
    Ok(w.into_bytes())
}

/// Up to three zeros are padding; more is something this crate does not know. Spec: dat §4 rule 3.
fn note_trailing(r: &mut Reader<'_>) -> Result<()> {
    let (offset, left) = (r.pos(), r.remaining());
    if left == 0 {
        return Ok(());
    }
    if left <= 3 && r.rest().iter().all(|&byte| byte == 0) {
        r.note("padding", offset, || format!("{left} bytes of padding at the end"));
        return Ok(());
    }
    r.tolerate("end of record", offset, || format!("{left} bytes after the last known field"))
}

fn compare(id: DatId, stored: &[u8], written: &[u8]) -> Result<()> {
    if stored == written {
        return Ok(());
    }
    let offset = stored.iter().zip(written).take_while(|(a, b)| a == b).count();
    let problem = format!(
        "would be written differently from here on ({} bytes read, {} written)",
        stored.len(),
        written.len()
    );
    Err(RecordError { id, field: "round trip", offset, problem })
}

macro_rules! records {
    ($($kind:ident,)*) => {
        /// Any record; kinds without a known layout stay bytes.
        #[derive(Debug, Clone, PartialEq)]
        #[cfg_attr(feature = "serde", derive(Serialize))]
        #[cfg_attr(feature = "serde", serde(untagged))]
        #[allow(missing_docs)] // Each variant holds the type of its name.
        #[non_exhaustive]
        pub enum Record {
            $($kind(Box<$kind>),)*
            /// A kind that is only named by the format, or an unknown one.
            Raw(Blob),
        }

        impl Record {
            /// Reads a record of the kind that its id implies.
            pub fn decode(id: DatId, kind: RecordKind, bytes: &[u8], mode: Mode) -> Result<Decoded<Record>> {
                match kind {
                    $(RecordKind::$kind => {
                        $kind::decode(id, bytes, mode).map(|d| d.map(|value| Record::$kind(Box::new(value))))
                    })*
                    _ => Ok(Decoded {
                        id,
                        value: Record::Raw(Blob(bytes.to_vec())),
                        notes: Vec::new(),
                        trailing: Vec::new(),
                        forms: Vec::new(),
                        hook_padding: HookPadding::Aligned,
                    }),
                }
            }

            /// The bytes of a record that is to be stored under `id`.
            pub fn encode(&self, id: DatId) -> Result<Vec<u8>> {
                match self {
                    $(Record::$kind(record) => record.encode(id),)*
                    Record::Raw(Blob(bytes)) => Ok(bytes.clone()),
                }
            }

            fn write_as(&self, origin: &Decoded<Record>) -> Result<Vec<u8>> {
                match self {
                    $(Record::$kind(record) => write_record(record.as_ref(), origin),)*
                    Record::Raw(Blob(bytes)) => Ok(bytes.clone()),
                }
            }
        }

        $(impl From<$kind> for Record {
            fn from(record: $kind) -> Self {
                Record::$kind(Box::new(record))
            }
        })*
    };
}

records! {
    LandBlock,
    LandBlockInfo,
    EnvCell,
    GfxObj,
    Setup,
    Animation,
    Palette,
    SurfaceTexture,
    RenderSurface,
    Surface,
    MotionTable,
    Wave,
    Environment,
    PaletteSet,
    ClothingTable,
    DegradeInfo,
    Scene,
    Region,
    RenderTexture,
    SoundTable,
    ParticleEmitter,
    PhysicsScript,
    PhysicsScriptTable,
    Iteration,
}
