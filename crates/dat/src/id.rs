//! Record ids and the record types they imply.

#[cfg(feature = "serde")]
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use std::{fmt, num::ParseIntError, str::FromStr};

/// The number a record is stored under.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct DatId(pub u32);

impl DatId {
    /// The iteration record, present once in every file.
    pub const ITERATION: DatId = DatId(0xFFFF_0001);

    /// The kind of record that the id names; the same number means different things in the two id schemes.
    pub fn kind(self, scheme: IdScheme) -> RecordKind {
        // Before the cell rule: it looks like a cell of landblock (FF, FF).
        if self == DatId::ITERATION {
            return RecordKind::Iteration;
        }
        match scheme {
            IdScheme::Cell => cell_kind(self.0),
            IdScheme::Portal => portal_kind(self.0),
        }
    }
}

impl fmt::Display for DatId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{:08X}", self.0)
    }
}

impl fmt::Debug for DatId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for DatId {
    type Err = ParseIntError;

    /// Accepts `0xA9B4FFFF` and `A9B4FFFF`.
    fn from_str(s: &str) -> Result<Self, ParseIntError> {
        parse_hex(s).map(DatId)
    }
}

/// A number in hexadecimal digits, with or without `0x` in front of them.
pub fn parse_hex(text: &str) -> Result<u32, ParseIntError> {
    let digits = hex_digits(text);
    // A sign would be accepted by the parser of the standard library.
    let digits = if digits.starts_with('+') { "" } else { digits };
    u32::from_str_radix(digits, 16)
}

/// What follows `0x`, or the whole text without it.
pub fn hex_digits(text: &str) -> &str {
    text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text)
}

/// As text where people read it, else as a number.
#[cfg(feature = "serde")]
impl Serialize for DatId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(self)
        } else {
            self.0.serialize(serializer)
        }
    }
}

#[cfg(feature = "serde")]
impl<'de> Deserialize<'de> for DatId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<DatId, D::Error> {
        if deserializer.is_human_readable() {
            String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
        } else {
            u32::deserialize(deserializer).map(DatId)
        }
    }
}

/// How a file's ids are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IdScheme {
    /// By the low 16 bits: `client_cell_1.dat`.
    Cell,
    /// By the high byte: the portal, highres and local files.
    Portal,
}

/// Defines the kinds once: those without a range, then those that the portal, highres and local files tell by range.
macro_rules! record_kinds {
    ($($plain:ident,)* ; $($kind:ident $first:literal..=$last:literal,)*) => {
        /// The type of a record, as far as its id determines it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(Serialize))]
        #[allow(missing_docs)] // The variants are the names of the format itself. Spec: dat §3.
        #[non_exhaustive]
        pub enum RecordKind { $($plain,)* $($kind,)* }

        impl RecordKind {
            /// Every kind, for listings and command lines.
            pub const ALL: &'static [RecordKind] = &[$(RecordKind::$plain,)* $(RecordKind::$kind,)*];
        }

        fn portal_kind(id: u32) -> RecordKind {
            match id {
                $($first..=$last => RecordKind::$kind,)*
                _ => RecordKind::Unknown,
            }
        }
    };
}

record_kinds! {
    Unknown,
    Iteration,
    LandBlock,
    LandBlockInfo,
    EnvCell,
    ;
    WeenieDefaults 0x0000_0001..=0x0000_FFFF,
    GfxObj 0x0100_0000..=0x0100_FFFF,
    Setup 0x0200_0000..=0x0200_FFFF,
    Animation 0x0300_0000..=0x0300_FFFF,
    Palette 0x0400_0000..=0x0400_FFFF,
    SurfaceTexture 0x0500_0000..=0x05FF_FFFF,
    RenderSurface 0x0600_0000..=0x07FF_FFFF,
    Surface 0x0800_0000..=0x0800_FFFF,
    MotionTable 0x0900_0000..=0x0900_FFFF,
    Wave 0x0A00_0000..=0x0A00_FFFF,
    Environment 0x0D00_0000..=0x0D00_FFFF,
    CharGen 0x0E00_0002..=0x0E00_0002,
    VitalTable 0x0E00_0003..=0x0E00_0003,
    SkillTable 0x0E00_0004..=0x0E00_0004,
    ChatPoseTable 0x0E00_0007..=0x0E00_0007,
    ObjectHierarchy 0x0E00_000D..=0x0E00_000D,
    SpellTable 0x0E00_000E..=0x0E00_000E,
    SpellComponentTable 0x0E00_000F..=0x0E00_000F,
    TreasureTable 0x0E00_0011..=0x0E00_0011,
    ExperienceTable 0x0E00_0018..=0x0E00_0018,
    CraftTable 0x0E00_0019..=0x0E00_0019,
    BadDataTable 0x0E00_001A..=0x0E00_001A,
    QuestTable 0x0E00_001B..=0x0E00_001B,
    GameEventTable 0x0E00_001C..=0x0E00_001C,
    ContractTable 0x0E00_001D..=0x0E00_001D,
    TabooTable 0x0E00_001E..=0x0E00_001E,
    FileNameTable 0x0E00_001F..=0x0E00_001F,
    NameFilterTable 0x0E00_0020..=0x0E00_0020,
    QualityFilter 0x0E01_0000..=0x0E01_FFFF,
    MonitoredProperties 0x0E02_0000..=0x0E02_FFFF,
    PaletteSet 0x0F00_0000..=0x0F00_FFFF,
    ClothingTable 0x1000_0000..=0x1000_FFFF,
    DegradeInfo 0x1100_0000..=0x1100_FFFF,
    Scene 0x1200_0000..=0x1200_FFFF,
    Region 0x1300_0000..=0x1300_FFFF,
    Keymap 0x1400_0000..=0x1400_FFFF,
    RenderTexture 0x1500_0000..=0x15FF_FFFF,
    RenderMaterial 0x1600_0000..=0x16FF_FFFF,
    MaterialModifier 0x1700_0000..=0x17FF_FFFF,
    MaterialInstance 0x1800_0000..=0x18FF_FFFF,
    RenderMesh 0x1900_0000..=0x19FF_FFFF,
    SoundTable 0x2000_0000..=0x2000_FFFF,
    UiLayout 0x2100_0000..=0x21FF_FFFF,
    EnumMapper 0x2200_0000..=0x22FF_FFFF,
    StringTable 0x2300_0000..=0x24FF_FFFF,
    DataIdMapper 0x2500_0000..=0x25FF_FFFF,
    ActionMap 0x2600_0000..=0x2600_FFFF,
    DualDataIdMapper 0x2700_0000..=0x27FF_FFFF,
    CombatTable 0x3000_0000..=0x3000_FFFF,
    String 0x3100_0000..=0x3100_FFFF,
    ParticleEmitter 0x3200_0000..=0x3200_FFFF,
    PhysicsScript 0x3300_0000..=0x3300_FFFF,
    PhysicsScriptTable 0x3400_0000..=0x3400_FFFF,
    MutationFilter 0x3800_0000..=0x3800_FFFF,
    MasterProperty 0x3900_0000..=0x39FF_FFFF,
    Font 0x4000_0000..=0x4000_0FFF,
    LocalFont 0x4000_1000..=0x400F_FFFF,
    LanguageInfo 0x4100_0000..=0x41FF_FFFF,
    PropertyCollection 0x7800_0000..=0x7FFF_FFFF,
}

impl fmt::Display for RecordKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{self:?}"))
    }
}

fn cell_kind(id: u32) -> RecordKind {
    match id & 0xFFFF {
        0xFFFF => RecordKind::LandBlock,
        0xFFFE => RecordKind::LandBlockInfo,
        0x0100..=0xFFFD => RecordKind::EnvCell,
        _ => RecordKind::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_number_is_a_model_in_portal_and_a_room_in_cell() {
        let id = DatId(0x0100_0100);
        assert_eq!(id.kind(IdScheme::Portal), RecordKind::GfxObj);
        assert_eq!(id.kind(IdScheme::Cell), RecordKind::EnvCell);
    }

    #[test]
    fn the_iteration_record_is_not_a_cell_of_the_last_block() {
        assert_eq!(DatId(0xFFFF_0001).kind(IdScheme::Cell), RecordKind::Iteration);
        assert_eq!(DatId(0xFEFE_FFFF).kind(IdScheme::Cell), RecordKind::LandBlock);
        assert_eq!(DatId(0xFEFE_FFFE).kind(IdScheme::Cell), RecordKind::LandBlockInfo);
        assert_eq!(DatId(0xFEFE_00FF).kind(IdScheme::Cell), RecordKind::Unknown);
    }

    #[test]
    fn single_tables_have_kinds_of_their_own() {
        assert_eq!(DatId(0x0E00_000E).kind(IdScheme::Portal), RecordKind::SpellTable);
        assert_eq!(DatId(0x0E00_0010).kind(IdScheme::Portal), RecordKind::Unknown);
        assert_eq!(DatId(0x0E01_0010).kind(IdScheme::Portal), RecordKind::QualityFilter);
        assert_eq!(DatId(0x4000_1000).kind(IdScheme::Portal), RecordKind::LocalFont);
    }

    #[test]
    fn ids_are_read_with_and_without_a_prefix() {
        assert_eq!("0xA9B4FFFF".parse(), Ok(DatId(0xA9B4_FFFF)));
        assert_eq!("a9b4ffff".parse(), Ok(DatId(0xA9B4_FFFF)));
        assert!("+1".parse::<DatId>().is_err());
        assert!("0x".parse::<DatId>().is_err());
    }
}
