//! How single values are written down.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use threshold_dat::{DatId, parse_hex};
use threshold_physics::flags::State;
use threshold_world::{Quat, motion::Command};

/// A state word, written as hex text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct StateWord(pub State);

impl<'de> Deserialize<'de> for StateWord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        hex(deserializer, "a state word such as 0x00400408")
            .map(|bits| StateWord(State::from_bits_retain(bits)))
    }
}

impl Serialize for StateWord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("0x{:08X}", self.0.bits()))
    }
}

pub(super) fn hex<'de, D: Deserializer<'de>>(deserializer: D, what: &str) -> Result<u32, D::Error> {
    let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
    parse_hex(&text).map_err(|_| D::Error::custom(format_args!("`{text}` is not {what}")))
}

pub(super) fn setup_id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<DatId, D::Error> {
    hex(deserializer, "a setup id such as 0x02000001").map(DatId)
}

/// Numbers beyond the range of f32 would read as infinite.
pub(super) fn finite<'de, D, const N: usize>(deserializer: D) -> Result<[f32; N], D::Error>
where
    D: Deserializer<'de>,
    [f32; N]: Deserialize<'de>,
{
    let numbers = <[f32; N]>::deserialize(deserializer)?;
    if numbers.iter().all(|x| x.is_finite()) {
        Ok(numbers)
    } else {
        Err(D::Error::custom("a coordinate is too large"))
    }
}

#[derive(Deserialize)]
#[serde(bound(deserialize = "[f32; N]: Deserialize<'de>"))]
struct Finite<const N: usize>(#[serde(deserialize_with = "finite")] [f32; N]);

pub(super) fn finite_option<'de, D, const N: usize>(deserializer: D) -> Result<Option<[f32; N]>, D::Error>
where
    D: Deserializer<'de>,
    [f32; N]: Deserialize<'de>,
{
    Ok(Option::<Finite<N>>::deserialize(deserializer)?.map(|Finite(numbers)| numbers))
}

/// How far from 1 the squared length of a written rotation may be; people round.
const ROTATION_SLACK: f32 = 0.1;

pub(super) fn rotation<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Quat, D::Error> {
    let rotation = Quat::deserialize(deserializer)?;
    let length_sq = rotation.dot(rotation);
    if (length_sq - 1.0).abs() <= ROTATION_SLACK {
        Ok(rotation)
    } else {
        Err(D::Error::custom(format_args!("a rotation must have length 1, not {}", length_sq.sqrt())))
    }
}

pub(super) fn rotation_option<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Quat>, D::Error> {
    #[derive(Deserialize)]
    struct Rotation(#[serde(deserialize_with = "rotation")] Quat);
    Ok(Option::<Rotation>::deserialize(deserializer)?.map(|Rotation(rotation)| rotation))
}

pub(super) fn yes() -> bool {
    true
}

pub(super) fn one() -> f32 {
    1.0
}

pub(super) fn identity() -> Quat {
    Quat::IDENTITY
}

/// A command, written as hex text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandWord(pub Command);

impl<'de> Deserialize<'de> for CommandWord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        hex(deserializer, "a command such as 0x45000005").map(|id| CommandWord(Command(id)))
    }
}

impl Serialize for CommandWord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

pub(super) fn table_id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<DatId, D::Error> {
    hex(deserializer, "a motion table id such as 0x09000001").map(DatId)
}

pub(super) fn table_id_option<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<DatId>, D::Error> {
    #[derive(Deserialize)]
    struct Id(#[serde(deserialize_with = "table_id")] DatId);
    Ok(Option::<Id>::deserialize(deserializer)?.map(|Id(id)| id))
}

/// A bit field, written as hex text.
pub(super) fn bits<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    hex(deserializer, "a bit field such as 0x1EE0F")
}

/// A number that f32 can hold.
pub(super) fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f32, D::Error> {
    let number = f32::deserialize(deserializer)?;
    if number.is_finite() { Ok(number) } else { Err(D::Error::custom("a number is too large")) }
}

/// A stretch of time.
pub(super) fn seconds_option<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f32>, D::Error> {
    match number_option(deserializer)? {
        Some(seconds) if seconds < 0.0 => {
            Err(D::Error::custom(format_args!("{seconds} seconds: time cannot run backwards")))
        }
        seconds => Ok(seconds),
    }
}

pub(super) fn number_option<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f32>, D::Error> {
    #[derive(Deserialize)]
    struct Number(#[serde(deserialize_with = "number")] f32);
    Ok(Option::<Number>::deserialize(deserializer)?.map(|Number(number)| number))
}
