//! Recorded sessions in the explorer, without a window.

mod common;

use common::data;
use std::{
    fs::File,
    path::{Path, PathBuf},
};
use tempfile::TempDir;
use threshold_explorer::{explorer::Explorer, overlay, script::Script, session::Session, settings::Settings};
use threshold_playback::{Flaw, SampleSession, record};

/// Records the session of the sample world.
fn recorded(folder: &Path, flaw: Option<Flaw>) -> (PathBuf, usize) {
    let data = data();
    let placed: Vec<_> = data.entities.values().cloned().collect();
    let session =
        SampleSession { library: data.library.clone(), placed: &placed, places: &data.places, flaw };
    let recorded = record(&session).unwrap();
    let path = folder.join("session.pcap");
    std::fs::write(&path, recorded.file).unwrap();
    (path, recorded.hashes.len())
}

fn film(path: &Path) -> Session {
    Session::film(data(), "session.pcap", File::open(path).unwrap()).unwrap()
}

/// Objects with their places.
fn places(session: &Session) -> Vec<String> {
    let sim = session.sim();
    let described = sim.all_described();
    described
        .map(|(guid, _)| format!("{guid:x} {}", sim.position(sim.find(guid).unwrap()).unwrap()))
        .collect()
}

#[test]
fn a_film_plays_to_its_end_and_any_moment_of_it_can_be_gone_to() {
    let folder = TempDir::new().unwrap();
    let (path, ticks) = recorded(folder.path(), None);
    let mut session = film(&path);
    assert_eq!(session.playing().unwrap().length(), ticks as u64);
    let mut seen = Vec::new();
    while session.playing().unwrap().tick() < ticks as u64 {
        if session.playing().unwrap().tick() % 300 == 123 {
            seen.push((session.playing().unwrap().tick(), places(&session)));
        }
        session.tick().unwrap();
    }
    assert!(session.is_paused(), "at the end time stands still");
    assert!(session.playing().unwrap().verdict().is_clean());
    assert!(seen.len() >= 4, "{}", seen.len());
    // Backwards, forwards, and twice.
    for (tick, expected) in seen.iter().rev().chain(&seen).chain(seen.first()) {
        session.seek(*tick).unwrap();
        assert_eq!(session.playing().unwrap().tick(), *tick);
        assert_eq!(&places(&session), expected, "tick {tick}");
    }
}

#[test]
fn speed_is_times_real_time_and_the_eye_follows_whom_it_is_told_to() {
    let folder = TempDir::new().unwrap();
    let (path, _) = recorded(folder.path(), None);
    let mut session = film(&path);
    session.playing_mut().unwrap().speed = 4.0;
    let before = session.playing().unwrap().tick();
    for _ in 0..60 {
        session.advance(1.0 / 60.0).unwrap();
    }
    let passed = session.playing().unwrap().tick() - before;
    assert!((118..=121).contains(&passed), "{passed} ticks in a second at four times the speed");
    let own = session.sim().own_player().unwrap();
    let at = |session: &Session, guid| session.sim().position(session.sim().find(guid).unwrap()).unwrap();
    assert!(session.position().distance_to(&at(&session, own)) < 0.01);
    let innkeeper = session.sim().all_described().find(|(_, object)| object.game.name == "Innkeeper");
    let innkeeper = innkeeper.unwrap().0;
    session.follow(Some(innkeeper)).unwrap();
    session.advance(0.1).unwrap();
    assert!(session.position().distance_to(&at(&session, innkeeper)) < 0.01);
    let eye = session.eye().position().unwrap();
    assert!(eye.distance_to(&at(&session, innkeeper)) < 8.0, "{eye}");
    session.follow(None).unwrap();
    assert!(session.position().distance_to(&at(&session, own)) < 0.01);
}

#[test]
fn one_can_look_around_while_time_stands_still() {
    let folder = TempDir::new().unwrap();
    let (path, _) = recorded(folder.path(), None);
    let mut session = film(&path);
    session.set_paused(true);
    let settle = |session: &mut Session| (0..120).for_each(|_| session.advance(1.0 / 60.0).unwrap());
    settle(&mut session);
    let looks = |session: &Session| session.eye().position().unwrap().frame.heading();
    let before = looks(&session);
    session.look(90.0, 0.0);
    settle(&mut session);
    let turned = (looks(&session) - before).rem_euclid(360.0);
    assert!((turned - 90.0).abs() < 5.0, "{turned} degrees");
}

#[test]
fn one_that_cannot_follow_its_server_has_a_ghost_and_the_journal_says_so() {
    let folder = TempDir::new().unwrap();
    let (path, ticks) = recorded(folder.path(), Some(Flaw::ThroughWall));
    let mut session = film(&path);
    let mut ghosts = Vec::new();
    while session.playing().unwrap().tick() < ticks as u64 {
        session.tick().unwrap();
        for shown in session.shown(60.0) {
            if let Some(ghost) = shown.ghost.filter(|ghost| ghost.distance_to(&shown.ours) > 1.0) {
                ghosts.push((shown.name, shown.ours.cell, ghost.cell));
            }
        }
    }
    // Walkers lag behind a little, also across borders of cells; the journal names the one that a wall stopped.
    let mut stopped = ghosts.iter().filter(|(_, ours, ghost)| ours != ghost).map(|(name, ..)| name);
    let entries: Vec<_> = session.journal().entries().filter(|e| e.text.contains("in the way")).collect();
    let told = stopped.any(|name| entries.iter().any(|entry| entry.text.contains(name.as_str())));
    assert!(told, "the journal tells what was found");
}

#[test]
fn a_script_goes_to_a_moment_and_draws_it_with_ghosts_as_lines() {
    let folder = TempDir::new().unwrap();
    let (path, _) = recorded(folder.path(), Some(Flaw::ThroughWall));
    let picture = folder.path().join("film.png");
    let text =
        format!("0 seek 5\n0 follow Innkeeper\n0.1 follow\n0.2 picture {}\n0.3 quit", picture.display());
    let script = Script::parse(&text).unwrap();
    let file = File::open(&path).unwrap();
    let mut explorer =
        Explorer::film(data(), "session.pcap", file, Settings::default(), Some(script)).unwrap();
    explorer.run_headless(160, 90).unwrap();
    assert!(picture.is_file());
    let tick = explorer.session.playing().unwrap().tick();
    assert!((150..165).contains(&tick), "{tick}");
    // Just after the villager was said to be behind the wall.
    let mut lines = 0;
    for tick in (0..explorer.session.playing().unwrap().length()).step_by(5) {
        explorer.session.seek(tick).unwrap();
        let has_ghost = explorer.session.shown(40.0).iter().any(|shown| shown.ghost.is_some());
        if has_ghost {
            let (drawn, _) = overlay::all(&explorer.session, &explorer.view, &explorer.settings.show, None);
            lines = lines.max(drawn.len());
        }
    }
    assert!(lines >= 14, "a box, the way it faces and the way to it: {lines}");
}

/// What the README shows is so: somebody is followed who stands outdoors and was said to be in a room behind a wall.
#[test]
fn the_picture_of_the_readme_shows_a_ghost_behind_a_wall() {
    let folder = TempDir::new().unwrap();
    let (path, _) = recorded(folder.path(), Some(Flaw::ThroughWall));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let script = std::fs::read_to_string(root.join("docs/pictures/session.txt")).unwrap();
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let command = script.lines().nth(2).unwrap().trim_start_matches(['#', ' ']);
    assert!(readme.contains(command) && readme.contains("](docs/pictures/session.png)"), "{command}");
    // Without a window there are no screenshots.
    let text: String =
        script.lines().filter(|line| !line.contains("screenshot")).map(|line| format!("{line}\n")).collect();
    let script = Script::parse(&text).unwrap();
    let file = File::open(&path).unwrap();
    let mut explorer =
        Explorer::film(data(), "session.pcap", file, Settings::default(), Some(script)).unwrap();
    explorer.run_headless(160, 90).unwrap();
    let session = &explorer.session;
    let followed = session.playing().unwrap().followed.unwrap();
    let shown = session.shown(1.0).into_iter().find(|shown| shown.guid == followed).unwrap();
    let ghost = shown.ghost.expect("it is not where it was said to be");
    assert!(shown.ours.cell.is_outdoor() && ghost.cell.is_interior(), "{} and {ghost}", shown.ours);
    let file = std::fs::File::open(root.join("docs/pictures/session.png")).unwrap();
    let mut reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.height), (1120, 630));
    let sides = info.color_type.samples();
    let red =
        pixels.chunks_exact(sides).filter(|p| p[0] > 230 && p[1].abs_diff(90) < 25 && p[2].abs_diff(90) < 25);
    assert!(red.count() > 200, "the ghost's outline");
}

#[test]
fn what_is_not_a_session_of_this_world_is_refused_in_one_line() {
    let bytes = &b"not a capture, but long enough to be one"[..];
    let error = Session::film(data(), "empty.pcap", bytes).err().unwrap();
    assert!(format!("{error:#}").contains("empty.pcap"), "{error:#}");
}
