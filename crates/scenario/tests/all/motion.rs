//! Every recording of motion: tables and sequences, walking, move-to and the position manager, line by line.

use crate::support;
use serde_json::Value;
use std::{
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};
use support::simulation;
use threshold_golden::Script as Recording;
use threshold_scenario::{Expectation, Playing, Script};
use threshold_sim::Simulation;

/// How a recording, or a folder of them, was reproduced.
#[derive(Default)]
struct Tally {
    scripts: usize,
    lines: usize,
    agree: usize,
    fragile: usize,
    /// Lines after a disagreement at a fragile one.
    adrift: usize,
    /// First disagreements, in words.
    differences: Vec<String>,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.scripts += other.scripts;
        self.lines += other.lines;
        self.agree += other.agree;
        self.fragile += other.fragile;
        self.adrift += other.adrift;
        self.differences.extend(other.differences);
    }
}

/// Plays a recording up to its first disagreement that counts.
fn play(sim: &mut Simulation, folder: &str, recording: Recording) -> Tally {
    let name = format!("{folder}/{}", recording.name);
    let mut tally = Tally { scripts: 1, lines: recording.expected.len(), ..Tally::default() };
    let text = recording.scenario.to_string();
    let script = Script::from_json(text.as_bytes()).unwrap_or_else(|e| panic!("{name}: {e}"));
    let mut playing = Playing::begin(sim, script).unwrap_or_else(|e| panic!("{name}: {e}"));
    let mut expectation = Expectation::default();
    for expected in recording.expected {
        let Value::Object(expected) = expected else { panic!("{name}: {expected}") };
        let id = format!("{name}#{}", expected["step"]);
        let Some(line) = playing.next_line() else { panic!("{id}: the walk ended before") };
        let line = line.unwrap_or_else(|e| panic!("{id}: {e}"));
        let Ok(Value::Object(line)) = serde_json::to_value(&line) else { panic!("{id}: an object") };
        let compared = expectation.compare(&expected, &line);
        if !compared.counts {
            tally.adrift += 1;
        } else if compared.fragile {
            tally.fragile += 1;
            if let Some(first) = compared.differences.first() {
                eprintln!("fragile {id}: {} is {}, recorded {}", first.field, first.found, first.expected);
            }
        } else if let Some(first) = compared.differences.first() {
            let fields: Vec<&str> = compared.differences.iter().map(|d| &*d.field).collect();
            tally.differences.push(format!(
                "{id}: {} is {}, recorded {} (differ: {})",
                first.field,
                first.found,
                first.expected,
                fields.join(", ")
            ));
            return tally;
        } else {
            tally.agree += 1;
        }
    }
    assert!(playing.next_line().is_none(), "{name}: goes on after its last line");
    tally
}

fn demand(folder: &str, scripts: usize, lines: usize) {
    let mut recordings = threshold_golden::motions(folder);
    if let Ok(only) = std::env::var("THRESHOLD_MOTION") {
        recordings.retain(|recording| recording.name.contains(&only));
    }
    let next = AtomicUsize::new(0);
    let threads = thread::available_parallelism().map_or(1, usize::from).min(8);
    let mut tally = Tally::default();
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                scope.spawn(|| {
                    let (mut sim, mut tally) = (simulation("motions"), Tally::default());
                    while let Some(recording) = recordings.get(next.fetch_add(1, Ordering::Relaxed)) {
                        tally.add(play(&mut sim, folder, recording.clone()));
                    }
                    tally
                })
            })
            .collect();
        for worker in workers {
            match worker.join() {
                Ok(part) => tally.add(part),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    tally.differences.sort();
    eprintln!("| folder | scripts | lines | agree | fragile | adrift | scripts that differ |");
    eprintln!(
        "| {folder} | {} | {} | {} | {} | {} | {} |",
        tally.scripts,
        tally.lines,
        tally.agree,
        tally.fragile,
        tally.adrift,
        tally.differences.len()
    );
    for difference in &tally.differences {
        eprintln!("{difference}");
    }
    assert!(tally.differences.is_empty(), "{folder}: {} scripts differ", tally.differences.len());
    assert!(tally.scripts >= scripts && tally.lines >= lines, "{folder}: recordings are missing");
}

#[test]
fn sequences() {
    demand("sequences", 49, 4114);
}

#[test]
fn walking() {
    demand("walking", 98, 9015);
}

#[test]
fn move_to() {
    demand("move-to", 55, 5323);
}

#[test]
fn position() {
    demand("position", 61, 4953);
}
