//! How fields of placed objects are written in files.

use crate::Position;
use serde::{Deserialize, Deserializer, Serializer, de::Error as _};
use std::{borrow::Cow, str::FromStr};
use threshold_dat::parse_hex;

pub(super) fn as_hex<S: Serializer>(state: &u32, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{state:#X}"))
}

pub(super) fn as_loc<S: Serializer>(position: &Option<Position>, serializer: S) -> Result<S::Ok, S::Error> {
    match position {
        Some(position) => serializer.collect_str(position),
        None => serializer.serialize_none(),
    }
}

pub(super) fn from_text<'de, T: FromStr, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    let text = Cow::<str>::deserialize(deserializer)?;
    text.parse().map_err(|_| D::Error::custom(format_args!("`{text}` cannot be read")))
}

pub(super) fn from_hex<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    let text = Cow::<str>::deserialize(deserializer)?;
    parse_hex(&text).map_err(|_| D::Error::custom(format_args!("`{text}` is not a state word such as 0x408")))
}

pub(super) fn from_loc<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Position>, D::Error> {
    from_text(deserializer).map(Some)
}

pub(super) fn as_locs<S: Serializer>(places: &[Position], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(places.iter().map(Position::to_string))
}

pub(super) fn from_locs<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Position>, D::Error> {
    let texts = Vec::<Cow<str>>::deserialize(deserializer)?;
    let place = |text: &Cow<str>| {
        text.parse().map_err(|_| {
            D::Error::custom(format_args!("`{text}` is not a place such as 0x80800024 [98 93 20]"))
        })
    };
    texts.iter().map(place).collect()
}
