//! A whole shard in one process: a map of Dereth's size with players, creatures, doors and things that lie around.

use super::{Bench, machine::Machine};
use crate::memory::Memory;
use anyhow::{Context, Result, ensure};
use serde::Serialize;
use std::{
    io::{Write, stdout},
    sync::Arc,
    time::Instant,
};
use threshold_physics::{EntityKey, PLAYER_SETUP, Scene, Spawn, State, scene::Viewer};
use threshold_sample::census::Census;
use threshold_scenario::soak::{populate, scatter};
use threshold_sim::{Residency, Simulation, TICK};
use threshold_world::{World, placed::ObjectKind};

/// Doors that open or close in a tick.
const FLIPS: usize = 30;
/// Game ids of players, creatures, doors and things.
const FIRST_IDS: [u32; 4] = [0x5000_0000, 0x6000_0000, 0x7000_0000, 0x8000_0000];

/// What is on the map.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Size {
    #[serde(skip)]
    map: Census,
    players: usize,
    creatures: usize,
    doors: usize,
    things: usize,
    ticks: usize,
}

impl Size {
    pub(crate) const FULL: Size = Size {
        map: Census::DERETH,
        players: 1_000,
        creatures: 50_000,
        doors: 5_000,
        things: 200_000,
        ticks: 300,
    };
    pub(crate) const QUICK: Size = Size {
        map: Census { side: 12, cells: 300, places: 10 },
        players: 10,
        creatures: 100,
        doors: 10,
        things: 400,
        ticks: 30,
    };
}

/// What it takes.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Figures {
    machine: Machine,
    size: Size,
    blocks: usize,
    cells: usize,
    load_s: f64,
    /// Objects that were given a place.
    objects: usize,
    /// Sweeps of the last tick: everything that walks near a player.
    sweeps: usize,
    threads: usize,
    tick_best_ms: f64,
    tick_median_ms: f64,
    /// 99 of 100 ticks take no longer.
    tick_p99_ms: f64,
    tick_longest_ms: f64,
    map_bytes: Option<u64>,
    bytes_per_object: Option<u64>,
    snapshot_ms: f64,
    snapshot_and_bytes_ms: f64,
    snapshot_bytes: usize,
}

/// Builds the shard and runs it; `note` hears what is done.
pub(crate) fn measure(bench: &Bench, size: Size, note: impl Fn(&str)) -> Result<Figures> {
    note("loading the map");
    let before = Memory::now();
    let begin = Instant::now();
    let builder = Simulation::builder().source(Arc::new(size.map)).residency(Residency::Whole);
    let mut sim = builder.build()?;
    let load_s = begin.elapsed().as_secs_f64();
    let with_map = Memory::now();
    let world = sim.world();
    let blocks = world.block_ids().count();
    let rooms = world.block_ids().filter_map(|id| world.block_data(id));
    let cells = rooms.map(|block| block.env_cells.iter().flatten().count()).sum();

    note("placing players, creatures, doors and things");
    let (world, scene) = sim.parts_mut();
    let placed = place(bench, size, world, scene)?;
    let with_objects = Memory::now();
    let objects = scene.len();

    note("running");
    // Whatever is far from every player falls asleep in the first ticks.
    let mut times = Vec::with_capacity(size.ticks);
    let mut sweeps = 0;
    for tick in 0..size.ticks + 3 {
        sim.advance_clock(TICK)?;
        let (world, scene) = sim.parts_mut();
        let begin = Instant::now();
        for i in 0..FLIPS.min(placed.doors.len()) {
            let door = placed.doors[(tick * FLIPS + i) % placed.doors.len()];
            let is_open = scene.get(door).is_some_and(|door| door.state.contains(State::ETHEREAL));
            scene.set_ethereal(world, door, !is_open)?;
        }
        sweeps = scene.update_all(world).sweeps;
        scene.drain_events();
        if tick >= 3 {
            times.push(begin.elapsed().as_secs_f64() * 1e3);
        }
    }
    ensure!(sim.scene().viewers().len() == placed.players, "players are no viewers any more");
    times.sort_by(f64::total_cmp);
    let nth = |share: f64| times.get(((times.len() as f64 * share) as usize).min(times.len() - 1)).copied();

    note("taking a snapshot");
    let begin = Instant::now();
    let snapshot = sim.snapshot();
    let snapshot_ms = begin.elapsed().as_secs_f64() * 1e3;
    let snapshot_bytes = snapshot.to_bytes()?.len();
    let grown = |from: Option<Memory>, to: Option<Memory>| Some(to?.now.saturating_sub(from?.now));
    Ok(Figures {
        machine: Machine::this(),
        size,
        blocks,
        cells,
        load_s,
        objects,
        sweeps,
        threads: rayon::current_num_threads(),
        tick_best_ms: nth(0.0).unwrap_or_default(),
        tick_median_ms: nth(0.5).unwrap_or_default(),
        tick_p99_ms: nth(0.99).unwrap_or_default(),
        tick_longest_ms: nth(1.0).unwrap_or_default(),
        map_bytes: grown(before, with_map),
        bytes_per_object: grown(with_map, with_objects).map(|bytes| bytes / objects.max(1) as u64),
        snapshot_ms,
        snapshot_and_bytes_ms: begin.elapsed().as_secs_f64() * 1e3,
        snapshot_bytes,
    })
}

struct Placed {
    players: usize,
    doors: Vec<EntityKey>,
}

fn place(bench: &Bench, size: Size, world: &World, scene: &mut Scene) -> Result<Placed> {
    let person = bench.library.model(PLAYER_SETUP)?.context("the sample world has no player")?;
    let [players, creatures, doors, things] = FIRST_IDS;
    let players = populate(world, scene, &person, size.players, players, 1);
    populate(world, scene, &person, size.creatures, creatures, 2);
    let mut spread = |kind: ObjectKind, first: u32, count: usize, seed: u64| -> Result<Vec<EntityKey>> {
        let object = bench.sample.entities.iter().find(|object| object.kind == kind);
        let object = object.with_context(|| format!("the sample world has no {kind:?}"))?;
        let model =
            bench.library.model(object.setup)?.with_context(|| format!("no model {}", object.setup))?;
        let spots = scatter(world, count, seed).into_iter().zip(first..);
        let spawn = |(position, id)| {
            let spawn = Spawn { guid: Some(id), position, ..Spawn::placed(object, model.clone()) };
            Ok(scene.spawn(world, spawn)?)
        };
        spots.map(spawn).collect()
    };
    let doors = spread(ObjectKind::Door, doors, size.doors, 3)?;
    spread(ObjectKind::Chest, things, size.things, 4)?;
    scene.set_viewers(players.iter().map(|&key| Viewer::Object(key)));
    scene.drain_events();
    Ok(Placed { players: players.len(), doors })
}

impl Figures {
    /// Prints them.
    pub(crate) fn print(&self, is_json: bool) -> Result<()> {
        let mut out = stdout().lock();
        if is_json {
            writeln!(out, "{}", serde_json::to_string_pretty(self)?)?;
            return Ok(());
        }
        let Size { players, creatures, doors, things, ticks, .. } = self.size;
        writeln!(out, "{}\n", self.machine)?;
        writeln!(
            out,
            "{} blocks, {} interior cells, loaded in {:.1} s",
            self.blocks, self.cells, self.load_s
        )?;
        writeln!(out, "{players} players, {creatures} creatures, {doors} doors, {things} things at rest")?;
        let mut line = |name: &str, figure: String| writeln!(out, "{name:<44} {figure:>12}");
        let ms = |ms: f64| format!("{ms:.2} ms");
        line(&format!("tick on {} threads, best of {ticks}", self.threads), ms(self.tick_best_ms))?;
        line("median", ms(self.tick_median_ms))?;
        line("99 of 100 take at most", ms(self.tick_p99_ms))?;
        line("longest (30 a second leave 33.33 ms)", ms(self.tick_longest_ms))?;
        line("sweeps of a tick: those near players", self.sweeps.to_string())?;
        if let Some(bytes) = self.map_bytes {
            line("memory of the map", format!("{:.0} MB", bytes as f64 / 1e6))?;
        }
        if let Some(bytes) = self.bytes_per_object {
            line(&format!("memory of each of {} objects", self.objects), format!("{bytes} B"))?;
        }
        line("snapshot", ms(self.snapshot_ms))?;
        line("snapshot and its bytes", ms(self.snapshot_and_bytes_ms))?;
        line("size of the snapshot", format!("{:.1} MB", self.snapshot_bytes as f64 / 1e6))?;
        Ok(())
    }
}
