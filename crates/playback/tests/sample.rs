//! The session that is recorded in the sample world: played again it gives the same states, and what goes wrong in it is
//! found.

use std::sync::{Arc, LazyLock};
use threshold_playback::{
    Drive, FindingKind, Flaw, Options, Playback, Recorded, SampleSession, Verdict, record,
};
use threshold_sample::SampleWorld;
use threshold_scenario::{Replay, Tolerance, simulation};
use threshold_sim::{Simulation, Skills};
use threshold_wire::{Capture, DEFAULT_PORTS, EventKind, Message, Recording, messages::GameAction};
use threshold_world::Library;

static SAMPLE: LazyLock<(SampleWorld, Arc<Library>)> = LazyLock::new(|| {
    let world = threshold_sample::build().expect("the sample world");
    let library = Arc::new(Library::new(Arc::new(world.source().expect("its records"))));
    (world, library)
});

fn recorded(flaw: Option<Flaw>) -> Recorded {
    let (world, library) = &*SAMPLE;
    let session =
        SampleSession { library: library.clone(), placed: &world.entities, places: &world.places, flaw };
    record(&session).expect("a session")
}

fn empty() -> Simulation {
    Simulation::builder().library(SAMPLE.1.clone()).build().expect("the sample world")
}

fn recording(file: &[u8]) -> Recording<'_> {
    Recording::new(Capture::new(file).expect("a capture"), DEFAULT_PORTS)
}

fn play(file: &[u8], options: Options) -> (Simulation, Verdict) {
    let (mut sim, mut playback) = (empty(), Playback::new(options));
    let mut recording = recording(file);
    while playback.step(&mut sim, &mut recording).expect("it can be played") {}
    let verdict = playback.finish(&sim);
    (sim, verdict)
}

const KEYS: Drive = Drive::Keys { tolerance: 0.1 };

#[test]
fn a_recorded_session_gives_the_same_states_when_it_is_played() {
    let session = recorded(None);
    assert_eq!(session.file, recorded(None).file, "the same bytes every time");
    let (sim, verdict) = play(&session.file, Options::default().drive(KEYS));
    assert_eq!(verdict.findings, []);
    assert_eq!(sim.ticks(), session.hashes.len() as u64);
    assert_eq!(sim.state_hash(), session.state);
    let client = verdict.client.clone().expect("it was compared");
    assert!(client.compared > 50, "{}", client.compared);
    assert_eq!((client.same_cell, client.metres.max), (client.compared, 0.0), "to the bit");
    assert!(verdict.objects > 20 && verdict.refused == 0 && verdict.stale == 0, "{verdict:?}");
}

#[test]
fn every_tick_has_the_hash_that_was_recorded() {
    let session = recorded(None);
    let (mut sim, mut playback) = (empty(), Playback::new(Options::default().drive(KEYS)));
    let mut events = recording(&session.file);
    let mut moments = Vec::new();
    while events.step(&mut |event| {
        if let Some(time) = event.time {
            moments.push(time);
        }
    }) {}
    let start = moments[0];
    let mut events = recording(&session.file);
    let mut compared = 0;
    // Before each record, the state is that of the tick that it belongs to, as long as nothing was said in it.
    let mut said_at = u64::MAX;
    loop {
        let mut result = Ok(());
        let more = events.step(&mut |event| {
            let Some(time) = event.time else { return };
            let (tick, _) = threshold_playback::tick_at(time.0 - start.0);
            result = playback.advance_to(&mut sim, time).map(drop);
            if tick != said_at && tick > 0 {
                assert_eq!(sim.ticks(), tick);
                assert_eq!(sim.state_hash(), session.hashes[tick as usize - 1], "tick {tick}");
                compared += 1;
            }
            said_at = tick;
            if result.is_ok() {
                result = playback.event(&mut sim, event);
            }
        });
        result.expect("it can be played");
        if !more {
            break;
        }
    }
    assert!(compared > 50, "{compared}");
    assert_eq!(sim.ticks(), session.hashes.len() as u64);
}

#[test]
fn the_session_holds_what_a_server_and_a_client_say() {
    let session = recorded(None);
    let mut kinds = std::collections::BTreeMap::<&str, usize>::new();
    let mut events = recording(&session.file);
    while events.step(&mut |event| {
        let kind = match &event.kind {
            EventKind::Message { message: Message::GameAction { action, .. }, .. } => match action {
                GameAction::MoveToState(_) => "keys",
                GameAction::AutonomousPosition(_) => "report",
                GameAction::Jump(_) => "jump",
                _ => "other",
            },
            EventKind::Message { message, .. } => match message {
                Message::CreateObject(_) => "create",
                Message::DeleteObject(_) => "delete",
                Message::UpdatePosition(_) => "position",
                Message::Movement(_) => "movement",
                Message::SetState(_) => "state",
                Message::Parent(_) => "parent",
                Message::Pickup(_) => "pickup",
                Message::PlayerTeleport(_) => "teleport",
                Message::CreatePlayer(_) => "player",
                _ => "other",
            },
            EventKind::Connected => "connected",
            EventKind::Malformed(fault) => panic!("{fault}"),
        };
        *kinds.entry(kind).or_default() += 1;
    }) {}
    for kind in ["keys", "report", "jump", "create", "delete", "position", "movement", "state", "parent"] {
        assert!(kinds.contains_key(kind), "{kind}: {kinds:?}");
    }
    assert_eq!((kinds["state"], kinds["jump"], kinds["teleport"], kinds["pickup"]), (2, 1, 1, 1));
    assert!(!kinds.contains_key("other"), "{kinds:?}");
}

#[test]
fn a_teleport_through_a_wall_is_found_and_a_clean_session_is_clean() {
    for drive in [Drive::Reports, KEYS] {
        let options = Options::default().drive(drive);
        let (_, clean) = play(&recorded(None).file, options);
        assert!(clean.is_clean(), "{drive:?}: {:?}", clean.findings);
        let (_, flawed) = play(&recorded(Some(Flaw::ThroughWall)).file, options);
        let [finding] = &flawed.findings[..] else { panic!("{drive:?}: {:?}", flawed.findings) };
        assert_eq!(finding.kind, FindingKind::Blocked);
        assert!(finding.ours.is_some_and(|ours| ours.cell.is_outdoor()), "{finding}");
        assert!(finding.told.is_some_and(|told| told.cell.is_interior()), "{finding}");
        assert!(!finding.name.is_empty() && finding.seconds > 5.0, "{finding}");
    }
}

/// With other skills than the recorded player's the keys lead elsewhere; the first divergence is a record that `replay`
/// reads, and that disagrees.
#[test]
fn a_player_with_other_skills_diverges_and_the_record_of_it_can_be_replayed() {
    let session = recorded(None);
    let skills = Skills { run: 20, ..Skills::default() };
    let (_, verdict) = play(&session.file, Options::default().drive(KEYS).skills(skills));
    let client = verdict.client.expect("it was compared");
    assert!(client.metres.max > 0.5 && client.metres.median < 0.1, "{:?}", client.metres);
    assert!(verdict.counts[&FindingKind::Diverged] > 0);
    let record = client.first_divergence.expect("a record");
    let line = serde_json::to_string(&record).unwrap();
    let library = Library::new(SAMPLE.1.source().clone());
    let mut sim = simulation(library).expect("the sample world");
    let mut replay = Replay::new(&mut sim, Tolerance::default());
    let replayed = replay.line(&line).expect("it is a record");
    assert!(!replayed.differences.is_empty(), "the client says otherwise");
}
