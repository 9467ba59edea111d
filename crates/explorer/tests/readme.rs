//! The steps of "What to try first" in the README, done with the keys that it names, and how things stand after each.

mod common;

use common::{data, place};
use std::{fs, path::Path};
use threshold_explorer::{
    explorer::{Explorer, SCRIPT_FRAME},
    input::Action,
    inspect::Report,
    overlay,
    session::REMEMBERED,
    settings::{Overlay, Settings},
};
use threshold_scenario::{Replay, Tolerance, simulation};
use threshold_sim::EntityKey;
use threshold_view::Via;
use threshold_world::{CellId, Library};

/// Frames of a second.
const SECOND: usize = 60;
const SIZE: (u32, u32) = (320, 180);

/// Somebody at the keyboard.
struct Person(Explorer);

impl Person {
    fn new() -> Person {
        Person(Explorer::new(data(), None, Settings::default(), None).unwrap())
    }

    fn frames(&mut self, count: usize) {
        for _ in 0..count {
            self.0.advance(SCRIPT_FRAME).unwrap();
        }
    }

    fn tap(&mut self, action: Action) {
        self.0.key(action, true);
        self.0.key(action, false);
    }

    /// Holds a key for some seconds, or until something is so.
    fn hold(&mut self, action: Action, seconds: f64, until: impl Fn(&Person) -> bool) {
        self.0.key(action, true);
        for _ in 0..(seconds * SECOND as f64) as usize {
            self.frames(1);
            if until(self) {
                break;
            }
        }
        self.0.key(action, false);
        self.frames(2);
    }

    /// Looks around with the right mouse button.
    fn look(&mut self, right: f32) {
        self.0.session.look(right, 0.0);
        self.frames(2);
    }

    fn go(&mut self, name: &str) {
        self.0.go(name).unwrap();
        for _ in 0..20 * SECOND {
            self.frames(1);
            if !self.0.session.is_travelling() {
                self.frames(10);
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        panic!("{name} is never loaded");
    }

    fn cell(&self) -> CellId {
        self.0.session.position().cell
    }

    fn height(&self) -> f32 {
        self.0.session.position().frame.origin.z
    }

    fn is_in(&self, name: &str) -> bool {
        self.cell() == place(name).cell
    }

    fn thing(&self, name: &str) -> EntityKey {
        self.0.session.sim().find_by_name(name).unwrap_or_else(|| panic!("there is no {name}"))
    }

    fn distance(&self, name: &str) -> f32 {
        let at = self.0.session.scene().get(self.thing(name)).unwrap().position;
        self.0.session.position().distance_to(&at)
    }

    fn is_open(&self, door: &str) -> bool {
        self.0.session.sim().door(self.thing(door)).unwrap().open
    }

    fn frame(&mut self) {
        assert!(self.0.plan_frame(SIZE.0, SIZE.1));
    }
}

#[test]
fn what_to_try_first() {
    // What is recorded goes into the current folder.
    let dir = tempfile::tempdir().unwrap();
    std::env::set_current_dir(dir.path()).unwrap();
    let mut person = Person::new();
    person.frames(SECOND);
    assert!(person.cell().is_outdoor(), "in the street");
    the_door(&mut person);
    the_cellar(&mut person);
    openings_and_regions(&mut person);
    the_doorway(&mut person);
    time(&mut person, dir.path());
    elsewhere(&mut person);
    who_is_about(&mut person);
}

/// 1: `E` opens the door ahead; in, and about face.
fn the_door(person: &mut Person) {
    assert!(!person.is_open("Cottage Door"));
    person.tap(Action::Use);
    assert!(person.is_open("Cottage Door"), "it is within reach");
    person.hold(Action::Forward, 10.0, |person| person.is_in("Cottage Vestibule"));
    assert!(person.is_in("Cottage Vestibule"), "{}", person.cell());
    person.look(180.0);
    person.frames(SECOND);
    person.frame();
    let plan = person.0.view.plan();
    assert!(plan.draws_landscape(), "the street is seen through the doorway");
    assert!(plan.cells.iter().any(|cell| cell.id == place("Cottage Vestibule").cell), "and the room");
    person.look(180.0);
}

/// 2: left along the wall to the corner, and down the stairs; as far into the room as one likes.
fn the_cellar(person: &mut Person) {
    for into_the_room in [0.6, 0.9, 1.5] {
        person.go("Cottage Vestibule");
        let start = place("Cottage Vestibule").frame.origin.y;
        // To the second door it is 1.1 m, and it is 0.2 m thick.
        let there =
            |person: &Person| person.0.session.position().frame.origin.y > start + 1.1 + into_the_room;
        person.0.session.set_runs(false);
        person.hold(Action::Forward, 10.0, there);
        assert!(person.is_in("Cottage Living Room"), "{}", person.0.session.position());
        person.look(-90.0);
        person.hold(Action::Forward, 5.0, |_| false);
        person.look(90.0);
        let foot = place("Cottage Cellar Stairs").frame.origin;
        person.hold(Action::Forward, 6.0, |person| person.0.session.position().frame.origin.y > foot.y - 0.2);
        let found = person.0.session.position();
        assert!(person.is_in("Cottage Cellar Stairs") && person.height() < foot.z + 0.1, "{found}");
        person.look(90.0);
        person.hold(Action::Forward, 10.0, |person| person.is_in("Cottage Cellar"));
        assert!(person.is_in("Cottage Cellar"), "{}", person.0.session.position());
    }
    person.0.session.set_runs(true);
    person.tap(Action::Inspector);
    assert!(person.0.settings.show.inspector);
    let report = Report::new(&person.0.session, &person.0.view);
    assert_eq!(report.cell, place("Cottage Cellar").cell);
    assert!(report.last.on_walkable && report.last.mover_shadow_cells.contains(&report.cell));
    person.tap(Action::Inspector);
}

/// 3: `F5` and the overlays; `F3` and the frame, draw by draw.
fn openings_and_regions(person: &mut Person) {
    person.go("Cottage Living Room");
    person.tap(Action::Overlays);
    assert!(person.0.settings.show.overlays);
    for overlay in [Overlay::Portals, Overlay::Regions] {
        *person.0.settings.show.overlay_mut(overlay) = true;
    }
    person.frame();
    let Explorer { session, view, settings, picked, .. } = &person.0;
    let (lines, _) = overlay::all(session, view, &settings.show, *picked);
    let known: Vec<_> = overlay::legend(Overlay::Portals).iter().map(|(color, _)| *color).collect();
    assert!(lines.iter().filter(|line| known.contains(&line.color)).count() > 20, "openings are outlined");
    assert!(view.plan().views.iter().any(|view| view.via != Via::Screen), "there are regions");
    person.tap(Action::Overlays);
    person.tap(Action::View);
    let whole = person.0.draw_list().items.len();
    person.0.draws_shown = Some(5);
    assert_eq!(person.0.draw_list().items.len(), 5);
    assert!(person.0.modes().iter().any(|mode| mode.contains(&format!("5 of {whole}"))));
    person.tap(Action::View);
    person.frames(1);
    assert_eq!(person.0.draw_list().items.len(), whole, "the panel is closed, the whole frame is back");
}

/// 4: the door does not close on who stands in it.
fn the_doorway(person: &mut Person) {
    person.go("Cottage Door");
    if !person.is_open("Cottage Door") {
        person.tap(Action::Use);
    }
    let doorway = person.0.session.scene().get(person.thing("Cottage Door")).unwrap().position.frame.origin.y;
    person.0.session.set_runs(false);
    person.hold(Action::Forward, 5.0, |person| person.0.session.position().frame.origin.y > doorway - 0.1);
    person.0.session.set_runs(true);
    assert!(person.distance("Cottage Door") < 0.5, "{}", person.0.session.position());
    person.frames(35 * SECOND);
    assert!(person.is_open("Cottage Door"), "it wants to close and does not");
}

/// 5: `P`, `,`, `.`, `F4`, and `K`, whose file `threshold replay` reads.
fn time(person: &mut Person, dir: &Path) {
    person.tap(Action::Record);
    person.hold(Action::Back, 1.0, |_| false);
    person.tap(Action::Record);
    let capture = fs::read_to_string(dir.join("capture-001.jsonl")).unwrap();
    let mut sim = simulation(Library::new(data().library.source().clone())).unwrap();
    let mut replay = Replay::new(&mut sim, Tolerance::default());
    for line in capture.lines() {
        assert!(replay.line(line).unwrap().differences.is_empty());
    }
    assert!(capture.lines().count() > 10);
    let session = &person.0.session;
    let said = session.journal().entries().next_back().unwrap().text.clone();
    let folder = dir.canonicalize().unwrap();
    assert!(said.contains(folder.to_str().unwrap()), "{said}: the whole path");
    person.tap(Action::Pause);
    let now = person.0.session.ticks();
    person.frames(10);
    assert_eq!(person.0.session.ticks(), now, "time stands still");
    (0..5).for_each(|_| person.tap(Action::Rewind));
    assert_eq!(person.0.session.ticks(), now - 5);
    assert!(person.0.modes().iter().any(|mode| mode.starts_with("paused, 0.2 s back")));
    person.tap(Action::Step);
    assert_eq!(person.0.session.ticks(), now - 4);
    person.tap(Action::Journal);
    assert!(person.0.settings.show.journal && REMEMBERED >= 60 * 30, "a minute is remembered");
    person.tap(Action::Journal);
    person.tap(Action::Pause);
}

/// 6: `T` and a name.
fn elsewhere(person: &mut Person) {
    for name in ["Tower Lookout", "Bridge West End", "Cave Shrine"] {
        person.go(name);
        assert!(person.is_in(name), "{name}: {}", person.cell());
    }
    assert!(person.distance("Portal to the Dungeon") < 10.0);
}

/// 7: a watchman, a thrower of darts, a boar that runs after people.
fn who_is_about(person: &mut Person) {
    person.go("Watchman's Round");
    let before = person.distance("Watchman");
    person.frames(5 * SECOND);
    assert!(before < 60.0 && (person.distance("Watchman") - before).abs() > 1.0, "it is on patrol");
    person.go("Practice Ground");
    let start = person.distance("Dart");
    let mut has_flown = false;
    for _ in 0..10 * SECOND {
        person.frames(1);
        has_flown |= (person.distance("Dart") - start).abs() > 3.0;
    }
    assert!(has_flown, "somebody throws darts");
    person.go("Boar Meadow");
    let before = person.distance("Angry Boar");
    person.frames(6 * SECOND);
    let after = person.distance("Angry Boar");
    assert!(after < before - 3.0, "it runs after people: {before} m, then {after} m");
}
