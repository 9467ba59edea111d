//! A tick of everything, with every sweep watched on its way into the lists.

use super::run::Soak;
use std::time::Instant;
use threshold_physics::{
    State,
    cells::CellEntry,
    movement::Controls,
    random::Random,
    scene::{EntityKey, Scene},
};
use threshold_sim::{SimError, Simulation, Snapshot, TICK};
use threshold_world::{
    Cell, CellId, Position, Quat, World,
    coords::{CELL_SIDE, block_offset},
};

/// Ticks for which the same keys are held, on average.
const HOLD: usize = 12;

/// Farthest that a sweep of a tick leads, with the size of the body.
const REACH: f32 = 4.0;

/// A committed sweep as the sweep itself reports it.
struct Report {
    key: EntityKey,
    held: Position,
    cells: Vec<CellEntry>,
    missing: Vec<CellId>,
}

impl Soak {
    pub(super) fn tick(&mut self) -> &'static str {
        let (_, scene) = self.sim.parts_mut();
        for (&key, (controller, controls)) in &mut self.controllers {
            if self.random.once_in(HOLD) {
                *controls = random_keys(&mut self.random);
            }
            // The key is there.
            let jumped = controller.drive(scene, key, controls, TICK).unwrap_or(false);
            self.stats.jumps += u64::from(jumped);
        }
        let headings = headings(scene);
        let mut reports = Vec::new();
        let mut sweeps = 0;
        let begin = Instant::now();
        let ticked = self.sim.tick_watched(&mut |step| {
            sweeps += 1;
            if step.outcome.ok {
                let (cells, missing) = (step.cells.to_vec(), step.missing.to_vec());
                reports.push(Report { key: step.key, held: step.outcome.position, cells, missing });
            }
        });
        self.last_tick = begin.elapsed();
        if let Err(error) = ticked {
            self.fault.get_or_insert(format!("a tick failed: {error}"));
        }
        self.stats.ticks += 1;
        self.stats.sweeps += sweeps;
        let (world, scene) = (self.sim.world(), self.sim.scene());
        for Report { key, held, cells, missing } in &reports {
            self.expected.swept(world, scene, *key, cells, missing);
            // The cell that is held need not be among them: a step up may end in cells that were looked up after it.
            if let Some(far) = cells.iter().find(|entry| entry.loaded && !is_near(world, entry.id, held)) {
                self.fault.get_or_insert(format!("{key:?} at {held} is listed in {} far away", far.id));
            }
        }
        // What turned without a sweep stays registered as it was.
        for (key, heading) in headings {
            let turned = scene.get(key).is_some_and(|e| e.position.frame.rotation() != heading);
            if turned && !reports.iter().any(|report| report.key == key) {
                self.expected.shape_changed(key);
            }
        }
        for door in self.doors.iter().filter(|door| self.sim.is_swinging(door.key)) {
            self.expected.shape_changed(door.key);
        }
        "tick"
    }

    /// After some ticks: saves everything as bytes and goes on from what is restored from them.
    pub(super) fn go_on_restored(&mut self, action: &str) {
        let is_due = self.snapshot_every.is_some_and(|every| self.stats.ticks.is_multiple_of(every));
        if action != "tick" || !is_due {
            return;
        }
        let hash = self.sim.state_hash();
        match restored(&mut self.sim) {
            Err(error) => drop(self.fault.get_or_insert(format!("a snapshot cannot be restored: {error}"))),
            Ok(()) if self.sim.state_hash() != hash => {
                self.fault.get_or_insert("a restored snapshot is another state".into());
            }
            Ok(()) => self.count("snapshot"),
        }
    }
}

fn restored(sim: &mut Simulation) -> Result<(), SimError> {
    let bytes = sim.snapshot().to_bytes()?;
    sim.restore(&Snapshot::from_bytes(&bytes)?)
}

/// Whether a place lies in a cell's box or so near to it that a sweep that ends there may have touched it.
fn is_near(world: &World, cell: CellId, place: &Position) -> bool {
    let point = place.frame.origin + block_offset(cell, place.cell);
    match world.cell(cell) {
        Some(Cell::Env(room)) => {
            let bounds = room.structure.bounds.transformed(|p| room.position.frame.apply(p));
            (bounds.min - REACH).cmple(point).all() && point.cmple(bounds.max + REACH).all()
        }
        Some(Cell::Land(land)) => {
            let away = (point - land.position().frame.origin).truncate().abs();
            away.max_element() <= CELL_SIDE / 2.0 + REACH
        }
        None => false,
    }
}

fn headings(scene: &Scene) -> Vec<(EntityKey, Quat)> {
    let moving = scene.entities().filter(|(_, entity)| !entity.state.contains(State::STATIC));
    moving.map(|(key, entity)| (key, entity.position.frame.rotation())).collect()
}

fn random_keys(random: &mut Random) -> Controls {
    let bits = random.bits();
    let held = |bit: u32| bits >> bit & 1 == 1;
    Controls {
        forward: held(0) || held(1),
        back: held(2) && held(3),
        left: held(4) && held(5),
        right: held(6) && held(7),
        turn_left: held(8),
        turn_right: held(9),
        toggle_run: held(10),
        jump: held(11),
    }
}
