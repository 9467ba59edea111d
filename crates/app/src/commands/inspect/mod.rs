//! `threshold inspect`: what a record says, for people.

mod cells;
mod effects;
mod materials;
mod models;
mod motion;
mod place;
mod region;
mod sheet;

use super::{Outcome, record_id};
use crate::{dats::DatsArg, text::say};
use anyhow::{Context, Result, bail};
use place::Place;
use serde::Serialize;
use sheet::Sheet;
use std::io::{Write, stdout};
use threshold_dat::{
    DatId, IdScheme, Mode, RecordKind,
    records::{Decoded, Note, Record, Severity},
};
use threshold_world::source::Source;

/// Print a human-readable dump of any record or cell, or all its fields as JSON.
///
/// Looks in the portal, highres and local files first, then in the cell file. The id of an outdoor cell shows the
/// landblock it is part of. For cells, blocks and buildings it also prints their place in the world, the portals that
/// lead to them, and the findings of `threshold check`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  threshold inspect 'Tower Lookout'
  threshold inspect 0xA9B40100 --dats ~/ac
  threshold inspect 0x02000001 --json --dats ~/ac
  threshold inspect 0x01000100 --cell --dats ~/ac")]
pub(crate) struct Args {
    /// Id of the record in hexadecimal, or a named place, whose cell is shown
    #[arg(value_name = "ID|PLACE")]
    id: String,
    /// Look only in the cell file, where the same id may be a room
    #[arg(long)]
    cell: bool,
    /// Print all fields as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    dats: DatsArg,
}

#[derive(Serialize)]
struct Fields<'a> {
    id: DatId,
    kind: RecordKind,
    bytes: usize,
    notes: &'a [Note],
    trailing: usize,
    value: &'a Record,
    /// What the record is in the world; cells and blocks only.
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<Place>,
}

/// A record that was found.
struct Found {
    kind: RecordKind,
    bytes: usize,
    decoded: Decoded<Record>,
}

pub(crate) fn run(args: Args) -> Result<Outcome> {
    let library = args.dats.library()?;
    let source = library.source().as_ref();
    let (id, only_cell) = match record_id(&args.id) {
        Ok(id) => (id, args.cell),
        Err(_) => (DatId(args.dats.place(&args.id)?.flat().cell.0), true),
    };
    let Some(found) = find(source, id, only_cell)? else {
        bail!("there is no record {id} {}", args.dats.in_world());
    };
    let place = match found.kind {
        RecordKind::LandBlock | RecordKind::LandBlockInfo | RecordKind::EnvCell => {
            // Doors are a bonus: a list of them that cannot be read must not keep anybody from reading a record.
            let objects = args.dats.objects().unwrap_or_else(|error| {
                say!("threshold: {error}");
                Vec::new()
            });
            place::place(&library, id, found.decoded.id, &objects)?
        }
        _ => None,
    };
    let text = if args.json {
        let Decoded { id, value, notes, trailing, .. } = &found.decoded;
        let fields = Fields {
            id: *id,
            kind: found.kind,
            bytes: found.bytes,
            notes,
            trailing: trailing.len(),
            value,
            place,
        };
        serde_json::to_string_pretty(&fields)? + "\n"
    } else {
        summary(source, id, &found, place.as_ref())
    };
    stdout().write_all(text.as_bytes())?;
    Ok(Outcome::Success)
}

fn find(source: &dyn Source, id: DatId, only_cell: bool) -> Result<Option<Found>> {
    for scheme in [IdScheme::Portal, IdScheme::Cell] {
        if only_cell && scheme == IdScheme::Portal {
            continue;
        }
        let id = if scheme == IdScheme::Cell { record_of_cell(id) } else { id };
        if let Some(bytes) = source.record(scheme, id).with_context(|| id.to_string())? {
            let kind = id.kind(scheme);
            let decoded = Record::decode(id, kind, &bytes, Mode::Lenient)?;
            return Ok(Some(Found { kind, bytes: bytes.len(), decoded }));
        }
    }
    Ok(None)
}

/// Outdoor cells have no record of their own.
fn record_of_cell(id: DatId) -> DatId {
    match id.0 & 0xFFFF {
        0x0001..=0x0040 if id != DatId::ITERATION => DatId(id.0 | 0xFFFF),
        _ => id,
    }
}

fn summary(source: &dyn Source, asked: DatId, found: &Found, place: Option<&Place>) -> String {
    let id = found.decoded.id;
    let mut sheet = Sheet::new(format!("{} {id}, {} bytes", found.kind, found.bytes));
    if asked != id {
        cells::outdoor_cell(&mut sheet, asked);
    }
    match &found.decoded.value {
        Record::LandBlock(record) => cells::land_block(&mut sheet, id, record, source),
        Record::LandBlockInfo(record) => cells::land_block_info(&mut sheet, id, record),
        Record::EnvCell(record) => cells::env_cell(&mut sheet, id, record),
        Record::Environment(record) => models::environment(&mut sheet, record),
        Record::GfxObj(record) => models::gfx_obj(&mut sheet, record),
        Record::Setup(record) => models::setup(&mut sheet, record),
        Record::DegradeInfo(record) => models::degrade_info(&mut sheet, record),
        Record::Surface(record) => materials::surface(&mut sheet, record),
        Record::SurfaceTexture(record) => {
            materials::levels(&mut sheet, record.category, record.texture_type, &record.levels);
        }
        Record::RenderTexture(record) => {
            materials::levels(&mut sheet, record.category, record.texture_type, &record.levels);
        }
        Record::RenderSurface(record) => materials::render_surface(&mut sheet, record),
        Record::Palette(record) => materials::palette(&mut sheet, record),
        Record::PaletteSet(record) => sheet.list("palettes", &record.palettes, DatId::to_string),
        Record::ClothingTable(record) => materials::clothing(&mut sheet, record),
        Record::Animation(record) => motion::animation(&mut sheet, record),
        Record::MotionTable(record) => motion::motion_table(&mut sheet, record),
        Record::Region(record) => region::region(&mut sheet, record),
        Record::Scene(record) => region::scene(&mut sheet, record),
        Record::ParticleEmitter(record) => effects::emitter(&mut sheet, record),
        Record::PhysicsScript(record) => effects::script(&mut sheet, record),
        Record::PhysicsScriptTable(record) => effects::script_table(&mut sheet, record),
        Record::Wave(record) => effects::wave(&mut sheet, record),
        Record::SoundTable(record) => effects::sound_table(&mut sheet, record),
        Record::Iteration(record) => {
            sheet.row("newest patch", record.current());
            sheet.row("patches", record.count());
        }
        _ => sheet.row("layout", "not decoded; `threshold dat get` shows its bytes"),
    }
    if let Some(place) = place {
        place::show(&mut sheet, place);
    }
    remarks(&mut sheet, &found.decoded);
    sheet.finish()
}

/// What the reader tolerated.
fn remarks(sheet: &mut Sheet, decoded: &Decoded<Record>) {
    if !decoded.trailing.is_empty() {
        sheet.row("not decoded", format!("{} bytes at the end", decoded.trailing.len()));
    }
    if !decoded.notes.is_empty() {
        sheet.list("remarks", &decoded.notes, |note| {
            let severity = match note.severity {
                Severity::Note => "",
                Severity::Repair => " (replaced when used)",
            };
            format!("{} at byte {}: {}{severity}", note.field, note.offset, note.problem)
        });
    }
}
