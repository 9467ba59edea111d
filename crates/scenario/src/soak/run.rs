//! The run: one random change after the other.

use super::{
    crowd::{loaded_cells, random_spot},
    doors::Door,
    model::{Expected, carrier_of},
};
use glam::Vec3;
use std::{collections::BTreeMap, sync::Arc, time::Duration};
use threshold_physics::{
    PLAYER_STATE, State,
    movement::{Controller, Controls, Skills},
    random::Random,
    scene::{Attachment, EntityKey, EntityRole, MAX_SPEED, PlaceOptions, Scene, Spawn},
};
use threshold_sim::{Event, Simulation};
use threshold_world::{BlockId, CellId, Frame, Position, World, model::Model};

/// Most objects at a time that the run brings in.
const MAX_GUESTS: usize = 120;
/// States objects are given.
const STATES: [u32; 9] = [0x8, 0xC, 0x1C, 0x408, 0x1_0008, 0x1_000C, 0x1_0009, 0x1008, 0x0040_0408];

/// Ticks after which the run goes on from a snapshot that was restored from its bytes.
const SNAPSHOT_EVERY: u64 = 50;

/// A violated invariant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("seed {seed}, step {step} ({action}): {what}")]
pub struct Violation {
    /// Repeats the run.
    pub seed: u64,
    /// After this step.
    pub step: u64,
    /// What the step did.
    pub action: &'static str,
    /// What is wrong.
    pub what: String,
}

/// Statistics of a run so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SoakStats {
    /// Steps.
    pub steps: u64,
    /// How often each action was done.
    pub actions: BTreeMap<&'static str, u64>,
    /// Ticks of everything.
    pub ticks: u64,
    /// Sweeps made by ticks.
    pub sweeps: u64,
    /// Times an object came into another cell.
    pub cell_changes: u64,
    /// Number of jumps.
    pub jumps: u64,
    /// Number of collisions with doors.
    pub door_bumps: u64,
    /// Times an object was found in no cell, by a move or because its cell went away.
    pub lost: u64,
    /// Times one came back because its cell did.
    pub found: u64,
    /// Objects there now, statics included.
    pub objects: usize,
    /// Entries in the lists of cells now.
    pub entries: usize,
    /// Hash of the scene now; the same for every run with the same seed and length.
    pub hash: u64,
}

impl SoakStats {
    pub(super) fn note(&mut self, event: &Event) {
        match event {
            Event::Lost(_) => self.lost += 1,
            Event::Found(_) => self.found += 1,
            Event::CellChanged { .. } => self.cell_changes += 1,
            _ => {}
        }
    }
}

/// A simulation under random use.
pub struct Soak {
    pub(super) sim: Simulation,
    models: Vec<Arc<Model>>,
    seed: u64,
    pub(super) random: Random,
    pub(super) guests: Vec<EntityKey>,
    pub(super) controllers: BTreeMap<EntityKey, (Controller, Controls)>,
    pub(super) next_guid: u32,
    unloaded_cells: Vec<CellId>,
    unloaded_land: Vec<BlockId>,
    /// Blocks whose data is not there.
    pub(super) dropped: Vec<BlockId>,
    pub(super) doors: Vec<Door>,
    pub(super) portals: BTreeMap<EntityKey, Position>,
    pub(super) places: Vec<Position>,
    pub(super) expected: Expected,
    /// What is wrong and cannot be seen in the scene any more.
    pub(super) fault: Option<String>,
    /// Ticks from one snapshot to the next.
    pub(super) snapshot_every: Option<u64>,
    pub(super) last_tick: Duration,
    pub(super) stats: SoakStats,
}

/// Game ids from here on are given to what the run brings in.
const FIRST_GUID: u32 = 0x5000_0000;

impl Soak {
    /// A run in a simulation whose cells are all loaded, with objects made of `models`, and with the simulation's own doors,
    /// portals and named places.
    pub fn new(sim: Simulation, models: Vec<Arc<Model>>, seed: u64) -> Soak {
        let mut expected = Expected::default();
        expected.sync_statics(sim.world(), sim.scene());
        let doors = sim.doors().filter_map(|door| Door::new(sim.scene(), door.key)).collect();
        let leads = |(key, _)| Some((key, sim.placed(key)?.destination?));
        let portals = sim.scene().entities().filter_map(leads).collect();
        let places = sim.places().iter().map(|place| place.position).collect();
        Soak {
            sim,
            models,
            seed,
            random: Random::new(seed),
            guests: Vec::new(),
            controllers: BTreeMap::new(),
            next_guid: FIRST_GUID,
            unloaded_cells: Vec::new(),
            unloaded_land: Vec::new(),
            dropped: Vec::new(),
            doors,
            portals,
            places,
            expected,
            fault: None,
            snapshot_every: Some(SNAPSHOT_EVERY),
            last_tick: Duration::ZERO,
            stats: SoakStats::default(),
        }
    }

    /// The same run from beginning to end, without going on in restored snapshots.
    #[must_use]
    pub fn without_snapshots(self) -> Soak {
        Soak { snapshot_every: None, ..self }
    }

    /// Statistics so far.
    pub fn stats(&self) -> SoakStats {
        let scene = self.sim.scene();
        SoakStats {
            objects: scene.len(),
            entries: scene.shadow_lists().map(|(_, list)| list.len()).sum(),
            hash: scene.state_hash(),
            ..self.stats.clone()
        }
    }

    /// How long the last tick of everything took, without the checks.
    pub fn last_tick(&self) -> Duration {
        self.last_tick
    }

    /// Does one random thing to the scene and checks everything.
    pub fn step(&mut self) -> Result<(), Violation> {
        let action = self.act();
        self.take_events();
        self.go_on_restored(action);
        self.check(action)
    }

    /// What has happened since the last call.
    pub(super) fn take_events(&mut self) -> Vec<Event> {
        let mut events: Vec<Event> = self.sim.drain_events().collect();
        events.extend(self.sim.parts_mut().1.drain_events().map(Event::from));
        events.iter().for_each(|event| self.stats.note(event));
        events
    }

    pub(super) fn count(&mut self, action: &'static str) {
        *self.stats.actions.entry(action).or_default() += 1;
    }

    /// Whether everything holds after a step.
    pub(super) fn check(&mut self, action: &'static str) -> Result<(), Violation> {
        self.stats.steps += 1;
        self.count(action);
        let (world, scene) = (self.sim.world(), self.sim.scene());
        let gone = |key: &&EntityKey| scene.get(**key).is_none();
        let checked = match (self.fault.take(), self.guests.iter().find(gone)) {
            (Some(fault), _) => Err(fault),
            (None, Some(key)) => Err(format!("{key:?} is gone")),
            (None, None) => self.expected.compare(world, scene).and_then(|()| check_scene(world, scene)),
        };
        let doors = &mut self.doors;
        let checked =
            checked.and_then(|()| doors.iter_mut().try_for_each(|door| door.check(scene, &self.guests)));
        checked.map_err(|what| Violation { seed: self.seed, step: self.stats.steps, action, what })
    }

    fn act(&mut self) -> &'static str {
        match self.random.below(40) {
            0..=3 if self.guests.len() < MAX_GUESTS => self.spawn(),
            4 | 5 => self.despawn(),
            6..=8 => self.teleport(),
            9 | 10 => self.put(),
            11 | 12 => self.change_state(),
            13 => self.change_scale(),
            14 | 15 => self.carry(),
            16 | 17 => self.unload(),
            18 | 19 => self.load(),
            20 => self.change_ethereal(),
            21..=29 => self.tick(),
            _ => self.push(),
        }
    }

    pub(super) fn guest(&mut self) -> Option<EntityKey> {
        self.random.pick(&self.guests).copied()
    }

    fn spawn(&mut self) -> &'static str {
        let (world, scene) = self.sim.parts_mut();
        let cells = loaded_cells(world);
        let spot = random_spot(world, &cells, &mut self.random);
        let (Some(position), Some(model)) = (spot, self.random.pick(&self.models)) else { return "spawn" };
        let walks = self.random.once_in(2);
        let state = if walks { PLAYER_STATE.bits() } else { STATES[self.random.below(STATES.len())] };
        let role = EntityRole { creature: walks, is_player: self.random.once_in(3), ..EntityRole::default() };
        let spawn = Spawn {
            guid: Some(self.next_guid),
            model: model.clone(),
            position,
            state: State::from_bits_retain(state),
            scale: 1.0,
            role,
        };
        self.next_guid = self.next_guid.wrapping_add(1);
        if let Ok(key) = scene.spawn(world, spawn) {
            self.guests.push(key);
            self.expected.flooded(world, scene, key);
            if walks {
                let skills = Skills { run: self.random.below(800) as u32, jump: 300, burden: 0.0 };
                self.controllers.insert(key, (Controller::new(skills), Controls::default()));
            }
        }
        "spawn"
    }

    fn despawn(&mut self) -> &'static str {
        if self.guests.is_empty() {
            return "despawn";
        }
        let key = self.guests.swap_remove(self.random.below(self.guests.len()));
        let (world, scene) = self.sim.parts_mut();
        let children = scene.get(key).map_or_else(Vec::new, |e| e.children().to_vec());
        // It was there: the run keeps count.
        let _ = scene.despawn(world, key);
        self.controllers.remove(&key);
        self.expected.removed(key);
        for child in children {
            self.expected.flooded(world, scene, child);
        }
        "despawn"
    }

    fn teleport(&mut self) -> &'static str {
        let Some(key) = self.guest() else { return "teleport" };
        let (world, scene) = self.sim.parts_mut();
        let cells = loaded_cells(world);
        if let Some(spot) = random_spot(world, &cells, &mut self.random)
            && let Ok((_, result)) = scene.place(world, key, &spot, PlaceOptions::default())
            && result.ok
        {
            let cells = scene.last_sweep().cells();
            self.expected.swept(world, scene, key, cells.entries(), cells.missing());
        }
        "teleport"
    }

    fn put(&mut self) -> &'static str {
        let Some(key) = self.guest() else { return "put" };
        let (world, scene) = self.sim.parts_mut();
        let cells = loaded_cells(world);
        if let Some(spot) = random_spot(world, &cells, &mut self.random)
            && scene.update_position(world, key, spot).is_ok()
        {
            self.expected.flooded(world, scene, key);
        }
        "put"
    }

    fn change_state(&mut self) -> &'static str {
        if let Some(key) = self.guest() {
            let state = State::from_bits_retain(STATES[self.random.below(STATES.len())]);
            // Known bits only.
            let _ = self.sim.parts_mut().1.set_state(key, state);
            self.expected.shape_changed(key);
        }
        "state"
    }

    fn change_ethereal(&mut self) -> &'static str {
        if let Some(key) = self.guest() {
            let (world, scene) = self.sim.parts_mut();
            let _ = scene.set_ethereal(world, key, self.random.once_in(2));
        }
        "ethereal"
    }

    fn change_scale(&mut self) -> &'static str {
        if let Some(key) = self.guest() {
            let (world, scene) = self.sim.parts_mut();
            if scene.set_scale(world, key, 1.25 + self.random.signed()).is_ok() {
                self.expected.flooded(world, scene, key);
            }
        }
        "scale"
    }

    fn carry(&mut self) -> &'static str {
        let (Some(key), Some(other)) = (self.guest(), self.guest()) else { return "carry" };
        let parent = (!self.random.once_in(3)).then_some(other);
        let origin = Vec3::new(self.random.signed(), self.random.signed(), self.random.signed());
        let attachment = Attachment { part: self.random.below(3), frame: Frame::at(origin) };
        let (world, scene) = self.sim.parts_mut();
        let was_carried = scene.get(key).is_some_and(|entity| entity.parent.is_some());
        let was_somewhere = scene.get(key).is_some_and(|entity| entity.cell.is_some());
        match scene.set_parent(world, key, parent, attachment) {
            // What is let off stays in the lists that it is in.
            Ok(()) if parent.is_none() && was_somewhere => self.expected.shape_changed(key),
            Ok(()) if parent.is_some() || was_carried => self.expected.flooded(world, scene, key),
            _ => {}
        }
        "carry"
    }

    fn push(&mut self) -> &'static str {
        let Some(key) = self.guest() else { return "push" };
        let (world, scene) = self.sim.parts_mut();
        let Some(mut target) = scene.get(key).map(|e| e.position) else { return "push" };
        let by = Vec3::new(self.random.signed(), self.random.signed(), self.random.signed() * 0.3);
        target.frame.origin += by * 1.5;
        if let Ok(result) = scene.move_to(world, key, &target, None)
            && result.ok
        {
            let cells = scene.last_sweep().cells();
            self.expected.swept(world, scene, key, cells.entries(), cells.missing());
        }
        "push"
    }

    fn unload(&mut self) -> &'static str {
        let cells = loaded_cells(self.sim.world());
        // Rather under somebody's feet than anywhere.
        let guest = self.guest().and_then(|key| self.sim.scene().get(key)?.cell);
        let cell = if self.random.once_in(3) { self.random.pick(&cells).copied() } else { guest };
        let Some(cell) = cell else { return "unload" };
        if cell.is_interior() {
            self.unload_cell(cell);
            return "unload cell";
        }
        let block = cell.block();
        if self.random.once_in(2) {
            for &cell in cells.iter().filter(|cell| cell.is_interior() && cell.block() == block) {
                self.unload_cell(cell);
            }
        }
        self.unload_land(block);
        "unload block"
    }

    fn unload_cell(&mut self, cell: CellId) {
        let residents = self.residents(|home| home == cell);
        self.take_out(cell);
        let (world, scene) = (self.sim.world(), self.sim.scene());
        self.expected.sync_statics(world, scene);
        self.expected.unloaded(world, scene, cell, &residents);
        self.unloaded_cells.push(cell);
    }

    fn unload_land(&mut self, block: BlockId) {
        let residents = self.residents(|home| home.is_outdoor() && home.block() == block);
        self.take_out(block.cell(1));
        let (world, scene) = (self.sim.world(), self.sim.scene());
        self.expected.sync_statics(world, scene);
        for low in 1..=0x40 {
            self.expected.unloaded(world, scene, block.cell(low), &[]);
        }
        self.expected.unloaded(world, scene, block.cell(1), &residents);
        self.unloaded_land.push(block);
    }

    fn take_out(&mut self, cell: CellId) {
        if let Err(error) = self.sim.take_out(cell) {
            self.fault.get_or_insert(format!("{cell} cannot be taken out: {error}"));
        }
    }

    /// Objects at home in some cells, those that are carried left out.
    pub(super) fn residents(&self, is_home: impl Fn(CellId) -> bool) -> Vec<EntityKey> {
        let scene = self.sim.scene();
        let at_home = scene.entities().filter(|(_, e)| e.parent.is_none() && e.cell.is_some_and(&is_home));
        at_home.map(|(key, _)| carrier_of(scene, key)).collect()
    }

    fn load(&mut self) -> &'static str {
        if !self.unloaded_cells.is_empty() && self.random.once_in(2) {
            let cell = self.unloaded_cells.swap_remove(self.random.below(self.unloaded_cells.len()));
            self.sim.bring_back(cell);
            let (world, scene) = (self.sim.world(), self.sim.scene());
            self.expected.loaded(world, scene, cell);
            self.expected.sync_statics(world, scene);
            return "load cell";
        }
        if !self.unloaded_land.is_empty() {
            let block = self.unloaded_land.swap_remove(self.random.below(self.unloaded_land.len()));
            self.sim.bring_back(block.cell(1));
            let (world, scene) = (self.sim.world(), self.sim.scene());
            for low in 1..=0x40 {
                self.expected.loaded(world, scene, block.cell(low));
            }
            self.expected.sync_statics(world, scene);
            return "load block";
        }
        "load"
    }
}

/// What must hold of every scene, whatever has been done to it.
fn check_scene(world: &World, scene: &Scene) -> Result<(), String> {
    for (cell, list) in scene.shadow_lists() {
        if world.cell(cell).is_none() {
            return Err(format!("{cell} is not loaded and has a list"));
        }
        for &key in list {
            let is_known =
                scene.get(key).is_some_and(|e| e.shadows().iter().any(|shadow| shadow.cell == cell));
            if !is_known {
                return Err(format!("{cell} lists {key:?}, which does not know of it"));
            }
        }
    }
    for (key, entity) in scene.entities() {
        if !(entity.position.frame.is_finite() && entity.velocity.is_finite()) {
            return Err(format!("{key:?} is at {:?} with {}", entity.position, entity.velocity));
        }
        if entity.velocity.length() > MAX_SPEED + 10.0 {
            return Err(format!("{key:?} moves with {}", entity.velocity));
        }
        if let Some(cell) = entity.cell
            && (world.cell(cell).is_none() || entity.position.cell != cell)
        {
            return Err(format!("{key:?} is in {cell}, its position in {}", entity.position.cell));
        }
        if let Some(parent) = entity.parent {
            let Some(parent) = scene.get(parent) else {
                return Err(format!("{key:?} has a parent that is gone"));
            };
            if !parent.children().contains(&key) || parent.cell != entity.cell {
                return Err(format!("{key:?} is not where its parent is"));
            }
        }
    }
    Ok(())
}
