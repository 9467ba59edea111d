//! Ids of cells and landblocks.

#[cfg(feature = "serde")]
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use std::{fmt, num::ParseIntError, str::FromStr};
use threshold_dat::{hex_digits, parse_hex};

/// A landblock: column in the high byte, row in the low byte.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct BlockId(pub u16);

impl BlockId {
    /// The block in column `x` (west to east) and row `y` (south to north).
    pub fn new(x: u8, y: u8) -> Self {
        BlockId(u16::from(x) << 8 | u16::from(y))
    }

    /// Column, west to east.
    pub fn x(self) -> u8 {
        (self.0 >> 8) as u8
    }

    /// Row, south to north.
    pub fn y(self) -> u8 {
        self.0 as u8
    }

    /// Whether the map has such a block: it has 255 columns and rows.
    pub fn is_on_map(self) -> bool {
        self.x() < 0xFF && self.y() < 0xFF
    }

    /// Distance to another block, diagonal steps included. Retail: `LScape::get_block_orient`.
    pub fn rings_to(self, other: BlockId) -> u8 {
        self.x().abs_diff(other.x()).max(self.y().abs_diff(other.y()))
    }

    /// The cell of this block with the given number.
    pub fn cell(self, low: u16) -> CellId {
        CellId(u32::from(self.0) << 16 | u32::from(low))
    }
}

impl fmt::Display for BlockId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{:04X}", self.0)
    }
}

impl fmt::Debug for BlockId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is no block id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a landblock such as 0xA9B4")]
pub struct BlockIdError(String);

impl FromStr for BlockId {
    type Err = BlockIdError;

    /// Accepts `0xA9B4`, `A9B4`, and the id of any record of the block, such as `0xA9B4FFFF`.
    fn from_str(s: &str) -> Result<Self, BlockIdError> {
        let refused = || BlockIdError(s.to_owned());
        let digits = hex_digits(s);
        let block = digits.get(..4).filter(|_| matches!(digits.len(), 4 | 8)).ok_or_else(refused)?;
        if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(refused());
        }
        u16::from_str_radix(block, 16).map(BlockId).map_err(|_| refused())
    }
}

/// As text for people, as a number otherwise.
#[cfg(feature = "serde")]
impl Serialize for BlockId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(self)
        } else {
            self.0.serialize(serializer)
        }
    }
}

#[cfg(feature = "serde")]
impl<'de> Deserialize<'de> for BlockId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if !deserializer.is_human_readable() {
            return u16::deserialize(deserializer).map(BlockId);
        }
        std::borrow::Cow::<str>::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// A cell: block in the high word; 1…0x40 outdoors, 0x100…0xFFFD indoors in the low word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct CellId(pub u32);

impl CellId {
    /// No cell at all.
    pub const NONE: CellId = CellId(0);

    /// The landblock of the id, and of every origin stored with it.
    pub fn block(self) -> BlockId {
        BlockId((self.0 >> 16) as u16)
    }

    /// The cell's number within its block.
    pub fn low(self) -> u16 {
        self.0 as u16
    }

    /// Whether the number is 0x100 or above, which counts as indoors.
    pub fn is_interior(self) -> bool {
        self.low() >= 0x100
    }

    /// Whether the number is below 0x100, which counts as outdoors, including invalid ones.
    pub fn is_outdoor(self) -> bool {
        !self.is_interior()
    }

    /// Whether the low word names an outdoor cell, an indoor cell or a whole block. Retail: `LandDefs` helpers.
    /// Spec: physics-cells §3.2 `valid_low`.
    pub fn has_valid_low(self) -> bool {
        matches!(self.low(), 1..=0x40 | 0x100..=0xFFFD | 0xFFFF)
    }
}

impl fmt::Display for CellId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{:08X}", self.0)
    }
}

impl fmt::Debug for CellId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for CellId {
    type Err = ParseIntError;

    /// Accepts `0xA9B40019` and `A9B40019`.
    fn from_str(s: &str) -> Result<Self, ParseIntError> {
        parse_hex(s).map(CellId)
    }
}

/// As text for people, as a number otherwise.
#[cfg(feature = "serde")]
impl Serialize for CellId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(self)
        } else {
            self.0.serialize(serializer)
        }
    }
}

#[cfg(feature = "serde")]
impl<'de> Deserialize<'de> for CellId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if !deserializer.is_human_readable() {
            return u32::deserialize(deserializer).map(CellId);
        }
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        text.parse()
            .map_err(|_| D::Error::custom(format_args!("`{text}` is not a cell id such as 0xA9B40019")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_as_people_write_them() {
        for text in ["0xA9B4", "a9b4", "0XA9B4", "0xA9B4FFFE"] {
            assert_eq!(text.parse(), Ok(BlockId(0xA9B4)), "{text}");
        }
        for text in ["", "0x", "A9B", "+9B4", "A9B4F", "A9B4FFFG", "Äé"] {
            assert_eq!(text.parse::<BlockId>(), Err(BlockIdError(text.into())), "{text}");
        }
        assert_eq!("0xA9B40105".parse(), Ok(CellId(0xA9B4_0105)));
        assert!("+9B40105".parse::<CellId>().is_err());
    }

    #[test]
    fn numbers_decide_what_a_cell_is() {
        for (low, valid, interior) in [
            (0, false, false),
            (1, true, false),
            (0x40, true, false),
            (0x41, false, false),
            (0xFF, false, false),
            (0x100, true, true),
            (0xFFFD, true, true),
            (0xFFFE, false, true),
            (0xFFFF, true, true),
        ] {
            let id = BlockId(0xA9B4).cell(low);
            assert_eq!((id.has_valid_low(), id.is_interior()), (valid, interior), "{id}");
            assert_eq!((id.block(), id.low()), (BlockId(0xA9B4), low));
        }
    }
}
