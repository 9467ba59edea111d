//! Playing a scenario.

use super::{
    format::{MoverSpec, PlaceSpec, Scenario, Step},
    setting::{ScenarioError, Scenery, Setting},
};
use glam::Vec3;
use serde::Serialize;
use std::collections::BTreeMap;
use threshold_physics::{
    flags::Transient,
    scene::{CAMERA_SPHERE, EntityKey, MoveResult, PlaceOptions, Placement, Scene},
    sweep::{SweepInput, Sweeper},
};
use threshold_world::{CellId, Frame, Position, Quat};

/// A change of cell.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CellChange {
    /// Before.
    pub from: CellId,
    /// After.
    pub to: CellId,
}

/// What `walk` prints for a step.
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
    /// What the mover slides along.
    pub sliding_normal: Option<[f32; 3]>,
    /// What was hit.
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
}

/// What the mover is: an object of the scene, or the camera, which is none.
enum Body {
    Object(EntityKey),
    Camera { position: Position, cell: Option<CellId>, sweeper: Box<Sweeper> },
}

/// A scenario being played in a setting.
pub struct Walk<'s> {
    setting: &'s mut Setting,
    mover: MoverSpec,
    entities: Vec<u32>,
    body: Body,
    steps: Vec<Step>,
    next: i64,
    lost: bool,
    start: Option<PlaceSpec>,
}

/// What a step did, before it is written down.
struct Done {
    result: MoveResult,
    lists_entities: bool,
}

impl Done {
    /// Something else than the mover was changed.
    fn aside() -> Done {
        Done { lists_entities: true, ..Done::from(MoveResult::without_sweep(true)) }
    }
}

impl From<MoveResult> for Done {
    fn from(result: MoveResult) -> Done {
        Done { result, lists_entities: false }
    }
}

impl<'s> Walk<'s> {
    /// Clears the setting, takes out what is not to be loaded, brings in the scenario's objects and its mover.
    pub fn begin(setting: &'s mut Setting, scenario: Scenario) -> Result<Walk<'s>, ScenarioError> {
        setting.reset();
        setting.set_scenery(if scenario.scenery { Scenery::Grown } else { Scenery::Absent });
        setting.unload(&scenario.unloaded)?;
        setting.spawn_entities(&scenario.entities)?;
        let position = scenario.start.position();
        let body = if scenario.mover.viewer {
            Body::Camera { position, cell: None, sweeper: Box::default() }
        } else {
            let mover = setting.spawn_mover_aside(&scenario.mover, position);
            Body::Object(mover.map_err(|error| error.placed_by("start"))?)
        };
        Ok(Walk {
            setting,
            mover: scenario.mover,
            entities: scenario.entities.iter().map(|entity| entity.id).collect(),
            body,
            steps: scenario.steps,
            next: -1,
            lost: false,
            start: Some(scenario.start),
        })
    }

    /// The mover, when it is an object.
    pub fn mover(&self) -> Option<EntityKey> {
        match self.body {
            Body::Object(key) => Some(key),
            Body::Camera { .. } => None,
        }
    }

    /// The setting as it is now.
    pub fn setting(&self) -> &Setting {
        self.setting
    }

    /// Plays the placement or the next step; none at the end, and after the mover was lost.
    pub fn next_line(&mut self) -> Option<Result<StepReport, ScenarioError>> {
        let number = self.next;
        let done = self.next_step()?;
        Some(done.map(|done| self.line(number, done)))
    }

    /// Like [`Walk::next_line`], but tells only whether a valid position was found. For measuring: nothing is
    /// written down, so nothing is allocated for it.
    pub fn advance(&mut self) -> Option<Result<bool, ScenarioError>> {
        let done = self.next_step()?;
        self.lost |=
            self.mover().is_some_and(|key| self.setting.scene.get(key).is_none_or(|e| e.cell.is_none()));
        Some(done.map(|done| done.result.ok))
    }

    fn next_step(&mut self) -> Option<Result<Done, ScenarioError>> {
        if self.lost {
            return None;
        }
        let number = self.next;
        let done = match self.start.take() {
            Some(start) => self.place(&start, number),
            None => {
                let steps = std::mem::take(&mut self.steps);
                let done = steps.get(number as usize).map(|step| self.play(step, number));
                self.steps = steps;
                done?
            }
        };
        self.next += 1;
        Some(done)
    }

    fn play(&mut self, step: &Step, number: i64) -> Result<Done, ScenarioError> {
        let field = |name: &str| format!("steps[{number}].{name}");
        let refused = |name: &str, source| ScenarioError::Scene { field: field(name), source };
        if let Some(problem) = step.problem() {
            return Err(ScenarioError::BadStep { field: format!("steps[{number}]"), problem });
        }
        if let (Some(velocity), Body::Object(key)) = (step.velocity, &self.body) {
            let result = self.setting.scene.set_velocity(*key, velocity.into());
            result.map_err(|source| refused("velocity", source))?;
        }
        if step.offset.is_some() || step.rotate.is_some() {
            let position = self.position();
            let mut target = position;
            target.frame.origin += Vec3::from(step.offset.unwrap_or_default());
            if let Some(rotation) = step.rotate {
                target.frame = Frame::new(target.frame.origin, rotation);
            }
            self.setting.reach(&position, &target)?;
            return self.move_to(&target).map_err(|source| refused("move", source));
        }
        if let Some(place) = &step.teleport {
            return self.place(place, number);
        }
        let position =
            step.place_entity.as_ref().map_or_else(|| self.position(), |place| place.place.position());
        self.setting.reach(&position, &position)?;
        let Setting { world, scene, .. } = &mut *self.setting;
        if let Some(set) = &step.set_state {
            let key = match (set.entity, &self.body) {
                (Some(id), _) => scene
                    .key_of(id)
                    .ok_or_else(|| ScenarioError::NoEntity { field: field("set_state"), id })?,
                (None, Body::Object(key)) => *key,
                (None, Body::Camera { .. }) => {
                    self.mover.state = set.state;
                    return Ok(Done::aside());
                }
            };
            let result = scene.set_state(key, set.state.0);
            result.map_err(|source| refused("set_state", source))?;
            return Ok(Done::aside());
        }
        if let Some(place) = &step.place_entity {
            let id = place.entity;
            let key = scene
                .key_of(id)
                .ok_or_else(|| ScenarioError::NoEntity { field: field("place_entity"), id })?;
            let result = scene.update_position(world, key, place.place.position());
            result.map_err(|source| refused("place_entity", source))?;
            return Ok(Done::aside());
        }
        if let Some(remove) = &step.remove_entity {
            let id = remove.entity;
            let key = scene
                .key_of(id)
                .ok_or_else(|| ScenarioError::NoEntity { field: field("remove_entity"), id })?;
            scene.despawn(world, key).map_err(|source| refused("remove_entity", source))?;
            return Ok(Done::aside());
        }
        match (step.tick, &self.body) {
            (Some(seconds), Body::Object(key)) => {
                let result = scene.advance_clock(seconds).and_then(|()| scene.update(world, *key));
                result.map(Done::from).map_err(|source| refused("tick", source))
            }
            (Some(_), Body::Camera { .. }) => Err(ScenarioError::BadStep {
                field: field("tick"),
                problem: "the camera has no physics of its own",
            }),
            (None, _) => Ok(MoveResult::without_sweep(true).into()),
        }
    }

    fn position(&self) -> Position {
        match &self.body {
            Body::Object(key) => self.setting.scene.get(*key).map(|e| e.position).unwrap_or_default(),
            Body::Camera { position, .. } => *position,
        }
    }

    fn move_to(&mut self, target: &Position) -> Result<Done, threshold_physics::scene::SceneError> {
        let Setting { world, scene, .. } = &mut *self.setting;
        match &mut self.body {
            Body::Object(key) => scene.move_to(world, *key, target, None).map(Done::from),
            Body::Camera { position, cell, sweeper } => {
                let mover = self.mover.camera();
                let input = SweepInput::new(mover, position, target);
                let outcome = sweeper.sweep(world, scene, input, None)?;
                let mut cell_changed = None;
                if outcome.ok {
                    let to = outcome.cell;
                    cell_changed = (*cell != to).then(|| (cell.unwrap_or_default(), to.unwrap_or_default()));
                    *position = outcome.position;
                    *cell = to;
                    self.lost = to.is_none();
                }
                Ok(MoveResult { ok: outcome.ok, swept: true, cell_changed }.into())
            }
        }
    }

    fn place(&mut self, place: &PlaceSpec, number: i64) -> Result<Done, ScenarioError> {
        let at = place.position();
        let field = if number < 0 { "start".into() } else { format!("steps[{number}].teleport") };
        self.setting.reach(&at, &at)?;
        // An object that is sent out of the world is lost there, as in the original; nobody begins there.
        let must_exist = number < 0 || matches!(self.body, Body::Camera { .. });
        if must_exist && !self.setting.exists(at.cell) {
            return Err(ScenarioError::NoCell { field, cell: at.cell });
        }
        let Setting { world, scene, .. } = &mut *self.setting;
        let result = match &mut self.body {
            Body::Object(key) => {
                let options = PlaceOptions { slide: place.slide.unwrap_or(true), ..PlaceOptions::default() };
                let placed = scene.place(world, *key, &at, options);
                let (placement, result) = placed.map_err(|source| ScenarioError::Scene { field, source })?;
                MoveResult { ok: placement == Placement::Placed, ..result }
            }
            Body::Camera { position, cell, .. } => {
                let seated = world.reseat(&at, CAMERA_SPHERE.center);
                let from = *cell;
                if let Some(seated) = seated {
                    *position = seated;
                    *cell = world.cell(seated.cell).map(|cell| cell.id());
                }
                self.lost = cell.is_none();
                let cell_changed =
                    (from != *cell).then(|| (from.unwrap_or_default(), cell.unwrap_or_default()));
                MoveResult { cell_changed, ..MoveResult::without_sweep(seated.is_some()) }
            }
        };
        Ok(Done { result, lists_entities: number < 0 })
    }

    fn line(&mut self, step: i64, done: Done) -> StepReport {
        let scene = &self.setting.scene;
        let mut line = match &self.body {
            Body::Object(key) => StepReport::of(scene, *key, step, &done.result),
            Body::Camera { position, sweeper, .. } => {
                StepReport::new(step, position).with_result(scene, sweeper, &done.result)
            }
        };
        self.lost |= line.lost;
        line.lost = self.lost;
        line.entity_shadow_cells = done.lists_entities.then(|| {
            let cells_of = |id: &u32| {
                let shadows = scene.entity_by_guid(*id).map_or(&[][..], |e| e.shadows());
                (*id, shadows.iter().map(|shadow| shadow.cell).collect())
            };
            self.entities.iter().map(cells_of).collect()
        });
        line
    }
}

impl StepReport {
    fn new(step: i64, position: &Position) -> StepReport {
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
        }
    }

    /// What the move did, and what its sweep touched if one was run.
    fn with_result(self, scene: &Scene, sweeper: &Sweeper, result: &MoveResult) -> StepReport {
        let cell_changed = result.cell_changed.map(|(from, to)| CellChange { from, to });
        let line = StepReport { ok: result.ok, cell_changed, ..self };
        if !result.swept {
            return line;
        }
        let log = &sweeper.outcome().log;
        StepReport {
            collision_normal: log.hit_valid.then(|| log.hit.into()),
            collided_env: log.hit_environment,
            collided_with: sweeper.touched().iter().filter_map(|&key| scene.get(key)?.guid).collect(),
            cell_array: sweeper.cells().ids().collect(),
            ..line
        }
    }

    /// An object as it is after its last move.
    pub fn of(scene: &Scene, key: EntityKey, step: i64, result: &MoveResult) -> StepReport {
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
        .with_result(scene, scene.last_sweep(), result)
    }
}
