//! The list of viewpoints that all backends are tested at.

use super::Shot;
use serde::Deserialize;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// A viewpoint as the list has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Viewpoint {
    place: String,
    #[serde(default)]
    turn: f32,
    #[serde(default)]
    pitch: f32,
    #[serde(default)]
    shift: [f32; 2],
    #[serde(default)]
    day: u32,
    #[serde(default = "noon")]
    time: f32,
    #[serde(default)]
    open: bool,
    #[serde(default)]
    weather: bool,
}

fn noon() -> f32 {
    0.5
}

/// All viewpoints of the list, those with closed doors first.
pub(crate) fn viewpoints() -> Vec<Shot> {
    let list = fs::read_to_string(folder().join("viewpoints.toml")).unwrap();
    let list: BTreeMap<String, Viewpoint> = toml::from_str(&list).unwrap();
    let mut shots: Vec<Shot> = list
        .into_iter()
        .map(|(name, v)| Shot {
            turn: v.turn,
            pitch: v.pitch,
            day: v.day,
            time: v.time,
            shift: v.shift,
            open: v.open,
            weather: v.weather,
            ..Shot::of(name.leak(), v.place.leak())
        })
        .collect();
    // Doors swing once, and fires burn the same for every viewpoint.
    shots.sort_by_key(|shot| (shot.open, shot.name));
    shots
}

/// Where the list is, and its pictures.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pictures")
}
