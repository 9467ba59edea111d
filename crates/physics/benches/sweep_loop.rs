//! Runs golden scripts over and over and prints transitions per second.
//!
//! ```text
//! cargo bench -p threshold-physics --bench sweep_loop -- cottage/door_in_out [REPETITIONS]
//! cargo bench -p threshold-physics --bench sweep_loop
//! ```
//!
//! One transition is one step of the script: one sweep with its commit, or one tick. Setting up the world and placing
//! the mover are not counted. For instructions per transition, let callgrind count inside the loop alone:
//!
//! ```text
//! valgrind --tool=callgrind --collect-atstart=no '--toggle-collect=*support::transitions*' \
//!     target/release/deps/sweep_loop-… cottage/door_in_out 10
//! ```

mod support;

use std::{env, time::Duration};

fn main() {
    // Cargo says `--bench`.
    let mut arguments = env::args().skip(1).filter(|argument| argument != "--bench");
    let name = arguments.next().unwrap_or_else(|| "all".into());
    let repetitions = arguments.next().map_or(150, |text| text.parse().expect("a number of repetitions"));
    if name != "all" {
        measure(&name, &name, None, repetitions);
        return;
    }
    for (kind, script, reference) in support::TABLE {
        measure(kind, script, Some(reference), repetitions);
    }
}

fn measure(kind: &str, script: &str, reference: Option<[f64; 2]>, repetitions: u32) {
    let mut sim = support::simulation(script.split('/').next().unwrap_or_default());
    let scenario = support::scenario(script);
    let mut runs: Vec<(u32, Duration)> =
        (0..repetitions.max(1)).map(|_| support::play(&mut sim, scenario.clone())).collect();
    let transitions: u32 = runs.iter().map(|(count, _)| count).sum();
    let total: Duration = runs.iter().map(|(_, time)| time).sum();
    let per_second = |count: u32, time: Duration| f64::from(count) / time.as_secs_f64();
    runs.sort_by_key(|(_, time)| *time);
    let at = |(count, time): (u32, Duration)| per_second(count, time);
    let (best, median) = (at(runs[0]), at(runs[runs.len() / 2]));
    let mean = per_second(transitions, total);
    let times = |own: f64, i: usize| reference.map_or(String::new(), |r| format!(" {:5.2} x", own / r[i]));
    let (best_times, median_times) = (times(best, 0), times(median, 1));
    println!(
        "{kind:36} {script:40} best {best:9.0}/s{best_times} median {median:9.0}/s{median_times} mean {mean:9.0}/s"
    );
}
