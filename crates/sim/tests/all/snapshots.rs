//! Snapshots: the same inputs give the same states from there on, anywhere.

use crate::support;
use support::*;
use threshold_sim::{Controls, EntityKey, Residency, Simulation, Snapshot};
use threshold_world::stream::{Loading, StreamConfig};

/// Does something different every tick; the hashes of the states.
fn play(sim: &mut Simulation, me: EntityKey, ticks: std::ops::Range<u32>) -> Vec<u64> {
    let door = object(sim, COTTAGE_DOOR);
    let mut hashes = Vec::new();
    for tick in ticks {
        if tick % 37 == 5 {
            sim.use_object(door).unwrap();
        }
        let controls = Controls {
            forward: tick % 50 < 40,
            left: tick % 13 == 0,
            jump: tick % 60 < 20,
            ..Controls::default()
        };
        sim.control(me, controls).unwrap();
        sim.look(me, if tick % 9 == 0 { 4.0 } else { 0.0 }, 0.0).unwrap();
        sim.tick().unwrap();
        hashes.push(sim.state_hash());
    }
    hashes
}

fn begin() -> (Simulation, EntityKey) {
    let mut sim = sample();
    let me = sim.spawn_player(place(&sim, "Cottage Door")).unwrap();
    (sim, me)
}

#[test]
fn after_restoring_the_same_inputs_give_the_same_states_here_and_in_a_new_simulation() {
    let (mut sim, me) = begin();
    play(&mut sim, me, 0..70);
    let snapshot = sim.snapshot();
    let hash = sim.state_hash();
    let expected = play(&mut sim, me, 70..200);
    assert!(expected.iter().any(|other| *other != expected[0]), "something must happen");

    sim.restore(&snapshot).unwrap();
    assert_eq!(sim.state_hash(), hash);
    assert_eq!(sim.ticks(), 70);
    assert_eq!(play(&mut sim, me, 70..200), expected);

    let bytes = snapshot.to_bytes().unwrap();
    let mut other = sample();
    other.restore(&Snapshot::from_bytes(&bytes).unwrap()).unwrap();
    assert_eq!(other.state_hash(), hash);
    assert_eq!(play(&mut other, me, 70..200), expected);
    assert_eq!(other.snapshot().to_bytes().unwrap(), sim.snapshot().to_bytes().unwrap());
}

/// Where the other process finds a snapshot.
const SNAPSHOT_FILE: &str = "THRESHOLD_TEST_SNAPSHOT";
/// Players beside the one who is led about, so that a tick has work for several threads.
const CROWD: usize = 300;
const LATER: std::ops::Range<u32> = 40..90;

/// A crowded street after some ticks.
fn crowded() -> (Simulation, EntityKey) {
    let (mut sim, me) = begin();
    let mut at = place(&sim, "Village Street");
    for i in 0..CROWD {
        at.frame.origin.x += if i % 17 == 16 { -16.0 } else { 1.0 };
        at.frame.origin.y += if i % 17 == 16 { 1.0 } else { 0.0 };
        let key = sim.spawn_player(at).unwrap();
        sim.control(key, Controls { forward: i % 3 > 0, turn_left: i % 5 == 0, ..Controls::default() })
            .unwrap();
    }
    (sim, me)
}

fn line(hashes: &[u64]) -> String {
    hashes.iter().map(|hash| format!("{hash:016x}")).collect::<Vec<_>>().join(" ")
}

#[test]
fn another_process_goes_on_alike_with_any_number_of_threads() {
    let (mut sim, me) = crowded();
    play(&mut sim, me, 0..LATER.start);
    let file = std::env::temp_dir().join(format!("threshold-snapshot-{}", std::process::id()));
    std::fs::write(&file, sim.snapshot().to_bytes().unwrap()).unwrap();
    let expected = line(&play(&mut sim, me, LATER));
    for threads in ["1", "2", "5"] {
        let output = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "snapshots::the_other_process", "--nocapture"])
            .env(SNAPSHOT_FILE, &file)
            .env("RAYON_NUM_THREADS", threads)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
        assert!(text.contains(&expected), "{threads} threads: {text}");
    }
    std::fs::remove_file(&file).unwrap();
}

#[test]
#[ignore = "started by another test, in a process of its own"]
fn the_other_process() {
    let file = std::env::var_os(SNAPSHOT_FILE).expect("the file with the snapshot");
    let snapshot = Snapshot::from_bytes(&std::fs::read(file).unwrap()).unwrap();
    let mut sim = sample();
    sim.restore(&snapshot).unwrap();
    let me = sim.players().map(|(key, _)| key).min().unwrap();
    println!("{}", line(&play(&mut sim, me, LATER)));
}

/// A snapshot taken while blocks come and go is restored from anywhere else, with what was loaded then.
#[test]
fn moments_of_a_journey_are_restored_from_its_other_end() {
    let small = StreamConfig::default().radius(1).margin(0).loading(Loading::Inline(1));
    let mut sim = builder().residency(Residency::Observed(small)).build().unwrap();
    let me = sim.spawn_player(place(&sim, "Western Road")).unwrap();
    sim.look(me, 90.0 - sim.position(me).unwrap().frame.heading(), 0.0).unwrap();
    sim.control(me, Controls { forward: true, ..Controls::default() }).unwrap();
    let mut moments = Vec::new();
    for _ in 0..600 {
        moments.push((sim.snapshot(), sim.position(me).unwrap(), sim.state_hash()));
        sim.tick().unwrap();
    }
    let blocks: std::collections::BTreeSet<_> = moments.iter().map(|(_, at, _)| at.cell.block()).collect();
    assert!(blocks.len() >= 2, "{blocks:?}");
    let far = place(&sim, "Dungeon Entrance");
    sim.teleport(me, far).unwrap();
    sim.advance(2.0).unwrap();
    assert_eq!(sim.position(me).unwrap().cell, far.cell);
    for (snapshot, at, hash) in moments.iter().step_by(37).chain(moments.iter().rev().step_by(41)) {
        sim.restore(snapshot).unwrap();
        assert_eq!((sim.position(me).unwrap(), sim.state_hash()), (*at, *hash));
        sim.tick().unwrap();
        assert!(sim.position(me).unwrap().distance_to(at) < 1.0);
    }
}

#[test]
fn an_object_that_came_later_is_gone_after_restoring() {
    let (mut sim, me) = begin();
    let snapshot = sim.snapshot();
    let later = sim.spawn_player(place(&sim, "Village Street")).unwrap();
    sim.despawn(me).unwrap();
    sim.restore(&snapshot).unwrap();
    assert!(sim.position(later).is_err());
    assert!(sim.player(me).is_ok());
    assert_eq!(sim.players().count(), 1);
}

#[test]
fn bytes_that_are_no_snapshot_are_refused() {
    let (mut sim, me) = begin();
    let bytes = sim.snapshot().to_bytes().unwrap();
    let before = sim.state_hash();
    let mut wrong_version = bytes.clone();
    wrong_version[4] = 0xFF;
    let mut longer = bytes.clone();
    longer.push(0);
    for bad in [&b""[..], b"THSN", b"not a snapshot", &wrong_version, &longer, &bytes[..bytes.len() - 1]] {
        assert!(Snapshot::from_bytes(bad).is_err());
    }
    // Damage anywhere gives an error or a state that can go on, and never a panic.
    let mut other = sample();
    for place in (6..bytes.len()).step_by(bytes.len() / 150) {
        let mut damaged = bytes.clone();
        damaged[place] ^= 0x55;
        if let Ok(snapshot) = Snapshot::from_bytes(&damaged)
            && other.restore(&snapshot).is_ok()
        {
            other.tick().unwrap();
        }
    }
    assert_eq!(sim.state_hash(), before);
    play(&mut sim, me, 0..5);
}
