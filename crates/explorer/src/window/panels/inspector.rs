//! Where the player is, what it stands on, what it hit, what was pointed at.

use super::layout::Layout;
use crate::{
    explorer::Explorer,
    inspect::{Neighbour, neighbours},
    platform,
    session::Session,
};
use egui::{Context, Ui, Vec2};
use threshold_sim::{EntityKey, Target};
use threshold_world::{CellId, loc::MapCoords};

/// Objects of a list that are named; the rest is counted.
const NAMED: usize = 24;

pub(super) fn show(ctx: &Context, layout: &mut Layout, explorer: &mut Explorer, copied: &mut Option<String>) {
    let mut open = true;
    let size = Vec2::new(370.0, 540.0);
    let panel = egui::Window::new("Inspector").open(&mut open).default_size(size).vscroll(true);
    let panel = layout.place(ctx, "inspector", Vec2::RIGHT, size, panel);
    let shown = super::sheet(ctx, panel).show(ctx, |ui| {
        let session = &explorer.session;
        position(ui, session, copied);
        section(ui, "Cell", true, |ui| cell(ui, session));
        section(ui, "Last sweep", true, |ui| sweep(ui, session));
        section(ui, "Objects of this cell", false, |ui| shadows(ui, session, session.position().cell));
        section(ui, "Pointed at", true, |ui| pointed(ui, explorer));
    });
    layout.note("inspector", shown.as_ref());
    explorer.settings.show.inspector = open;
}

fn section(ui: &mut Ui, title: &str, open: bool, add: impl FnOnce(&mut Ui)) {
    egui::CollapsingHeader::new(title).default_open(open).show(ui, add);
}

/// A text that is copied when it is clicked.
fn copyable(ui: &mut Ui, text: &str, copied: &mut Option<String>) {
    let text_label = egui::Label::new(egui::RichText::new(text).monospace().size(11.0)).wrap();
    let label = ui.add(text_label.sense(egui::Sense::click()));
    if label.on_hover_text("click to copy").clicked() {
        *copied = Some(text.to_owned());
    }
}

fn position(ui: &mut Ui, session: &Session, copied: &mut Option<String>) {
    let position = session.position();
    copyable(ui, &position.to_string(), copied);
    if let Some(link) = platform::link_to(&position.to_string())
        && ui.button("copy link to this place").clicked()
    {
        *copied = Some(link);
    }
    if let Some(coords) = MapCoords::of(position.cell) {
        copyable(ui, &coords.to_string(), copied);
    }
    let block = position.cell.block();
    ui.horizontal(|ui| {
        ui.label("cell");
        copyable(ui, &position.cell.to_string(), copied);
        ui.label(format!("block {}, {}", block.x(), block.y()));
        ui.label(format!("heading {:.0}°", position.frame.heading()));
    });
    if let Some(eye) = session.eye().position() {
        ui.label("camera:");
        copyable(ui, &eye.to_string(), copied);
    }
}

fn cell(ui: &mut Ui, session: &Session) {
    let id = session.position().cell;
    let world = session.world();
    match world.env_cell(id) {
        Some(room) => {
            let seen = if room.seen_outside { "the outdoors is visible from it" } else { "no outdoors" };
            ui.label(format!("a room with {} openings, {seen}", room.portals.len()));
            ui.label(format!("structure {} of {}", room.structure.key, room.structure.environment));
            ui.label(format!("{} cells are visible from it", room.visible_cells.len()));
        }
        None => {
            let building = world.land_cell(id).and_then(|land| land.building());
            ui.label(
                building.map_or_else(
                    || "open land".into(),
                    |b| format!("open land with building {}", b.model_id),
                ),
            );
        }
    }
    ui.label("next to it:");
    let mut around = Vec::new();
    for Neighbour { portal, cell, loaded } in neighbours(world, id) {
        let cell = cell.map_or_else(|| "the outdoors".into(), |cell| cell.to_string());
        let cell = cell + if loaded { "" } else { " (not loaded)" };
        match portal {
            Some(portal) => {
                ui.monospace(format!("opening {portal}: {cell}"));
            }
            None => around.push(cell),
        }
    }
    ui.add(egui::Label::new(egui::RichText::new(around.join("  ")).monospace().size(11.0)).wrap());
}

fn sweep(ui: &mut Ui, session: &Session) {
    let line = session.last();
    let cells = |ids: &[CellId]| ids.iter().map(CellId::to_string).collect::<Vec<_>>().join(" ");
    let vector = |v: [f32; 3]| format!("{:.3} {:.3} {:.3}", v[0], v[1], v[2]);
    egui::Grid::new("sweep").num_columns(2).spacing([12.0, 3.0]).show(ui, |ui| {
        let mut row = |name: &str, text: String| {
            ui.label(name);
            ui.add(egui::Label::new(egui::RichText::new(text).monospace()).wrap());
            ui.end_row();
        };
        row("found a place", if line.ok { "yes".into() } else { "no".into() });
        let none = || "none: nothing moved".to_owned();
        row(
            "cells of the sweep",
            Some(cells(&line.cell_array)).filter(|text| !text.is_empty()).unwrap_or_else(none),
        );
        row("can be hit in", cells(&line.mover_shadow_cells));
        let ground = match (line.contact, line.on_walkable) {
            (true, true) => "walkable",
            (true, false) => "too steep",
            _ => "in the air",
        };
        row("ground", format!("{ground}{}", if line.water { ", water" } else { "" }));
        if let Some([x, y, z, d]) = line.contact_plane {
            row("contact plane", format!("{x:.3} {y:.3} {z:.3} {d:+.3}"));
        }
        if let Some(cell) = line.contact_plane_cell {
            row("found in", cell.to_string());
        }
        if let Some(normal) = line.sliding_normal {
            row("slides along", vector(normal));
        }
        if let Some(normal) = line.collision_normal {
            row("hit", vector(normal));
        }
        row("velocity", vector(line.velocity));
        let mut hit: Vec<String> = session.touched().iter().map(|&key| session.name(key)).collect();
        if line.collided_env {
            hit.insert(0, "the environment".into());
        }
        row("touched", if hit.is_empty() { "nothing".into() } else { hit.join(", ") });
    });
}

fn shadows(ui: &mut Ui, session: &Session, cell: CellId) {
    let list = session.scene().shadows_in(cell);
    for key in list.iter().take(NAMED) {
        ui.label(session.name(*key));
    }
    if let Some(more @ 1..) = list.len().checked_sub(NAMED) {
        ui.label(format!("and {more} more"));
    }
    if list.is_empty() {
        ui.label("only the cell itself can be hit in it");
    }
}

fn pointed(ui: &mut Ui, explorer: &Explorer) {
    let session = &explorer.session;
    let Some(pick) = explorer.picked else {
        ui.label("nothing yet: click on something");
        return;
    };
    ui.label(format!("{:.2} m away", pick.distance));
    match pick.target {
        Target::Entity(key) => object(ui, session, key),
        Target::Room(cell) => {
            ui.label(format!("a wall of room {cell}"));
            shadows(ui, session, cell);
        }
        Target::Shell(cell) => {
            ui.label(format!("the building in {cell}"));
        }
        Target::Ground(cell) => {
            ui.label(format!("the ground of {cell}"));
            shadows(ui, session, cell);
        }
    }
}

fn object(ui: &mut Ui, session: &Session, key: EntityKey) {
    ui.strong(session.describe(key));
    let Some(entity) = session.scene().get(key) else { return };
    ui.monospace(entity.position.to_string());
    ui.label(format!("model {}, state 0x{:08X}", entity.model.id, entity.state.bits()));
    ui.label("can be hit in:");
    for shadow in entity.shadows() {
        ui.monospace(format!("{}{}", shadow.cell, if shadow.is_joined() { "" } else { " (not loaded)" }));
    }
}
