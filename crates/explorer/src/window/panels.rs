//! The panels around the picture.

mod film;
mod inspector;
mod journal;
mod layout;
mod plan;
mod travel;

use super::touch::Touch;
use crate::{
    explorer::Explorer,
    input::{Action, key_name},
    map::Map,
    overlay,
    settings::Overlay,
};
use egui::{Align2, Color32, Context, FontId, Key, Pos2, Rect, Shape, Stroke, Vec2};
use layout::Layout;
use threshold_sim::TICKS_PER_SECOND;
use threshold_view::{Via, View};
use threshold_world::loc::MapCoords;

/// Ticks that a message stays on the screen.
const MESSAGE_TICKS: u64 = 5 * TICKS_PER_SECOND;
/// Ticks that the first hint stays.
const HINT_TICKS: u64 = 25 * TICKS_PER_SECOND;

/// Seconds over which frames are counted.
const COUNTED: f32 = 2.0;

/// How long frames took in the last seconds that are over; 0 until the first are.
#[derive(Default)]
pub(super) struct FrameTimes {
    mean: f32,
    longest: f32,
    /// Frames of the seconds that are not over: how many, how long together, the longest.
    count: u32,
    sum: f32,
    peak: f32,
}

impl FrameTimes {
    pub(super) fn note(&mut self, seconds: f32) {
        (self.count, self.sum, self.peak) = (self.count + 1, self.sum + seconds, self.peak.max(seconds));
        if self.sum >= COUNTED {
            let mean = self.sum / self.count as f32;
            *self = FrameTimes { mean, longest: self.peak, ..FrameTimes::default() };
        }
    }
}

/// What the panels remember from frame to frame.
pub(super) struct Panels {
    pub(super) place: String,
    pub(super) asks_place: bool,
    /// Whether to leave is being asked.
    pub(super) asks_leave: bool,
    /// Somebody has said yes.
    pub(super) leaves: bool,
    /// This frame is for a file: what is only said for a while is left out.
    pub(super) for_file: bool,
    focus_place: bool,
    layout: Layout,
    map: Option<(Map, egui::TextureHandle)>,
    /// Name of what draws, and how fast.
    pub(super) artist: String,
    pub(super) frames: FrameTimes,
    pub(super) copied: Option<String>,
    pub(super) touch: Touch,
}

impl Panels {
    pub(super) fn new() -> Panels {
        Panels {
            place: String::new(),
            asks_place: false,
            asks_leave: false,
            leaves: false,
            for_file: false,
            focus_place: false,
            layout: Layout::default(),
            map: None,
            artist: String::new(),
            frames: FrameTimes::default(),
            copied: None,
            touch: Touch::default(),
        }
    }

    /// Opens the line for places.
    pub(super) fn ask_place(&mut self) {
        self.asks_place = true;
        self.focus_place = true;
        self.place.clear();
    }

    /// Everything that is drawn over the picture.
    pub(super) fn show(&mut self, ctx: &Context, explorer: &mut Explorer) {
        self.layout.begin_frame();
        self.paint_overlays(ctx, explorer);
        self.status(ctx, explorer);
        if !self.for_file {
            self.messages(ctx, explorer);
        }
        self.touch.paint(ctx);
        self.touch.buttons(ctx, explorer);
        if explorer.session.playing().is_some() {
            film::names(ctx, explorer);
            film::show(ctx, explorer);
        }
        if explorer.settings.show.inspector {
            inspector::show(ctx, &mut self.layout, explorer, &mut self.copied);
        }
        if explorer.settings.show.view {
            plan::show(ctx, &mut self.layout, explorer);
        }
        if explorer.settings.show.journal {
            journal::show(ctx, &mut self.layout, explorer);
        }
        if explorer.settings.show.overlays {
            overlays(ctx, &mut self.layout, explorer);
        }
        if explorer.settings.show.map {
            self.map(ctx, explorer);
        }
        if explorer.settings.show.help {
            help(ctx, explorer);
        }
        if self.asks_place {
            self.place_line(ctx, explorer);
        }
        if self.asks_leave {
            self.leave_question(ctx);
        }
    }

    /// Asks whether to leave.
    fn leave_question(&mut self, ctx: &Context) {
        let panel = egui::Window::new("Leave?").collapsible(false).resizable(false);
        panel.anchor(Align2::CENTER_CENTER, [0.0, 0.0]).show(ctx, |ui| {
            ui.label("Settings and bookmarks are kept.");
            ui.horizontal(|ui| {
                let enter = ui.input(|input| input.key_pressed(Key::Enter));
                self.leaves = ui.button("Leave (Enter)").clicked() || enter;
                if ui.button("Stay (Esc)").clicked() {
                    self.asks_leave = false;
                }
            });
        });
    }

    fn paint_overlays(&self, ctx: &Context, explorer: &Explorer) {
        let plan = explorer.view.plan();
        let Some(projection) = &plan.projection else { return };
        let screen = ctx.viewport_rect();
        let scale = screen.size() / Vec2::new(projection.size.x, projection.size.y);
        let at = |p: glam::Vec2| Pos2::new(p.x * scale.x, p.y * scale.y);
        let painter = ctx.layer_painter(egui::LayerId::background());
        if explorer.settings.show.regions {
            let interesting = |view: &&View| view.via != Via::Screen;
            for view in plan.views.iter().filter(interesting) {
                let corners: Vec<Pos2> = plan.pixels(view).iter().map(|&p| at(p)).collect();
                let color = match view.via {
                    Via::Building { .. } => color32(overlay::INTO_BUILDING),
                    _ => color32(overlay::THROUGH_OPENING),
                };
                let fill = color.gamma_multiply(0.06);
                painter.add(Shape::convex_polygon(corners, fill, Stroke::new(1.5, color)));
            }
        }
        let (lines, labels) =
            overlay::all(&explorer.session, &explorer.view, &explorer.settings.show, explorer.picked);
        for line in &lines {
            if let Some(ends) = overlay::on_screen(line, projection) {
                painter.line_segment(ends.map(at), Stroke::new(1.2, color32(line.color)));
            }
        }
        for label in &labels {
            let point = projection.to_screen(label.at);
            if point.w > threshold_view::Z_NEAR {
                let at = at(glam::Vec2::new(point.x, point.y) / point.w);
                let text = format!("{:04X}", label.number);
                painter.text(at, Align2::CENTER_CENTER, text, FontId::monospace(14.0), color32(label.color));
            }
        }
    }

    /// The line at the bottom, and the jump bar.
    fn status(&self, ctx: &Context, explorer: &Explorer) {
        let session = &explorer.session;
        let painter = ctx.layer_painter(egui::LayerId::background());
        let screen = ctx.viewport_rect();
        let position = session.position();
        let map = MapCoords::of(position.cell);
        let place = map.map_or_else(|| "indoors".into(), |coords| coords.to_string());
        let mut parts = vec![place, position.cell.to_string()];
        let FrameTimes { mean, longest, .. } = self.frames;
        if mean > 0.0 && !explorer.is_scripted() {
            parts.push(format!("{:.0} fps, {:.0} ms at most", 1.0 / mean, longest * 1000.0));
        }
        parts.push(self.artist.clone());
        parts.extend(explorer.modes());
        if let Some(recorder) = session.recorder() {
            parts.push(format!("recording, {} sweeps", recorder.count()));
        }
        parts.extend(session.loading());
        let help = key_name(explorer.settings.key(Action::Help));
        parts.push(format!("{help}: keys"));
        banner(
            &painter,
            screen.left_bottom() + Vec2::new(12.0, -10.0),
            Align2::LEFT_BOTTOM,
            &parts.join("   ·   "),
            13.0,
        );
        if let Some(power) = session.jump_power() {
            let low = screen.center_bottom() + Vec2::new(-100.0, -60.0);
            painter.rect_filled(
                Rect::from_min_size(low, Vec2::new(200.0, 6.0)),
                3.0,
                Color32::from_black_alpha(120),
            );
            painter.rect_filled(
                Rect::from_min_size(low, Vec2::new(200.0 * power, 6.0)),
                3.0,
                Color32::from_rgb(255, 210, 90),
            );
        }
    }

    /// What was said last, and the first hint.
    fn messages(&self, ctx: &Context, explorer: &Explorer) {
        let session = &explorer.session;
        let painter = ctx.layer_painter(egui::LayerId::background());
        let screen = ctx.viewport_rect();
        let last = session.journal().entries().next_back();
        if let Some(entry) = last.filter(|entry| session.ticks() < entry.tick + MESSAGE_TICKS) {
            let at = screen.center_bottom() + Vec2::new(0.0, -80.0);
            banner(&painter, at, Align2::CENTER_BOTTOM, &entry.text, 17.0);
        }
        if session.ticks() < HINT_TICKS
            && session.playing().is_none()
            && !explorer.settings.show.help
            && !explorer.is_scripted()
        {
            let key = |action| key_name(explorer.settings.key(action));
            let by_hand =
                "stick: walk   ·   one finger: look around   ·   tap: doors   ·   menu: everything else";
            let by_keys = format!(
                "{} {} {} {}: walk   ·   right mouse button: look around   ·   {} or a click: doors   ·   {}: go somewhere   ·   {}: all keys",
                key(Action::Forward),
                key(Action::Left),
                key(Action::Back),
                key(Action::Right),
                key(Action::Use),
                key(Action::Teleport),
                key(Action::Help),
            );
            let hint = if self.touch.is_used() { by_hand } else { &by_keys };
            banner(&painter, screen.center_top() + Vec2::new(0.0, 14.0), Align2::CENTER_TOP, hint, 15.0);
        }
    }

    fn place_line(&mut self, ctx: &Context, explorer: &mut Explorer) {
        let focus = std::mem::take(&mut self.focus_place);
        let chosen = travel::place_line(ctx, explorer, &mut self.place, focus);
        match chosen {
            travel::Answer::Open => {}
            travel::Answer::Closed => self.asks_place = false,
            travel::Answer::Go(place, how) => {
                self.asks_place = false;
                let gone = match how {
                    travel::Travel::AtOnce => explorer.go(&place),
                    travel::Travel::OnFoot => explorer.walk(&place),
                };
                if let Err(error) = gone {
                    explorer.say(format!("{error:#}"));
                }
            }
        }
    }

    fn map(&mut self, ctx: &Context, explorer: &mut Explorer) {
        let session = &explorer.session;
        let middle = session.position().cell.block();
        let current = self.map.as_ref().is_some_and(|(map, _)| map.is_current(session.world(), middle));
        if !current {
            let map = Map::draw(session.world(), middle);
            let image = egui::ColorImage::from_rgba_unmultiplied([map.side, map.side], &map.rgba);
            let texture = ctx.load_texture("map", image, egui::TextureOptions::LINEAR);
            self.map = Some((map, texture));
        }
        let Some((map, texture)) = &self.map else { return };
        let Some((coords, how)) = travel::map_window(ctx, &mut self.layout, explorer, map, texture) else {
            return;
        };
        let gone = match how {
            travel::Travel::AtOnce => explorer.session.travel(coords.into(), &coords.to_string()),
            travel::Travel::OnFoot => explorer.session.walk_to(coords.into(), &coords.to_string()),
        };
        if let Err(error) = gone {
            explorer.say(format!("{error:#}"));
        }
    }
}

/// Points that a screen must be wide for panels to stand beside each other.
const WIDE: f32 = 640.0;

/// A panel; on a small screen it is a sheet over the lower half.
fn sheet<'a>(ctx: &Context, panel: egui::Window<'a>) -> egui::Window<'a> {
    let screen = ctx.viewport_rect();
    if screen.width() >= WIDE {
        return panel;
    }
    let frame = 28.0;
    panel
        .anchor(Align2::CENTER_BOTTOM, [0.0, 0.0])
        .movable(false)
        .resizable(false)
        .default_width(screen.width() - frame)
        .max_width(screen.width() - frame)
        .max_height(screen.height() * 0.5)
        .scroll([true, true])
}

/// Lines of text on a dark ground.
fn banner(painter: &egui::Painter, at: Pos2, align: Align2, text: &str, size: f32) {
    let width = painter.ctx().viewport_rect().width() - 28.0;
    let font = FontId::proportional(size);
    let galley = painter.layout(text.to_owned(), font, Color32::from_gray(240), width);
    let rect = align.anchor_size(at, galley.size());
    painter.rect_filled(rect.expand2(Vec2::new(8.0, 4.0)), 5.0, Color32::from_black_alpha(150));
    painter.galley(rect.min, galley, Color32::WHITE);
}

/// Keys and what they do.
fn help(ctx: &Context, explorer: &mut Explorer) {
    let mut open = true;
    let panel = egui::Window::new("Keys")
        .open(&mut open)
        .collapsible(false)
        .resizable(false)
        .default_pos([24.0, 24.0])
        .default_width(820.0);
    sheet(ctx, panel).show(ctx, |ui| {
            ui.label("Hold the right mouse button to look around. Click on doors to open them, on objects to see what they are.");
            let groups = ["Walking", "World", "Camera", "Time", "Panels"];
            if ctx.viewport_rect().width() < WIDE {
                groups.iter().for_each(|group| keys(ui, explorer, group));
            } else {
                ui.columns(2, |columns| {
                    for (column, groups) in columns.iter_mut().zip([&groups[..3], &groups[3..]]) {
                        groups.iter().for_each(|group| keys(column, explorer, group));
                    }
                });
            }
        });
    explorer.settings.show.help = open;
}

/// Keys of one group.
fn keys(ui: &mut egui::Ui, explorer: &Explorer, group: &str) {
    ui.add_space(6.0);
    ui.strong(group);
    egui::Grid::new(group).num_columns(2).spacing([14.0, 3.0]).show(ui, |ui| {
        for &action in Action::ALL.iter().filter(|action| action.group() == group) {
            ui.monospace(key_name(explorer.settings.key(action)));
            ui.label(action.help());
            ui.end_row();
        }
    });
}

fn color32([r, g, b]: overlay::Color) -> Color32 {
    Color32::from_rgb(r, g, b)
}

/// What the colours of an overlay mean.
fn legend(ui: &mut egui::Ui, overlay: Overlay) {
    let colors = overlay::legend(overlay);
    if colors.is_empty() {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 5.0;
        ui.add_space(20.0);
        for (color, text) in colors {
            let (rect, _) = ui.allocate_exact_size(Vec2::splat(9.0), egui::Sense::hover());
            ui.painter().rect_filled(rect, 2.0, color32(color));
            ui.label(egui::RichText::new(text).small());
        }
    });
}

/// Which overlays there are, and what the world looks like.
fn overlays(ctx: &Context, layout: &mut Layout, explorer: &mut Explorer) {
    let mut open = true;
    let panel = egui::Window::new("Overlays").open(&mut open).resizable(false);
    let panel = layout.place(ctx, "overlays", Vec2::ZERO, Vec2::new(400.0, 400.0), panel);
    let shown = sheet(ctx, panel).show(ctx, |ui| {
        ui.set_max_width(380.0);
        for (overlay, _, text) in Overlay::ALL {
            ui.checkbox(explorer.settings.show.overlay_mut(overlay), text);
            legend(ui, overlay);
        }
        ui.separator();
        ui.add(egui::Slider::new(&mut explorer.settings.time, 0.0..=1.0).text("time of day"));
        ui.add(egui::Slider::new(&mut explorer.settings.fov, 30.0..=100.0).text("field of view"));
        ui.add(egui::Slider::new(&mut explorer.settings.mouse_speed, 0.02..=0.6).text("mouse"));
        ui.checkbox(&mut explorer.settings.weather, "rain and snow");
        ui.checkbox(&mut explorer.settings.invert_mouse, "mouse up looks down");
    });
    layout.note("overlays", shown.as_ref());
    explorer.settings.show.overlays = open;
}

#[cfg(test)]
mod tests;
