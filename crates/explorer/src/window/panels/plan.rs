//! What is seen through what, and the frame drawn step by step.

use super::layout::Layout;
use crate::explorer::Explorer;
use egui::{Context, Vec2};
use threshold_render::draw::{Draw, Item};
use threshold_view::report::Tree;

pub(super) fn show(ctx: &Context, layout: &mut Layout, explorer: &mut Explorer) {
    let mut open = true;
    let size = Vec2::new(430.0, ctx.viewport_rect().height() * 0.38);
    let panel = egui::Window::new("View").open(&mut open).default_size(size).scroll([true, true]);
    let panel = layout.place(ctx, "view", Vec2::ZERO, size, panel);
    let shown = super::sheet(ctx, panel).show(ctx, |ui| {
        ui.checkbox(&mut explorer.settings.show.regions, "show the regions on the screen");
        let count = explorer.view.studio.list().items.len();
        let mut stepping = explorer.draws_shown.is_some();
        if ui.checkbox(&mut stepping, "step through the frame, draw by draw").changed() {
            explorer.draws_shown = stepping.then_some(count);
        }
        if let Some(shown) = &mut explorer.draws_shown {
            ui.horizontal(|ui| {
                if ui.button("<").clicked() {
                    *shown = shown.saturating_sub(1);
                }
                if ui.button(">").clicked() {
                    *shown += 1;
                }
                *shown = (*shown).min(count);
                ui.add(egui::Slider::new(shown, 0..=count).text(format!("of {count}")));
            });
            let items = &explorer.view.studio.list().items;
            let last = explorer.draws_shown.and_then(|shown| items.get(shown.checked_sub(1)?));
            ui.monospace(last.map_or_else(|| "nothing yet".into(), describe));
        }
        ui.separator();
        let tree = Tree(explorer.view.plan()).to_string();
        ui.add(egui::Label::new(egui::RichText::new(tree).monospace().size(11.0)).extend());
    });
    layout.note("view", shown.as_ref());
    explorer.settings.show.view = open;
}

fn describe(item: &Item) -> String {
    match item {
        Item::Draw(Draw { what, indices, texture, mesh, .. }) => {
            format!("{what:?}: {} triangles of mesh {mesh:?}, texture {texture}", indices.len() / 3)
        }
        Item::ClearDepth => "clear the depth buffer".into(),
        Item::Punch(corners) => format!("punch an opening of {} corners", corners.len()),
        Item::Seal(corners) => format!("seal an opening of {} corners", corners.len()),
    }
}
