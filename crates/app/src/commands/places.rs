//! `threshold places`: names that other commands understand.

use super::Outcome;
use crate::{dats::DatsArg, text::say};
use anyhow::Result;
use serde_json::json;
use std::io::{Write, stdout};
use threshold_world::{
    loc::MapCoords,
    placed::{NamedPlace, PLACES_FILE, complete_place},
};

/// List the named places of the world, which `--at` and `--block` accept.
///
/// The sample world has built-in names; a dats folder gets its names from Locations.txt, with lines of `name | type | loc`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  threshold places
  threshold places tower")]
pub(crate) struct Args {
    /// List only names that contain this
    #[arg(value_name = "TEXT", default_value = "", hide_default_value = true)]
    text: String,
    /// Print one object per line: name, type, loc, map coordinates
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    dats: DatsArg,
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    let places = args.dats.places()?;
    let shown = complete_place(&places, &args.text);
    let mut out = stdout().lock();
    let width = shown.iter().map(|place| place.name.chars().count()).max().unwrap_or_default();
    for place in &shown {
        if args.json {
            let (loc, map) = (place.position.to_string(), map_coords(place));
            let kind = place.kind.to_string();
            writeln!(out, "{}", json!({"name": place.name, "type": kind, "loc": loc, "map": map}))?;
        } else {
            let map = map_coords(place).unwrap_or_default();
            writeln!(out, "{:<width$}  {:<8}  {map:<15}  {}", place.name, place.kind, place.position)?;
        }
    }
    if places.is_empty() {
        say!(
            "there are no named places {}; a file {PLACES_FILE} next to the dats can list them",
            args.dats.in_world()
        );
    } else if shown.is_empty() {
        say!("no place {} has `{}` in its name", args.dats.in_world(), args.text.trim());
    }
    Ok(Outcome::Success)
}

/// Where on the map a place is; interior cells have no coordinates.
fn map_coords(place: &NamedPlace) -> Option<String> {
    MapCoords::of(place.position.cell).map(|coords| coords.to_string())
}
