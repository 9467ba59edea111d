//! Appearance of an object. Spec: entities §1.6.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use threshold_dat::DatId;

/// Palettes, textures and meshes in place of a setup's own. Only meshes matter to physics.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Appearance {
    /// The palette that is changed.
    pub palette: Option<DatId>,
    /// Ranges of colours out of other palettes.
    pub colors: Vec<ColorRange>,
    /// Textures in place of others.
    pub textures: Vec<TextureChange>,
    /// Meshes in place of others; of several for one part the last one counts.
    pub parts: Vec<PartChange>,
}

impl Appearance {
    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        self.colors.is_empty() && self.textures.is_empty() && self.parts.is_empty()
    }
}

/// Colours out of another palette.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct ColorRange {
    /// The other palette.
    pub palette: DatId,
    /// The first colour.
    pub first: u16,
    /// How many.
    pub count: u16,
}

/// A texture of a part in place of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct TextureChange {
    /// The part.
    pub part: u8,
    /// The texture in the mesh.
    pub old: DatId,
    /// What is drawn.
    pub new: DatId,
}

/// A mesh of a part in place of the setup's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct PartChange {
    /// The part.
    pub part: u8,
    /// The mesh.
    pub mesh: DatId,
}
