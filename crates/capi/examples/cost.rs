//! Measures sweeps from Rust, for comparison with the C ABI: the best of many runs.
//!
//! `cargo run --release -p threshold-capi --example cost`

use std::{error::Error, hint::black_box, time::Instant};
use threshold_sim::{Simulation, SphereKind, SphereSweep};

const SWEEPS: usize = 20_000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut sim = Simulation::sample()?;
    let street = sim.find_place("Village Street").ok_or("the street")?;
    sim.spawn_player(street)?;
    let sweeps: Vec<SphereSweep> = (0..SWEEPS)
        .map(|i| {
            let (mut from, mut to) = (street, street);
            from.frame.origin.z += 1.0;
            to.frame.origin.x += (i % 7) as f32 - 3.0;
            to.frame.origin.y += (i % 5) as f32 - 2.0;
            to.frame.origin.z += 1.0;
            SphereSweep { from, to, radius: 0.3, kind: SphereKind::Camera }
        })
        .collect();
    let mut best = f64::INFINITY;
    for _ in 0..100 {
        let start = Instant::now();
        black_box(sim.sweep_spheres(black_box(&sweeps)));
        best = best.min(start.elapsed().as_nanos() as f64 / SWEEPS as f64);
    }
    println!("sweep_spheres {best:.1} ns per sweep");
    Ok(())
}
