//! The player's sweep of a tick, as the inspector shows it and as a recording has it.

use threshold_physics::{Transient, scene::SweptStep};
use threshold_scenario::{Before, CellChange, StepReport, Target};
use threshold_sim::{EntityKey, Simulation};
use threshold_world::CellId;

/// What a moment without a sweep is written down as.
const AT_REST: threshold_physics::MoveResult =
    threshold_physics::MoveResult { ok: true, swept: false, cell_changed: None };

/// What is known of the player's sweep; nothing when it did not move.
#[derive(Default)]
pub(super) struct Sweep {
    player: EntityKey,
    /// The cell before the tick.
    cell: Option<CellId>,
    /// How it was about to move.
    pub(super) intent: Option<(Before, Target)>,
    is_valid: bool,
    hit: Option<[f32; 3]>,
    hit_environment: bool,
    cells: Vec<CellId>,
    /// What it touched.
    pub(super) touched: Vec<EntityKey>,
}

impl Sweep {
    /// A tick that is about to begin.
    pub(super) fn before(sim: &Simulation, player: EntityKey) -> Sweep {
        let cell = sim.scene().get(player).and_then(|entity| entity.cell);
        Sweep { player, cell, ..Sweep::default() }
    }

    /// Takes note of a step right before it is committed, if it is the player's.
    pub(super) fn watch(&mut self, step: &SweptStep<'_>) {
        if step.key != self.player {
            return;
        }
        let entity = step.entity;
        let ground = entity.has(Transient::CONTACT);
        let plane = entity.contact_plane;
        let [x, y, z] = plane.normal.to_array();
        let before = Before {
            cell: entity.position.cell,
            origin: entity.position.frame.origin.into(),
            rotation: entity.position.frame.rotation(),
            contact: ground,
            on_walkable: entity.has(Transient::ON_WALKABLE),
            contact_plane: ground.then_some([x, y, z, plane.d]),
            contact_plane_cell: ground.then_some(entity.contact_cell),
            water: entity.has(Transient::WATER_CONTACT),
            sliding_normal: entity.has(Transient::SLIDING).then(|| entity.sliding_normal.into()),
            stationary: entity.stationary_stage(),
            velocity: entity.velocity.into(),
        };
        let target = &step.target.frame;
        self.intent = Some((before, Target { origin: target.origin.into(), rotation: target.rotation() }));
        let log = &step.outcome.log;
        self.is_valid = step.outcome.ok;
        self.hit = log.hit_valid.then(|| log.hit.into());
        self.hit_environment = log.hit_environment;
        self.cells = step.cells.iter().map(|cell| cell.id).collect();
        self.touched = step.touched.to_vec();
    }

    /// What `walk` prints for the tick, after it.
    pub(super) fn report(&self, sim: &Simulation, player: EntityKey) -> StepReport {
        let scene = sim.scene();
        let rest = StepReport::of(scene, player, sim.ticks() as i64 - 1, &AT_REST);
        if self.intent.is_none() {
            return rest;
        }
        let or_none = |cell: Option<CellId>| cell.unwrap_or(CellId::NONE);
        let cell = scene.get(player).and_then(|entity| entity.cell);
        let change = CellChange { from: or_none(self.cell), to: or_none(cell) };
        StepReport {
            ok: self.is_valid,
            collision_normal: self.hit,
            collided_env: self.hit_environment,
            collided_with: self.touched.iter().filter_map(|&key| scene.get(key)?.guid).collect(),
            cell_array: self.cells.clone(),
            cell_changed: (change.from != change.to).then_some(change),
            ..rest
        }
    }
}
