//! What those cost who find their way by themselves: `cargo bench -p threshold-sim --bench followers [-- hitches|followers|habits]`.
//! Processor time of the thread that ticks, where the system tells it.

use std::time::{Duration, Instant};
use threshold_physics::EntityRole;
use threshold_sim::{
    EntityKey, NewObject, PLAYER_STATE, Position, Simulation, TICKS_PER_SECOND, nav::Policy,
};

/// Followers.
const MANY: u32 = 1000;

/// Time that this thread has been on a processor: other programs do not count.
fn processor_time(start: Instant) -> Duration {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = stat.and_then(|stat| stat.split_whitespace().next()?.parse().ok());
    nanos.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

/// Lets some ticks pass: how long the longest took, and all of them.
fn ticks(sim: &mut Simulation, count: u64) -> (f64, f64) {
    let (mut longest, mut sum) = (0.0_f64, 0.0);
    for _ in 0..count {
        let start = Instant::now();
        let before = processor_time(start);
        sim.tick().expect("a tick");
        let time = (processor_time(start) - before).as_secs_f64() * 1e3;
        (longest, sum) = (longest.max(time), sum + time);
        sim.drain_events().for_each(drop);
    }
    (longest, sum)
}

fn at(text: &str) -> Position {
    text.parse().expect("a place")
}

fn main() {
    let chosen: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let runs = |name: &str| chosen.is_empty() || chosen.iter().any(|chosen| chosen == name);
    if runs("hitches") {
        hitches();
    }
    if runs("followers") {
        followers();
    }
    if runs("habits") {
        habits();
    }
}

/// Everything of the sample world that acts by itself. Meshes are built in the first seconds.
fn habits() {
    let mut sim = Simulation::sample().expect("the sample world");
    sim.observe(at("0x80800015 [60 97.5 20.01]")).expect("an observer");
    ticks(&mut sim, 1000);
    let time = measured(&mut sim);
    println!("habits: {:.1} µs a tick", time * 1e3 / 1000.0);
}

/// A thousand ticks. Not inlined, so that a profile can be limited to them.
#[inline(never)]
fn measured(sim: &mut Simulation) -> f64 {
    ticks(sim, 1000).1
}

/// Runs of [`hitches`]: all runs do the same in each tick, and what one of them loses to other programs another one does not.
const RUNS: usize = 5;

/// The longest tick while meshes are built that somebody waits for.
fn hitches() {
    let mut least: Vec<f64> = Vec::new();
    for run in 0..RUNS {
        let mut sim = Simulation::sample().expect("the sample world");
        let me = sim.spawn_player(at("0x80800015 [60 97.5 20.01]")).expect("a player");
        ticks(&mut sim, 60);
        sim.go_to(me, &at("0x80800108 [59.2 110 23.255]"), &Policy::default()).expect("a player");
        let mut times = Vec::new();
        while sim.way_ahead(me).is_empty() && sim.is_going(me) {
            times.push(ticks(&mut sim, 1).0);
        }
        least = if run == 0 { times } else { least.iter().zip(&times).map(|(a, b)| a.min(*b)).collect() };
    }
    let longest = least.iter().copied().fold(0.0, f64::max);
    let sum: f64 = least.iter().sum();
    println!(
        "into a house: {} ticks until the way is known, {sum:.0} ms in all, the longest {longest:.1} ms",
        least.len()
    );
    let mut worst: Vec<(usize, f64)> = least.iter().copied().enumerate().collect();
    worst.sort_by(|a, b| b.1.total_cmp(&a.1));
    let worst: Vec<String> = worst.iter().take(4).map(|(k, time)| format!("{k}: {time:.1} ms")).collect();
    println!("  the longest by number: {}", worst.join(", "));
}

/// A thousand villagers on their way through the village, who ask once a second whether it still holds.
fn followers() {
    let mut sim = Simulation::sample().expect("the sample world");
    sim.observe(at("0x80800015 [60 97.5 20.01]")).expect("an observer");
    let watchman = sim.find_by_name("Watchman").expect("the watchman");
    let setup = sim.placed(watchman).expect("what is known of it").setup;
    let role = EntityRole { creature: true, ..EntityRole::default() };
    let spawn = |k: u32| {
        let (x, y) = (30.0 + (k % 40) as f32 * 2.0, 25.0 + (k / 40) as f32 * 2.0);
        let cell = 0x8080_0000 + (x / 24.0) as u32 * 8 + (y / 24.0) as u32 + 1;
        let place = at(&format!("0x{cell:08X} [{x} {y} 20.01]"));
        NewObject { guid: Some(0x7000_0000 + k), state: PLAYER_STATE, role, ..NewObject::new(setup, place) }
    };
    let people: Vec<EntityKey> = (0..MANY).filter_map(|k| sim.spawn(spawn(k)).ok()).collect();
    ticks(&mut sim, 30);
    let (_, standing) = ticks(&mut sim, TICKS_PER_SECOND);
    for &who in &people {
        sim.go_to(who, &at("0x80800024 [110 90 20.01]"), &Policy::default()).expect("somebody with legs");
    }
    let (longest, _) = ticks(&mut sim, 60);
    let going = people.iter().filter(|&&who| !sim.way_ahead(who).is_empty()).count();
    let (_, walking) = ticks(&mut sim, TICKS_PER_SECOND);
    println!(
        "{} people: a second takes {standing:.1} ms while they stand, {walking:.1} ms while {going} walk their ways; the tick in which all look for one {longest:.1} ms",
        people.len()
    );
}
