//! What the same moves through the same geometry cost: golden scripts by Threshold and by rapier's character controller, one bare
//! cast of a capsule by parry, and a tick of 10,000 movers.
//!
//! `cargo run --release --manifest-path benches/peers/Cargo.toml`
//!
//! Triangles, cylinders and spheres are exported from the loaded world, so both have the same obstacles. rapier does less: it
//! knows no cells, and its movers do not collide with each other. Offsets of a script are given to its controller as they are;
//! for a tick it gets the displacement that Threshold made.

mod geometry;
mod rapier;

use anyhow::{Context, Result, ensure};
use geometry::{Geometry, at};
use glam::Vec3;
use rapier::{Peer, vector};
use rayon::prelude::*;
use std::{
    hint::black_box,
    sync::Arc,
    time::{Duration, Instant},
};
use threshold_physics::{PLAYER_SETUP, Scene};
use threshold_scenario::{Scenario, Walk, soak::populate};
use threshold_sim::{Simulation, TICK};
use threshold_world::{BlockId, Library, World, model::Model, source::DatSource};

#[rustfmt::skip]
const SCRIPTS: [&str; 19] = [
    "plains/random_0", "plains/seam_west", "plains/tree_hits", "plains/obj_over_platform", "plains/big_moves",
    "cottage/random_main", "cottage/main_walls", "cottage/door_in_out", "cottage/stairs_up_fast_down",
    "cottage/door_closed_centre_from_inside", "cottage/entities_objects", "cottage/sphere_bump_creature",
    "cottage/tick_jump_inside", "cottage/camera_entities_mid", "cottage/shell_outside", "dungeon/random_1",
    "dungeon/random_2", "dungeon/walls_30", "seam/door_in_out",
];
/// Rounds of every script, in turns; the best one counts.
const ROUNDS: usize = 7;
const MOVERS: usize = 10_000;

fn main() -> Result<()> {
    println!(
        "{:<42}{:>9}{:>14}{:>14}{:>9}{:>16}{:>9}",
        "script", "moves", "Threshold", "rapier", "ratio", "parry, 1 cast", "ratio"
    );
    let (mut controllers, mut casts) = (0.0, 0.0);
    for name in SCRIPTS {
        let [ratio, cast] = script(name).with_context(|| name.to_owned())?;
        controllers += ratio.ln();
        casts += cast.ln();
    }
    let mean = |sum: f64| (sum / SCRIPTS.len() as f64).exp();
    println!("{:<79}{:>9.1}{:>25.2}", "geometric mean", mean(controllers), mean(casts));
    crowd()
}

fn open(world: &str) -> Result<Simulation> {
    let source = DatSource::open(threshold_golden::world_dir(world))?;
    Ok(Simulation::builder().source(Arc::new(source)).build()?)
}

/// A person: radius, height and step of its model.
fn body(model: &Model) -> Result<(f32, f32, f32)> {
    let radius = model.spheres.iter().map(|sphere| sphere.radius).fold(0.0, f32::max);
    let top = model.spheres.iter().map(|sphere| sphere.center.z + sphere.radius).fold(0.0, f32::max);
    ensure!(radius > 0.0, "the mover has no spheres");
    Ok((radius, top.max(2.0 * radius), model.step_up.max(0.1)))
}

fn peer(world: &World, scene: &Scene, base: BlockId, model: &Model) -> Result<Peer> {
    let (radius, height, step) = body(model)?;
    Peer::new(&Geometry::of(world, scene, base), radius, height, step)
}

/// Plays a script by both; how many times longer the controller takes, and a single cast.
fn script(name: &str) -> Result<[f64; 2]> {
    let mut sim = open(name.split('/').next().unwrap_or_default())?;
    let scenario: Scenario = serde_json::from_value(threshold_golden::script(name).scenario)?;
    let base = scenario.start.cell.block();
    let model = sim.library().model(PLAYER_SETUP)?.context("there is no player")?;

    // Where every step begins, and what it wants.
    let mut walk = Walk::begin(&mut sim, scenario.clone())?;
    let place = |line: threshold_scenario::StepReport| {
        let frame = threshold_world::Frame::new(line.origin.into(), line.rotation);
        at(base, &threshold_world::Position::new(line.cell, frame))
    };
    let mut before = place(walk.next_line().context("an empty script")??);
    let mut moves: Vec<(Vec3, Vec3)> = Vec::new();
    for step in &scenario.steps {
        let Some(line) = walk.next_line() else { break };
        let after = place(line?);
        let wanted = step.offset.map_or(after - before, Vec3::from);
        moves.push((before, wanted));
        before = after;
    }
    drop(walk);
    // The objects of the script are in the scene now, and so is the mover.
    let is_mover = |key| sim.scene().get(key).is_some_and(|entity| entity.role.is_player);
    let keys: Vec<_> = sim.scene().entities().map(|(key, _)| key).filter(|&key| is_mover(key)).collect();
    let (world, scene) = sim.parts_mut();
    keys.into_iter().try_for_each(|key| scene.despawn(world, key))?;
    let peer = peer(world, scene, base, &model)?;

    let lift = Vec3::new(0.0, 0.0, peer.middle + 0.02);
    let moves: Vec<_> = moves.iter().map(|&(from, wanted)| (vector(from + lift), vector(wanted))).collect();
    let [mut own, mut controller, mut cast] = [Duration::MAX; 3];
    let mut count = 0;
    for _ in 0..ROUNDS {
        let mut walk = Walk::begin(&mut sim, scenario.clone())?;
        walk.advance().context("an empty script")??;
        let begin = Instant::now();
        count = 0;
        while let Some(step) = walk.advance() {
            step?;
            count += 1;
        }
        own = own.min(begin.elapsed());
        drop(walk);
        let begin = Instant::now();
        moves.iter().for_each(|&(from, wanted)| _ = black_box(peer.walk(from, wanted)));
        controller = controller.min(begin.elapsed());
        let begin = Instant::now();
        moves.iter().for_each(|&(from, wanted)| _ = black_box(peer.cast(from, wanted)));
        cast = cast.min(begin.elapsed());
    }
    let each = |time: Duration, count: usize| time.as_secs_f64() * 1e6 / count.max(1) as f64;
    let (own, controller, cast) = (each(own, count), each(controller, moves.len()), each(cast, moves.len()));
    println!(
        "{name:<42}{:>9}{own:>11.3} µs{controller:>11.3} µs{:>9.1}{cast:>13.3} µs{:>9.2}",
        moves.len(),
        controller / own,
        cast / own
    );
    Ok([controller / own, cast / own])
}

/// A tick of many movers in the sample world on two threads.
fn crowd() -> Result<()> {
    let source = threshold_sample::build()?.source()?;
    let mut sim = Simulation::builder().library(Arc::new(Library::new(Arc::new(source)))).build()?;
    let model = sim.library().model(PLAYER_SETUP)?.context("there is no player")?;
    let base = sim.world().block_ids().next().context("an empty world")?;
    let (world, scene) = sim.parts_mut();
    let peer = peer(world, scene, base, &model)?;
    let movers = populate(world, scene, &model, MOVERS, 1, 42);
    ensure!(movers.len() > MOVERS / 2, "room for {} movers only", movers.len());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build()?;
    let lift = Vec3::new(0.0, 0.0, peer.middle + 0.02);
    let [mut own, mut other] = [Duration::MAX; 2];
    for _ in 0..=ROUNDS {
        let before: Vec<_> =
            movers.iter().map(|&key| sim.scene().get(key).map(|entity| at(base, &entity.position))).collect();
        sim.advance_clock(TICK)?;
        let (world, scene) = sim.parts_mut();
        let begin = Instant::now();
        pool.install(|| scene.update_all(world));
        own = own.min(begin.elapsed());
        scene.drain_events();
        let walk = |(key, before): (&_, &Option<Vec3>)| {
            let from = (*before)?;
            let to = at(base, &sim.scene().get(*key)?.position);
            Some(peer.walk(vector(from + lift), vector(to - from)))
        };
        let begin = Instant::now();
        let moved = pool.install(|| movers.par_iter().zip(&before).filter_map(walk).count());
        other = other.min(begin.elapsed());
        black_box(moved);
    }
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    println!(
        "\ntick of {} movers on 2 threads: Threshold {:.2} ms, rapier {:.2} ms, {:.1} times as long",
        movers.len(),
        ms(own),
        ms(other),
        ms(other) / ms(own)
    );
    Ok(())
}
