//! Sweeps of a world that runs, written down: as `walk` prints them, and as records that `replay` makes again.

use crate::{
    After, Before, CellChange, EntitySpec, MoverSpec, Record, SCENERY_IDS, StateWord, StepReport, Target,
};
use threshold_physics::{Admission, Entity, EntityKey, Scene, State, Transient, scene::SweptStep};
use threshold_world::CellId;

/// What a moment without a sweep is written down as.
const AT_REST: threshold_physics::MoveResult =
    threshold_physics::MoveResult { ok: true, swept: false, cell_changed: None };

/// One object's sweep of a tick; empty when it did not move.
#[derive(Clone, Debug, Default)]
pub struct Witness {
    mover: EntityKey,
    /// The cell before the tick.
    cell: Option<CellId>,
    /// How it was about to move.
    pub intent: Option<(Before, Target)>,
    is_valid: bool,
    hit: Option<[f32; 3]>,
    hit_environment: bool,
    cells: Vec<CellId>,
    /// Objects it touched.
    pub touched: Vec<EntityKey>,
}

impl Witness {
    /// A tick that is about to begin.
    pub fn before(scene: &Scene, mover: EntityKey) -> Witness {
        let cell = scene.get(mover).and_then(|entity| entity.cell);
        Witness { mover, cell, ..Witness::default() }
    }

    /// Takes note of a step right before it is committed, if it is the mover's.
    pub fn watch(&mut self, step: &SweptStep<'_>) {
        if step.key != self.mover {
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

    /// The line that `walk` prints for the tick.
    pub fn report(&self, scene: &Scene, mover: EntityKey, step: i64) -> StepReport {
        let rest = StepReport::of(scene, mover, step, &AT_REST);
        if self.intent.is_none() {
            return rest;
        }
        let or_none = |cell: Option<CellId>| cell.unwrap_or(CellId::NONE);
        let cell = scene.get(mover).and_then(|entity| entity.cell);
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

    /// The sweep as a record, if there was one: `others` are the objects that the mover may have touched, `line` is the
    /// result.
    pub fn record(
        &self,
        id: String,
        mover: &Entity,
        others: &Bystanders,
        line: &StepReport,
    ) -> Option<Record> {
        let (before, target) = self.intent.clone()?;
        let id_of = |key: &EntityKey| others.iter().find(|(other, _)| other == key).map(|(_, spec)| spec.id);
        Some(Record {
            id,
            world: None,
            mover: MoverSpec {
                setup: mover.model.id,
                state: StateWord(mover.state),
                is_player: true,
                scale: mover.scale,
                viewer: false,
                pk: mover.role.pk,
                pk_lite: mover.role.pk_lite,
                impenetrable: mover.role.impenetrable,
                bypass: mover.role.bypasses_restrictions,
            },
            entities: Some(others.iter().map(|(_, spec)| spec.clone()).collect()),
            before,
            target,
            after: After {
                ok: line.ok,
                cell: line.cell,
                origin: line.origin,
                rotation: Some(line.rotation),
                contact: line.contact,
                on_walkable: line.on_walkable,
                contact_plane: line.contact_plane,
                sliding_normal: line.sliding_normal,
                collision_normal: line.collision_normal,
                collided_env: line.collided_env,
                collided_with: self.touched.iter().filter_map(id_of).collect(),
                cell_array: line.cell_array.clone(),
                lost: line.lost,
            },
            fragile: false,
            fragile_cells: false,
        })
    }
}

/// The objects that a mover may meet, with their keys.
pub type Bystanders = Vec<(EntityKey, EntitySpec)>;

/// All objects in cells that have a game id or are scenery.
///
/// Ethereal animated objects, such as open doors, are omitted: a record has no poses, and they stop nothing.
pub fn bystanders(scene: &Scene, mover: EntityKey) -> Bystanders {
    let is_animated =
        |entity: &Entity| entity.actor().is_some_and(|actor| !actor.animator.sequence().is_empty());
    let guests = scene.entities().filter(|(key, entity)| *key != mover && entity.cell.is_some());
    let guests = guests.filter(|(_, e)| !(e.state.contains(State::ETHEREAL) && is_animated(e)));
    let guests = guests.filter_map(|(key, entity)| Some((entity.guid?, key)));
    let known = guests.chain((SCENERY_IDS..).zip(scene.scenery()));
    known.filter_map(|(id, key)| Some((key, spec(id, scene.get(key)?)))).collect()
}

fn spec(id: u32, entity: &Entity) -> EntitySpec {
    EntitySpec {
        id,
        setup: entity.model.id,
        cell: entity.position.cell,
        origin: entity.position.frame.origin.into(),
        rotation: entity.position.frame.rotation(),
        scale: entity.scale,
        state: StateWord(entity.state),
        is_player: entity.role.is_player,
        creature: entity.role.creature,
        impenetrable: entity.role.impenetrable,
        pk: entity.role.pk,
        pk_lite: entity.role.pk_lite,
        refuses: *entity.admission() == Admission::Nobody,
    }
}
