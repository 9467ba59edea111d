//! Small tools of the explorer: what was pointed at, bookmarks, an eye that passes through walls, the folder of pictures.

mod common;

use common::{data, place};
use threshold_explorer::{
    explorer::{Explorer, Request, SCRIPT_FRAME},
    input::Action,
    overlay,
    settings::Settings,
};
use threshold_sim::{Hit, Target};
use threshold_world::loc::Place as Spot;

fn explorer_at(name: &str, settings: Settings) -> Explorer {
    let mut explorer = Explorer::new(data(), Some(Spot::Exact(place(name))), settings, None).unwrap();
    frames(&mut explorer, 60);
    explorer
}

fn frames(explorer: &mut Explorer, count: usize) {
    for _ in 0..count {
        explorer.advance(SCRIPT_FRAME).unwrap();
    }
}

#[test]
fn the_outline_of_a_door_follows_its_leaf() {
    let mut explorer = explorer_at("Cottage Door", Settings::default());
    let door = explorer.session.door_ahead().unwrap();
    explorer.picked =
        Some(Hit { target: Target::Entity(door), ..explorer.session.pick(glam::Vec3::Y).unwrap() });
    // How far north the outline reaches.
    let reach = |explorer: &mut Explorer| {
        assert!(explorer.plan_frame(64, 36));
        let Explorer { session, view, settings, picked, .. } = &*explorer;
        let (lines, _) = overlay::all(session, view, &settings.show, *picked);
        assert!(!lines.is_empty());
        lines.iter().map(|line| line.a.y.max(line.b.y)).fold(f32::MIN, f32::max)
    };
    let closed = reach(&mut explorer);
    explorer.key(Action::Use, true);
    frames(&mut explorer, 90);
    let open = reach(&mut explorer);
    assert!(open > closed + 1.0, "the leaf has swung inwards: {closed}, then {open}");
}

#[test]
fn a_bookmark_leads_back() {
    let mut explorer = explorer_at("Cottage Cellar", Settings::default());
    let here = explorer.session.position();
    explorer.key(Action::Bookmark, true);
    explorer.go("Tower Lookout").unwrap();
    let arrive = |explorer: &mut Explorer| {
        for _ in 0..1200 {
            frames(explorer, 1);
            if !explorer.session.is_travelling() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        panic!("never loaded");
    };
    arrive(&mut explorer);
    assert_eq!(explorer.session.position().cell, place("Tower Lookout").cell);
    explorer.go("bookmark 1").unwrap();
    arrive(&mut explorer);
    assert!(explorer.session.position().distance_to(&here) < 0.1, "{}", explorer.session.position());
}

#[test]
fn walls_stop_the_eye_unless_it_is_told_to_pass() {
    let mut explorer = explorer_at("Cottage Vestibule", Settings::default());
    let distance = |explorer: &Explorer| {
        explorer.session.position().distance_to(explorer.session.eye().position().unwrap())
    };
    // Far behind the player, where the closed door is.
    explorer.session.eye_mut().zoom(-8);
    frames(&mut explorer, 120);
    let held = distance(&explorer);
    explorer.key(Action::Walls, true);
    frames(&mut explorer, 120);
    let passed = distance(&explorer);
    assert!(passed > held + 1.0, "{held} m, then {passed} m");
    assert!(explorer.plan_frame(64, 36), "there is something to see");
    explorer.key(Action::Walls, true);
    frames(&mut explorer, 120);
    assert!((distance(&explorer) - held).abs() < 0.3, "and back");
}

#[test]
fn pictures_go_into_their_folder() {
    let dir = tempfile::tempdir().unwrap();
    let settings = Settings { pictures: Some(dir.path().join("new")), ..Settings::default() };
    let mut explorer = explorer_at("Cottage Door", settings);
    explorer.key(Action::Screenshot, true);
    let path = dir.path().join("new").join("threshold-001.png");
    assert_eq!(explorer.take_requests(), [Request::Screenshot(path.clone())]);
    explorer.say_written(&path);
    let said = explorer.session.journal().entries().next_back().unwrap().text.clone();
    assert!(said.contains(path.to_str().unwrap()), "{said}");
}

#[test]
fn what_was_left_is_said_at_the_start() {
    let mut settings = Settings { window: [900, 600], ..Settings::default() };
    settings.show.portals = true;
    let explorer = Explorer::new(data(), None, settings, None).unwrap();
    let said = explorer.session.journal().entries().next_back().unwrap().text.clone();
    assert!(said.contains("900 x 600") && said.contains("portals"), "{said}");
}
