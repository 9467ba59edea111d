//! What happened, and time itself.

use super::layout::Layout;
use crate::explorer::Explorer;
use egui::{Context, Vec2};
use threshold_sim::TICKS_PER_SECOND;

/// Lines that are shown.
const SHOWN: usize = 100;

pub(super) fn show(ctx: &Context, layout: &mut Layout, explorer: &mut Explorer) {
    let mut open = true;
    let size = Vec2::new(420.0, 280.0);
    let panel = egui::Window::new("Time").open(&mut open).default_size(size).vscroll(true);
    let panel = layout.place(ctx, "time", Vec2::DOWN, size, panel);
    let result = super::sheet(ctx, panel).show(ctx, |ui| controls(ui, explorer));
    layout.note("time", result.as_ref());
    if let Some(Err(error)) = result.and_then(|shown| shown.inner) {
        explorer.say(format!("{error:#}"));
    }
    explorer.settings.show.journal = open;
}

fn controls(ui: &mut egui::Ui, explorer: &mut Explorer) -> anyhow::Result<()> {
    let session = &mut explorer.session;
    let seconds = |tick: u64| tick as f64 / TICKS_PER_SECOND as f64;
    let mut wanted = None;
    let mut record = false;
    ui.horizontal(|ui| {
        if ui.button(if session.is_paused() { "play" } else { "pause" }).clicked() {
            session.set_paused(!session.is_paused());
        }
        if ui.button("one tick").clicked() {
            session.set_paused(true);
            if let Err(error) = session.tick() {
                session.note(format!("{error:#}"));
            }
        }
        let recording = session.recorder().is_some();
        record = ui.button(if recording { "stop recording" } else { "record" }).clicked();
        ui.label(format!("{:.2} s", seconds(session.ticks())));
    });
    let remembered = session.remembered();
    if remembered > 0 {
        let mut back = session.ticks_back();
        let slider = egui::Slider::new(&mut back, 0..=remembered).text("ticks back");
        if ui.add(slider).changed() {
            wanted = Some(back);
        }
    }
    ui.separator();
    egui::CollapsingHeader::new("Cell changes").default_open(true).show(ui, |ui| {
        for crossing in session.journal().crossings().rev().take(SHOWN) {
            ui.horizontal(|ui| {
                ui.monospace(format!(
                    "{:8.2} s  {} to {}",
                    seconds(crossing.tick),
                    crossing.from,
                    crossing.to
                ));
                let back = session.ticks().saturating_sub(crossing.tick) as usize;
                if back <= remembered && ui.small_button("there").clicked() {
                    wanted = Some(session.ticks_back() + back);
                }
            });
        }
    });
    egui::CollapsingHeader::new("Events").default_open(true).show(ui, |ui| {
        for entry in session.journal().entries().rev().take(SHOWN) {
            ui.label(format!("{:8.2} s  {}", seconds(entry.tick), entry.text));
        }
    });
    if let Some(back) = wanted {
        explorer.session.rewind(back)?;
    }
    if record {
        explorer.toggle_recording()?;
    }
    Ok(())
}
