//! The recorded session that is played: where it is, how fast it runs, and who is followed.

use crate::{
    explorer::Explorer,
    overlay::on_screen,
    session::{SPEEDS, above},
};
use egui::{Align2, Color32, Context, FontId, Pos2, Vec2};
use threshold_render::overlay::Segment;
use threshold_sim::TICKS_PER_SECOND;
use threshold_world::coords::block_offset;

/// Objects farther away than this have no name on the screen.
const NAMED: f32 = 40.0;
/// Objects that can be chosen to be followed.
const LISTED: f32 = 200.0;

/// Names above the heads of what is near.
pub(super) fn names(ctx: &Context, explorer: &Explorer) {
    let plan = explorer.view.plan();
    let (Some(projection), Some(eye)) = (&plan.projection, explorer.session.eye().position()) else { return };
    let screen = ctx.viewport_rect();
    let scale = screen.size() / Vec2::new(projection.size.x, projection.size.y);
    let painter = ctx.layer_painter(egui::LayerId::background());
    for shown in explorer.session.shown(NAMED) {
        let at = above(&shown.ours) + block_offset(eye.cell, shown.ours.cell);
        // A line without length is on the screen where its point is.
        let point = on_screen(&Segment { a: at, b: at, color: [255; 3] }, projection);
        if let Some([point, _]) = point {
            let at = Pos2::new(point.x * scale.x, point.y * scale.y);
            let color = if shown.ghost.is_some() { Color32::LIGHT_RED } else { Color32::WHITE };
            let font = FontId::proportional(14.0);
            painter.text(
                at + Vec2::splat(1.0),
                Align2::CENTER_BOTTOM,
                &shown.name,
                font.clone(),
                Color32::BLACK,
            );
            painter.text(at, Align2::CENTER_BOTTOM, &shown.name, font, color);
        }
    }
}

/// The controls of the film.
pub(super) fn show(ctx: &Context, explorer: &mut Explorer) {
    let result = egui::Window::new("Session")
        .resizable(false)
        .collapsible(true)
        // Below and beside what is followed, which is in the middle.
        .anchor(Align2::RIGHT_BOTTOM, [-14.0, -14.0])
        .show(ctx, |ui| controls(ui, explorer));
    if let Some(Err(error)) = result.and_then(|shown| shown.inner) {
        explorer.say(format!("{error:#}"));
    }
}

fn controls(ui: &mut egui::Ui, explorer: &mut Explorer) -> anyhow::Result<()> {
    let session = &mut explorer.session;
    let Some(film) = session.playing() else { return Ok(()) };
    let seconds = |tick: u64| tick as f64 / TICKS_PER_SECOND as f64;
    let (length, findings) = (seconds(film.length()), film.verdict().counts.values().sum::<u64>());
    let (mut now, mut speed, followed) = (seconds(film.tick()), film.speed, film.followed);
    ui.label(format!("{}: {} objects, {findings} findings", film.name(), film.verdict().objects));
    ui.spacing_mut().slider_width = 380.0;
    let moved = ui.add(egui::Slider::new(&mut now, 0.0..=length).suffix(" s").fixed_decimals(1)).changed();
    let mut pause = false;
    ui.horizontal(|ui| {
        pause = ui.button(if session.is_paused() { "play" } else { "pause" }).clicked();
        ui.spacing_mut().slider_width = 120.0;
        ui.add(egui::Slider::new(&mut speed, SPEEDS).logarithmic(true).prefix("× "));
    });
    let near = session.shown(LISTED);
    let name = |guid: Option<u32>| match guid {
        None => "the player".to_owned(),
        Some(guid) => session
            .sim()
            .described(guid)
            .map_or_else(|| format!("0x{guid:08X}"), |object| object.game.name.clone()),
    };
    let mut chosen = followed;
    egui::ComboBox::from_label("followed").selected_text(name(followed)).show_ui(ui, |ui| {
        ui.selectable_value(&mut chosen, None, "the player");
        for object in &near {
            ui.selectable_value(&mut chosen, Some(object.guid), &object.name);
        }
    });
    if let Some(film) = session.playing_mut() {
        film.speed = speed;
    }
    if chosen != followed {
        session.follow(chosen)?;
    }
    if pause {
        let is_over = session.playing().is_some_and(|film| film.tick() >= film.length());
        if is_over {
            session.seek(0)?;
        }
        session.set_paused(!session.is_paused());
    }
    if moved { session.seek((now * TICKS_PER_SECOND as f64) as u64) } else { Ok(()) }
}
