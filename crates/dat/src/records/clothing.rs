//! How clothes change their wearer. Spec: dat-portal §17.

use super::{DatRecord, PackedTable};
use crate::codec::wire_struct;
use crate::{DatId, RecordKind};

wire_struct! {
    /// How a piece of clothing looks on each body, and in which colours.
    pub struct ClothingTable {
        /// Setup → parts that are replaced.
        pub base_effects: PackedTable<DatId, Vec<ClothingPart>>,
        /// Palette template → colours.
        pub sub_palette_effects: PackedTable<u32, SubPaletteEffect>,
    }
}

impl DatRecord for ClothingTable {
    const KIND: RecordKind = RecordKind::ClothingTable;
}

wire_struct! {
    /// A part that is replaced.
    #[derive(Default)]
    pub struct ClothingPart {
        /// Index of the part.
        pub part: u32,
        /// GfxObj to show.
        pub model: DatId,
        /// Textures to exchange on it.
        pub textures: Vec<TextureChange>,
    }
}

wire_struct! {
    /// A SurfaceTexture in place of another.
    #[derive(Copy, Default)]
    pub struct TextureChange {
        /// SurfaceTexture.
        pub old: DatId,
        /// SurfaceTexture.
        pub new: DatId,
    }
}

wire_struct! {
    /// Colours of a palette template.
    #[derive(Default)]
    pub struct SubPaletteEffect {
        /// RenderSurface.
        pub icon: DatId,
        /// Which colours come from where.
        pub sub_palettes: Vec<SubPalette>,
    }
}

wire_struct! {
    /// Ranges of colours that come from a palette set.
    #[derive(Default)]
    pub struct SubPalette {
        /// In colours.
        pub ranges: Vec<ColorRange>,
        /// PaletteSet.
        pub palette_set: DatId,
    }
}

wire_struct! {
    /// A run of colours.
    #[derive(Copy, Default)]
    pub struct ColorRange {
        /// First colour.
        pub offset: u32,
        /// Number of colours.
        pub count: u32,
    }
}
