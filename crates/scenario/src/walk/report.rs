//! The lines that `walk` prints.

use super::columns::{EntityColumns, MotionColumns};
use serde::Serialize;
use std::collections::BTreeMap;
use threshold_physics::{
    flags::Transient,
    scene::{EntityKey, MoveResult, Scene, SweptStep},
    sweep::{ContactLog, Sweeper},
};
use threshold_world::{CellId, Position, Quat};

/// A change of cell.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CellChange {
    /// Before.
    pub from: CellId,
    /// After.
    pub to: CellId,
}

/// The line that `walk` prints for a step.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StepReport {
    /// Number of the step; −1 for the placement.
    pub step: i64,
    /// A valid position was found.
    pub ok: bool,
    /// The cell.
    pub cell: CellId,
    /// Block coordinates.
    pub origin: [f32; 3],
    /// Orientation, w first.
    pub rotation: Quat,
    /// On the ground.
    pub contact: bool,
    /// On walkable ground.
    pub on_walkable: bool,
    /// The ground.
    pub contact_plane: Option<[f32; 4]>,
    /// The cell the ground was found in.
    pub contact_plane_cell: Option<CellId>,
    /// The ground is under water.
    pub water: bool,
    /// Normal of the surface that the mover slides along.
    pub sliding_normal: Option<[f32; 3]>,
    /// Normal of the hit surface.
    pub collision_normal: Option<[f32; 3]>,
    /// The environment was hit.
    pub collided_env: bool,
    /// Objects touched, in order.
    pub collided_with: Vec<u32>,
    /// Cells the sweep ended with, in order.
    pub cell_array: Vec<CellId>,
    /// Cells the mover can be hit in.
    pub mover_shadow_cells: Vec<CellId>,
    /// Metres per second.
    pub velocity: [f32; 3],
    /// The change of cell that was committed.
    pub cell_changed: Option<CellChange>,
    /// Cells each object can be hit in, after steps that may have changed them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entity_shadow_cells: Option<BTreeMap<u32, Vec<CellId>>>,
    /// The mover ended in no cell.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub lost: bool,
    /// Code of the command that was given; 0 when it was obeyed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<u32>,
    /// The mover's motion.
    #[serde(flatten)]
    pub motion: Option<Box<MotionColumns>>,
    /// The objects that move on their own, by id; `None` for those that were removed.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub entities: BTreeMap<u32, Option<Box<EntityColumns>>>,
}

impl StepReport {
    pub(super) fn new(step: i64, position: &Position) -> StepReport {
        StepReport {
            step,
            ok: false,
            cell: position.cell,
            origin: position.frame.origin.into(),
            rotation: position.frame.rotation(),
            contact: false,
            on_walkable: false,
            contact_plane: None,
            contact_plane_cell: None,
            water: false,
            sliding_normal: None,
            collision_normal: None,
            collided_env: false,
            collided_with: Vec::new(),
            cell_array: Vec::new(),
            mover_shadow_cells: Vec::new(),
            velocity: [0.0; 3],
            cell_changed: None,
            entity_shadow_cells: None,
            lost: false,
            result: None,
            motion: None,
            entities: BTreeMap::new(),
        }
    }

    /// What the move did, and what its sweep touched if one was run.
    pub(super) fn with_result(self, scene: &Scene, sweeper: &Sweeper, result: &MoveResult) -> StepReport {
        let line = self.with_change(result);
        if !result.swept {
            return line;
        }
        let cells = sweeper.cells().ids().collect();
        line.with_sweep(scene, &sweeper.outcome().log, sweeper.touched(), cells)
    }

    fn with_change(self, result: &MoveResult) -> StepReport {
        let cell_changed = result.cell_changed.map(|(from, to)| CellChange { from, to });
        StepReport { ok: result.ok, cell_changed, ..self }
    }

    fn with_sweep(
        self,
        scene: &Scene,
        log: &ContactLog,
        touched: &[EntityKey],
        cell_array: Vec<CellId>,
    ) -> StepReport {
        StepReport {
            collision_normal: log.hit_valid.then(|| log.hit.into()),
            collided_env: log.hit_environment,
            collided_with: touched.iter().filter_map(|&key| scene.get(key)?.guid).collect(),
            cell_array,
            ..self
        }
    }

    /// The state of an object after its last move.
    pub fn of(scene: &Scene, key: EntityKey, step: i64, result: &MoveResult) -> StepReport {
        StepReport::unswept(scene, key, step).with_result(scene, scene.last_sweep(), result)
    }

    /// An object as it is, whatever brought it there.
    pub(super) fn unswept(scene: &Scene, key: EntityKey, step: i64) -> StepReport {
        let Some(entity) = scene.get(key) else { return StepReport::new(step, &Position::default()) };
        let ground = entity.has(Transient::CONTACT);
        let plane = entity.contact_plane;
        let [x, y, z] = plane.normal.to_array();
        StepReport {
            contact: ground,
            on_walkable: entity.has(Transient::ON_WALKABLE),
            contact_plane: ground.then_some([x, y, z, plane.d]),
            contact_plane_cell: ground.then_some(entity.contact_cell),
            water: entity.has(Transient::WATER_CONTACT),
            sliding_normal: entity.has(Transient::SLIDING).then(|| entity.sliding_normal.into()),
            mover_shadow_cells: entity.shadows().iter().map(|shadow| shadow.cell).collect(),
            velocity: entity.velocity.into(),
            lost: entity.cell.is_none(),
            ..StepReport::new(step, &entity.position)
        }
    }
}

/// What a sweep met, written down before others sweep.
pub(super) struct SweepNote {
    log: ContactLog,
    touched: Vec<EntityKey>,
    cells: Vec<CellId>,
}

impl SweepNote {
    pub(super) fn of(swept: &SweptStep<'_>) -> SweepNote {
        SweepNote {
            log: swept.outcome.log,
            touched: swept.touched.to_vec(),
            cells: swept.cells.iter().map(|entry| entry.id).collect(),
        }
    }

    /// A line with what the sweep met.
    pub(super) fn report(self, scene: &Scene, line: StepReport, result: &MoveResult) -> StepReport {
        line.with_change(result).with_sweep(scene, &self.log, &self.touched, self.cells)
    }
}
