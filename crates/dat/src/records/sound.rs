//! Which waves an object's sounds are. Spec: dat-portal §16.

use super::DatRecord;
use crate::codec::{Reader, Result, Wire, Writer, wire_struct};
use crate::{DatId, RecordKind};
#[cfg(feature = "serde")]
use serde::Serialize;

/// Sounds by type.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct SoundTable {
    /// Key 0; its children have the sound types as keys.
    pub root: SoundNode,
}

/// A node of the table; in shipped data there is one level below the root.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct SoundNode {
    /// Sound type.
    pub key: u32,
    /// Waves to choose from.
    pub sounds: Vec<Sound>,
    /// In stored order.
    pub children: Vec<SoundNode>,
}

wire_struct! {
    /// A wave and when it is chosen.
    #[derive(Copy, Default)]
    pub struct Sound {
        /// Wave.
        pub wave: DatId,
        /// Over other sounds.
        pub priority: f32,
        /// 0…1.
        pub probability: f32,
        /// 0…1.
        pub volume: f32,
    }
}

impl SoundNode {
    const MAX_DEPTH: usize = 16;
    const SMALLEST: usize = 12;

    fn read(r: &mut Reader<'_>, depth: usize) -> Result<Self> {
        if depth > Self::MAX_DEPTH {
            return Err(r.error("sound node", r.pos(), format!("deeper than {} levels", Self::MAX_DEPTH)));
        }
        let mut node =
            SoundNode { key: r.read("sound key")?, sounds: r.read("sounds")?, children: Vec::new() };
        let children_at = r.pos();
        // Not allocated ahead: sixteen nested counts could each claim the rest of the record.
        for _ in 0..r.count(Self::SMALLEST, "child count")? {
            node.children.push(SoundNode::read(r, depth + 1)?);
        }
        r.note_duplicates("sound key", children_at, node.children.iter().map(|child| child.key));
        Ok(node)
    }

    fn write(&self, w: &mut Writer<'_>, depth: usize) -> Result<()> {
        if depth > Self::MAX_DEPTH {
            return Err(w.error("sound node", format!("deeper than {} levels", Self::MAX_DEPTH)));
        }
        w.write(&self.key, "sound key")?;
        w.write(&self.sounds, "sounds")?;
        w.count_as::<u32>(self.children.len(), "child count")?;
        self.children.iter().try_for_each(|child| child.write(w, depth + 1))
    }
}

impl DatRecord for SoundTable {
    const KIND: RecordKind = RecordKind::SoundTable;
}

impl Wire for SoundTable {
    const MIN: usize = SoundNode::SMALLEST;

    fn read(r: &mut Reader<'_>, _: &'static str) -> Result<Self> {
        Ok(SoundTable { root: SoundNode::read(r, 1)? })
    }

    fn write(&self, w: &mut Writer<'_>, _: &'static str) -> Result<()> {
        self.root.write(w, 1)
    }
}
