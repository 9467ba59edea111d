//! Going somewhere: a line for places, and the map.

use super::layout::Layout;
use crate::{explorer::Explorer, map::Map, settings::Bookmark};
use egui::{Align2, Color32, Context, FontId, Key, Pos2, Rect, Stroke, Vec2};
use threshold_world::{
    loc::MapCoords,
    placed::{NamedPlace, PlaceKind},
};

/// Suggestions that are shown.
const SUGGESTIONS: usize = 10;
/// Points along a side of the map.
const MAP_POINTS: f32 = 460.0;

/// What became of the line.
pub(super) enum Answer {
    /// It is still being written.
    Open,
    /// It was given up.
    Closed,
    /// Go there, at once or on foot.
    Go(String, Travel),
}

/// How one goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Travel {
    /// At once.
    AtOnce,
    /// On foot: Shift was held.
    OnFoot,
}

impl Travel {
    fn asked(ctx: &Context) -> Travel {
        if ctx.input(|input| input.modifiers.shift) { Travel::OnFoot } else { Travel::AtOnce }
    }
}

pub(super) fn place_line(ctx: &Context, explorer: &mut Explorer, text: &mut String, focus: bool) -> Answer {
    let data = explorer.session.data().clone();
    let mut answer = Answer::Open;
    egui::Window::new("Where to?")
        .collapsible(false)
        .resizable(false)
        .anchor(Align2::CENTER_TOP, [0.0, 60.0])
        .show(ctx, |ui| {
            ui.label("a name, a /loc, or map coordinates such as 0.3N, 0.4E; with Shift on foot");
            let line = ui.add(
                egui::TextEdit::singleline(text)
                    .desired_width(420.0f32.min(ctx.viewport_rect().width() - 60.0)),
            );
            if focus {
                line.request_focus();
            }
            let found = data.complete(text);
            if line.has_focus()
                && ui.input(|input| input.key_pressed(Key::Tab))
                && let Some(first) = found.first()
            {
                *text = first.name.clone();
            }
            for place in found.iter().take(SUGGESTIONS) {
                if ui.selectable_label(false, format!("{}   ({})", place.name, place.kind)).clicked() {
                    answer = Answer::Go(place.name.clone(), Travel::asked(ctx));
                }
            }
            if line.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter)) {
                let is_known = data.find(text).is_ok() || explorer.settings.bookmark(text).is_some();
                let best = found.first().filter(|_| !is_known);
                let name = best.map_or_else(|| text.clone(), |place| place.name.clone());
                answer = Answer::Go(name, Travel::asked(ctx));
            }
            // Without the focus the key closes it as it closes everything else.
            if line.lost_focus() && ui.input(|input| input.key_pressed(Key::Escape)) {
                answer = Answer::Closed;
            }
            if bookmarks(ui, explorer, text, &mut answer) {
                text.clear();
            }
        });
    answer
}

/// Places to find again: those that match, and a button that adds the one where the player is, named as was written.
/// Whether it was added.
fn bookmarks(ui: &mut egui::Ui, explorer: &mut Explorer, text: &str, answer: &mut Answer) -> bool {
    ui.separator();
    let wanted = text.trim().to_lowercase();
    let mut dropped = None;
    for (i, Bookmark { name, .. }) in explorer.settings.bookmarks.iter().enumerate() {
        if !name.to_lowercase().contains(&wanted) {
            continue;
        }
        ui.horizontal(|ui| {
            if ui.selectable_label(false, name).clicked() {
                *answer = Answer::Go(name.clone(), Travel::asked(ui.ctx()));
            }
            if ui.small_button("forget").clicked() {
                dropped = Some(i);
            }
        });
    }
    if let Some(i) = dropped {
        explorer.settings.bookmarks.remove(i);
    }
    let label = match text.trim() {
        "" => "bookmark this place".into(),
        name => format!("bookmark this place as {name}"),
    };
    let added = ui.button(label).clicked();
    if added {
        explorer.bookmark(text);
    }
    added
}

/// The map; returns where it was clicked.
pub(super) fn map_window(
    ctx: &Context,
    layout: &mut Layout,
    explorer: &mut Explorer,
    map: &Map,
    texture: &egui::TextureHandle,
) -> Option<(MapCoords, Travel)> {
    let mut open = true;
    let mut clicked = None;
    let session = &explorer.session;
    let side = MAP_POINTS.min(ctx.viewport_rect().width() - 40.0).max(1.0);
    let panel = egui::Window::new("Map").open(&mut open).resizable(false);
    let size = Vec2::new(side + 30.0, side + 70.0);
    let shown = layout.place(ctx, "map", Vec2::RIGHT, size, panel).show(ctx, |ui| {
        let (rect, response) = ui.allocate_exact_size(Vec2::splat(side), egui::Sense::click());
        let painter = ui.painter_at(rect);
        let whole = Rect::from_min_max(Pos2::ZERO, Pos2::new(1.0, 1.0));
        painter.image(texture.id(), rect, whole, Color32::WHITE);
        let scale = side / map.side as f32;
        let at = |pixel: glam::Vec2| rect.min + Vec2::new(pixel.x, pixel.y) * scale;
        let is_outdoors = |place: &&NamedPlace| place.kind == PlaceKind::Outdoors;
        for place in session.data().places.iter().filter(is_outdoors) {
            let Some(point) = map.pixel(&place.position).map(at) else { continue };
            painter.circle_filled(point, 2.5, Color32::from_rgb(255, 240, 200));
            let near = response.hover_pos().is_some_and(|mouse| mouse.distance(point) < 9.0);
            if near {
                let text = place.name.as_str();
                painter.text(
                    point + Vec2::new(6.0, -6.0),
                    Align2::LEFT_BOTTOM,
                    text,
                    FontId::proportional(13.0),
                    Color32::WHITE,
                );
            }
        }
        let player = session.position();
        if let Some(point) = map.pixel(&player).map(at) {
            let heading = player.frame.heading().to_radians();
            let ahead = Vec2::new(heading.sin(), -heading.cos());
            let side = Vec2::new(-ahead.y, ahead.x);
            let arrow =
                [point + ahead * 9.0, point - ahead * 5.0 + side * 5.0, point - ahead * 5.0 - side * 5.0];
            painter.add(egui::Shape::convex_polygon(
                arrow.to_vec(),
                Color32::from_rgb(255, 80, 60),
                Stroke::new(1.0, Color32::BLACK),
            ));
        }
        let pixel = |mouse: Pos2| (mouse - rect.min) / scale;
        let coords = response.hover_pos().map(pixel).and_then(|p| map.coords(glam::Vec2::new(p.x, p.y)));
        ui.label(coords.map_or_else(
            || "click to go there, with Shift on foot".into(),
            |coords| format!("{coords}: click to go there, with Shift on foot"),
        ));
        if response.clicked() {
            clicked = coords.map(|coords| (coords, Travel::asked(ctx)));
        }
    });
    layout.note("map", shown.as_ref());
    explorer.settings.show.map = open;
    clicked
}
