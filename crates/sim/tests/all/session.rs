//! Recorded sessions in a simulation: what the server said is what is there.

use crate::support;
use std::collections::BTreeMap;
use support::*;
use threshold_golden::wire_capture;
use threshold_sim::{Event, Simulation, State, update::Update};
use threshold_wire::{Capture, DEFAULT_PORTS, EventKind, decode};

/// Applies a golden session to an empty world as fast as it can; what became of the updates.
fn play(name: &str) -> (Simulation, BTreeMap<String, usize>, Vec<Update>) {
    let mut sim = Simulation::builder().library(library()).build().unwrap();
    let (mut outcomes, mut updates) = (BTreeMap::<String, usize>::new(), Vec::new());
    let file = wire_capture(name).bytes;
    decode(Capture::new(&file[..]).expect("a capture"), DEFAULT_PORTS, &mut |event| {
        let EventKind::Message { message, .. } = &event.kind else { return };
        for update in message.updates() {
            let outcome = match sim.apply(&update) {
                Ok(applied) => format!("{applied:?}"),
                Err(error) => format!("refused: {error}"),
            };
            *outcomes.entry(outcome).or_default() += 1;
            updates.push(update);
        }
        sim.tick().unwrap();
    });
    (sim, outcomes, updates)
}

#[test]
fn the_village_is_as_its_server_said() {
    let (mut sim, outcomes, updates) = play("village.pcap");
    // One object has no setup: the original makes nothing of it either.
    let refused: Vec<_> = outcomes.iter().filter(|(outcome, _)| outcome.starts_with("refused")).collect();
    assert!(matches!(refused[..], [(why, 1)] if why.contains("0x02000000")), "{outcomes:?}");
    assert!(outcomes["Done"] > 100, "{outcomes:?}");
    let refused: Vec<Event> = sim
        .drain_events()
        .filter(|event| matches!(event, Event::UpdateRefused { .. } | Event::NoSuchPlace { .. }))
        .collect();
    assert_eq!(refused, []);
    // The last state word of every object that is still there is its state.
    let mut last = BTreeMap::new();
    for update in &updates {
        match update {
            Update::Create(object) => drop(last.insert(object.guid, object.state)),
            Update::State(state) => drop(last.insert(state.guid, state.state)),
            _ => {}
        }
    }
    let mut compared = 0;
    for (guid, object) in sim.all_described() {
        let key = sim.find(guid).expect("what is described is there");
        let entity = sim.entity(key).unwrap();
        let told = State::from_bits_truncate(last[&guid]);
        assert_eq!(entity.state & State::ETHEREAL, told & State::ETHEREAL, "{}", object.game.name);
        compared += 1;
    }
    assert!(compared >= 10, "{compared}");
    let own = sim.own_player().expect("a player");
    assert!(sim.player(sim.find(own).unwrap()).is_ok());
}

#[test]
fn a_session_gives_the_same_state_every_time() {
    let (first, outcomes, _) = play("village.pcap");
    let (second, again, _) = play("village.pcap");
    assert_eq!((first.state_hash(), outcomes), (second.state_hash(), again));
}
