use super::*;
use crate::{
    data::Data,
    settings::{Settings, Show},
};
use std::{fs, path::Path, sync::Arc};

fn explorer(show: Show) -> Explorer {
    let settings = Settings { show, ..Settings::default() };
    Explorer::new(Arc::new(Data::sample().unwrap()), None, settings, None).unwrap()
}

fn frames(ctx: &Context, panels: &mut Panels, explorer: &mut Explorer, size: Vec2, count: usize) -> String {
    let mut said = String::new();
    for _ in 0..count {
        let input = egui::RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, size)),
            ..egui::RawInput::default()
        };
        let mut output = ctx.run_pass(input, |ctx| panels.show(ctx, explorer));
        output.textures_delta.clear();
        said = output.shapes.iter().map(|shape| text_of(&shape.shape)).collect::<Vec<_>>().join("\n");
    }
    said
}

fn text_of(shape: &Shape) -> String {
    match shape {
        Shape::Text(text) => text.galley.text().to_owned(),
        Shape::Vec(shapes) => shapes.iter().map(text_of).collect::<Vec<_>>().join("\n"),
        _ => String::new(),
    }
}

#[test]
fn panels_do_not_cover_each_other() {
    let all = Show {
        inspector: true,
        view: true,
        journal: true,
        overlays: true,
        portals: true,
        regions: true,
        ..Show::default()
    };
    let with_map = Show { map: true, ..all.clone() };
    for (show, size) in [(all, Vec2::new(1280.0, 720.0)), (with_map, Vec2::new(1920.0, 1080.0))] {
        let (mut explorer, mut panels, ctx) = (explorer(show), Panels::new(), Context::default());
        frames(&ctx, &mut panels, &mut explorer, size, 6);
        let open: Vec<(&str, Rect)> = panels.layout.rects().collect();
        assert!(open.len() >= 4, "{open:?}");
        for (i, (a, first)) in open.iter().enumerate() {
            assert!(first.max.x <= size.x && first.max.y <= size.y, "{a}: {first:?}");
            for (b, second) in &open[i + 1..] {
                assert!(!first.intersect(*second).is_positive(), "{a} {first:?} and {b} {second:?}");
            }
        }
    }
}

#[test]
fn messages_are_on_the_screen_and_not_in_pictures() {
    let (mut explorer, mut panels, ctx) = (explorer(Show::default()), Panels::new(), Context::default());
    explorer.say("the door creaks".into());
    let size = Vec2::new(1280.0, 720.0);
    let shown = frames(&ctx, &mut panels, &mut explorer, size, 2);
    assert!(shown.contains("the door creaks") && shown.contains("all keys"), "{shown}");
    panels.for_file = true;
    let in_file = frames(&ctx, &mut panels, &mut explorer, size, 1);
    assert!(!in_file.contains("creaks") && !in_file.contains("all keys"), "{in_file}");
    assert!(in_file.contains("F1: keys"), "the status line is: {in_file}");
}

#[test]
fn the_status_line_names_what_hides_things() {
    let show = Show { view: true, ..Show::default() };
    let (mut explorer, mut panels, ctx) = (explorer(show), Panels::new(), Context::default());
    explorer.advance(0.1).unwrap();
    assert!(explorer.plan_frame(64, 36));
    explorer.draws_shown = Some(3);
    explorer.key(Action::Walls, true);
    explorer.key(Action::Fly, true);
    explorer.key(Action::Pause, true);
    let shown = frames(&ctx, &mut panels, &mut explorer, Vec2::new(1280.0, 720.0), 2);
    for mode in ["only 3 of ", "passes through walls (X", "free camera (F", "paused, "] {
        assert!(shown.contains(mode), "{mode}: {shown}");
    }
}

#[test]
fn the_overlays_have_a_legend() {
    let show = Show { overlays: true, ..Show::default() };
    let (mut explorer, mut panels, ctx) = (explorer(show), Panels::new(), Context::default());
    let shown = frames(&ctx, &mut panels, &mut explorer, Vec2::new(1280.0, 720.0), 3);
    for (overlay, ..) in Overlay::ALL {
        for (_, text) in overlay::legend(overlay) {
            assert!(shown.contains(text), "{text}: {shown}");
        }
    }
}

/// Characters in strings of the source that are not ASCII.
fn unusual_characters(dir: &Path, into: &mut Vec<(String, char)>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            unusual_characters(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            let found = code.flat_map(str::chars).filter(|c| !c.is_ascii());
            into.extend(found.map(|c| (path.display().to_string(), c)));
        }
    }
}

#[test]
fn every_character_that_is_shown_is_in_the_fonts() {
    let ctx = Context::default();
    ctx.run_pass(egui::RawInput::default(), |_| {}).textures_delta.clear();
    let mut found = Vec::new();
    unusual_characters(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    assert!(!found.is_empty(), "at least the dots of the status line");
    for (file, c) in found {
        for font in [FontId::proportional(13.0), FontId::monospace(13.0)] {
            assert!(ctx.fonts_mut(|fonts| fonts.has_glyph(&font, c)), "{c:?} of {file} in {font:?}");
        }
    }
}
