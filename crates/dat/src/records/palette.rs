//! Colour tables. Spec: dat-portal §7.5, §7.6.

use super::{Color, DatRecord};
use crate::codec::wire_struct;
use crate::{DatId, RecordKind};

wire_struct! {
    /// A colour table; 256 and 2048 entries are usual.
    #[derive(Eq, Default)]
    pub struct Palette {
        /// By index.
        pub colors: Vec<Color>,
    }
}

impl DatRecord for Palette {
    const KIND: RecordKind = RecordKind::Palette;
}

wire_struct! {
    /// Palettes from which a shade chooses one.
    #[derive(Eq, Default)]
    pub struct PaletteSet {
        /// From shade 0 to shade 1.
        pub palettes: Vec<DatId>,
    }
}

impl PaletteSet {
    /// The palette for a shade in 0…1.
    pub fn choose(&self, shade: f64) -> Option<DatId> {
        let last = self.palettes.len().checked_sub(1)?;
        // A cast clamps what is negative or not a number to 0.
        let index = ((self.palettes.len() as f64 - 0.000_001) * shade).floor() as usize;
        self.palettes.get(index.min(last)).copied()
    }
}

impl DatRecord for PaletteSet {
    const KIND: RecordKind = RecordKind::PaletteSet;
}
