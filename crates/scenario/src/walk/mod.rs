//! Playing a scenario.

mod columns;
mod command;
mod detached;
mod planned;
mod report;

pub use columns::{
    CommandsColumn, EntityColumns, InterpolationColumn, MotionColumn, MotionColumns, MoveToColumn,
};
pub use detached::{Detached, DetachedReport};
pub use report::{CellChange, StepReport};

use super::{
    cast::{spawn_script_entity, spawn_script_mover, unload},
    error::ScenarioError,
    format::{PlaceSpec, Scenario, Script, ScriptMover, Step},
};
use columns::Told;
use planned::{Planned, Way};
use report::SweepNote;
use serde::Serialize;
use threshold_physics::{
    EntityKey, Event, MoveResult, PlaceOptions, Placement, Scene, SceneError, Sweeper,
    scene::{CAMERA_SPHERE, Viewer},
    sweep::SweepInput,
};
use threshold_sim::{Scenery, SimError, Simulation};
use threshold_world::{CellId, Frame, Position};

/// Time at which a walk begins, in seconds.
const BEGINNING: f64 = 1000.0;

/// What the mover is: an object of the scene, or the camera, which is not one.
enum Body {
    Object(EntityKey),
    Camera { position: Position, cell: Option<CellId>, sweeper: Box<Sweeper> },
}

/// An object that is updated in every tick.
struct Live {
    id: u32,
    /// None once it was taken out.
    key: Option<EntityKey>,
}

/// A scenario being played in a simulation.
pub struct Walk<'s> {
    sim: &'s mut Simulation,
    mover: ScriptMover,
    entities: Vec<u32>,
    /// By id.
    live: Vec<Live>,
    body: Body,
    steps: Vec<Planned>,
    next: i64,
    lost: bool,
    start: Option<PlaceSpec>,
    /// What lines tell of motion; `None` when the scenario has nothing to do with it.
    motion: Option<MotionLines>,
    /// What happened in the last step, if that is written down.
    events: Vec<Event>,
}

/// What lines tell of motion.
#[derive(Clone, Copy)]
struct MotionLines {
    with_parts: bool,
}

/// Whether a step is written down.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Writing {
    Line,
    Nothing,
}

/// What a step did, before it is written down.
struct Done {
    result: MoveResult,
    lists_entities: bool,
    /// What the mover's sweep met, when others have swept since.
    note: Option<Box<SweepNote>>,
    code: Option<u32>,
}

impl Done {
    /// Something else than the mover was changed.
    fn aside() -> Done {
        Done { lists_entities: true, ..Done::from(MoveResult::without_sweep(true)) }
    }
}

/// Whether a step found a valid position.
struct Found(bool);

impl From<MoveResult> for Found {
    #[inline(always)]
    fn from(result: MoveResult) -> Found {
        Found(result.ok)
    }
}

impl From<Done> for Found {
    #[inline(always)]
    fn from(done: Done) -> Found {
        Found(done.result.ok)
    }
}

impl From<MoveResult> for Done {
    fn from(result: MoveResult) -> Done {
        Done { result, lists_entities: false, note: None, code: None }
    }
}

/// A step asks the camera for what only objects do.
fn camera_is_still(number: i64) -> ScenarioError {
    let problem = "the camera has no physics of its own";
    ScenarioError::BadStep { field: format!("steps[{number}]"), problem }
}

impl<'s> Walk<'s> {
    /// Clears the simulation, unloads what the scenario lists as unloaded, and spawns its objects and its mover.
    pub fn begin(sim: &'s mut Simulation, scenario: Scenario) -> Result<Walk<'s>, ScenarioError> {
        sim.clear();
        sim.set_scenery(if scenario.scenery { Scenery::Grown } else { Scenery::Absent })?;
        sim.advance_clock(BEGINNING).map_err(SimError::from)?;
        unload(sim, &scenario.unloaded)?;
        let motion = scenario.has_motion().then_some(MotionLines { with_parts: scenario.parts });
        let mut live = Vec::new();
        for (i, entity) in scenario.entities.iter().enumerate() {
            let key = spawn_script_entity(sim, entity, &format!("entities[{i}]"))?;
            if entity.motion_table.is_some() {
                live.push(Live { id: entity.body.id, key: Some(key) });
            }
        }
        live.sort_by_key(|live| live.id);
        let position = scenario.start.position();
        let body = if scenario.mover.body.viewer {
            Body::Camera { position, cell: None, sweeper: Box::default() }
        } else {
            let mover = spawn_script_mover(sim, &scenario.mover, position);
            Body::Object(mover.map_err(|error| error.placed_by("start"))?)
        };
        Ok(Walk {
            sim,
            mover: scenario.mover,
            entities: scenario.entities.iter().map(|entity| entity.body.id).collect(),
            live,
            body,
            steps: scenario.steps.into_iter().map(Planned::from).collect(),
            next: -1,
            lost: false,
            start: Some(scenario.start),
            motion,
            events: Vec::new(),
        })
    }

    /// The mover, when it is an object.
    pub fn mover(&self) -> Option<EntityKey> {
        match self.body {
            Body::Object(key) => Some(key),
            Body::Camera { .. } => None,
        }
    }

    /// The simulation.
    pub fn simulation(&self) -> &Simulation {
        self.sim
    }

    fn scene_mut(&mut self) -> &mut Scene {
        self.sim.parts_mut().1
    }

    /// Plays the placement or the next step; `None` at the end, and after the mover was lost.
    pub fn next_line(&mut self) -> Option<Result<StepReport, ScenarioError>> {
        let number = self.next;
        let done = self.next_step::<Done>(Writing::Line)?;
        self.events.clear();
        self.events.extend(self.sim.parts_mut().1.drain_events());
        Some(done.map(|done| self.line(number, done)))
    }

    /// Like [`Walk::next_line`], but returns only whether a valid position was found. For benchmarks: no line is made, so
    /// nothing is allocated for it.
    pub fn advance(&mut self) -> Option<Result<bool, ScenarioError>> {
        let found = self.next_step::<Found>(Writing::Nothing)?;
        self.scene_mut().drain_events();
        self.lost |=
            self.mover().is_some_and(|key| self.sim.scene().get(key).is_none_or(|e| e.cell.is_none()));
        Some(found.map(|Found(found)| found))
    }

    #[inline(always)]
    fn next_step<T: From<MoveResult> + From<Done>>(
        &mut self,
        writing: Writing,
    ) -> Option<Result<T, ScenarioError>> {
        if self.lost {
            return None;
        }
        let number = self.next;
        if let Some(start) = self.start.take() {
            self.next += 1;
            return Some(self.enter(&start).map(T::from));
        }
        let planned = self.steps.get(number as usize)?;
        self.next += 1;
        Some(match planned {
            &Planned::Sweep(way) => self.sweep(&way, number),
            &Planned::Tick(seconds) => self.tick(seconds, number, writing),
            Planned::Other(step) => {
                let step = step.clone();
                self.play(&step, number, writing).map(T::from)
            }
        })
    }

    /// Sweeps the mover.
    fn sweep<T: From<MoveResult>>(&mut self, way: &Way, number: i64) -> Result<T, ScenarioError> {
        let position = self.position();
        let mut target = position;
        target.frame.origin += way.offset;
        if let Some(rotation) = way.rotation {
            target.frame = Frame::new(target.frame.origin, rotation);
        }
        self.sim.reach(&position, &target)?;
        match self.move_to(&target) {
            Ok(result) => Ok(result.into()),
            Err(source) => Err(ScenarioError::Scene { field: format!("steps[{number}].move"), source }),
        }
    }

    /// Puts the mover where it begins. Spec: entities §1.4.6.
    #[inline(never)]
    fn enter(&mut self, start: &PlaceSpec) -> Result<Done, ScenarioError> {
        let result = self.place(start, "start", Existence::Required)?;
        if let (Some(key), true) = (self.mover(), result.ok) {
            let entered = self.scene_mut().enter_world(key);
            entered.map_err(|source| ScenarioError::Scene { field: "start".into(), source })?;
            if self.mover.skills().is_some() {
                self.scene_mut().set_viewers([Viewer::Object(key)]);
            }
        }
        if self.motion.is_some() {
            // Recordings of motion begin when everybody stands in the world.
            self.scene_mut().drain_events();
            let cell_changed = result.cell_changed;
            let entered = MoveResult { cell_changed, ..MoveResult::without_sweep(result.ok) };
            return Ok(Done { lists_entities: true, ..Done::from(entered) });
        }
        Ok(Done { lists_entities: true, ..Done::from(result) })
    }

    #[inline(never)]
    fn play(&mut self, step: &Step, number: i64, writing: Writing) -> Result<Done, ScenarioError> {
        let field = |name: &str| format!("steps[{number}].{name}");
        let refused = |name: &str, source| ScenarioError::Scene { field: field(name), source };
        if let Some(problem) = step.problem() {
            return Err(ScenarioError::BadStep { field: format!("steps[{number}]"), problem });
        }
        if self.mover().is_none() && (step.command.is_some() || step.tick.is_some()) {
            return Err(camera_is_still(number));
        }
        let object = match step.object {
            0 => self.mover(),
            id => Some(self.object(id, || field("object"))?),
        };
        if let (Some(velocity), Some(key)) = (step.velocity, object) {
            let result = self.scene_mut().set_velocity(key, velocity.into());
            result.map_err(|source| refused("velocity", source))?;
        }
        if let Some(way) = Way::of(step) {
            return self.sweep(&way, number);
        }
        let code = match (&step.command, object) {
            (Some(command), Some(key)) => Some(self.command(key, command, number)?),
            _ => None,
        };
        let mut done = self.change(step, number)?;
        if let Some(seconds) = step.tick {
            let ticked = self.tick::<Done>(seconds, number, writing)?;
            done = Done { lists_entities: done.lists_entities, ..ticked };
        }
        Ok(Done { code, ..done })
    }

    /// The object with an id; 0 is the mover.
    fn object(&self, id: u32, field: impl FnOnce() -> String) -> Result<EntityKey, ScenarioError> {
        let key = if id == 0 { self.mover() } else { self.sim.scene().key_of(id) };
        key.ok_or_else(|| ScenarioError::NoEntity { field: field(), id })
    }

    /// Teleports, changes a state, or moves or removes an object.
    fn change(&mut self, step: &Step, number: i64) -> Result<Done, ScenarioError> {
        let field = |name: &str| format!("steps[{number}].{name}");
        let refused = |name: &str, source| ScenarioError::Scene { field: field(name), source };
        if let Some(place) = &step.teleport {
            if step.object == 0 {
                return self.teleport(place, &field("teleport"));
            }
            let key = self.object(step.object, || field("teleport"))?;
            let result = self.scene_mut().prepare_teleport(key);
            result.map_err(|source| refused("teleport", source))?;
            self.place_object(key, place, &field("teleport"))?;
            return Ok(MoveResult::without_sweep(true).into());
        }
        if let Some(set) = &step.set_state {
            let key = match (set.entity.unwrap_or(0), &self.body) {
                (0, Body::Camera { .. }) => {
                    self.mover.body.state = set.state;
                    return Ok(Done::aside());
                }
                (id, _) => self.object(id, || field("set_state"))?,
            };
            let result = self.scene_mut().set_state(key, set.state.0);
            result.map_err(|source| refused("set_state", source))?;
            return Ok(Done::aside());
        }
        if let Some(place) = &step.place_entity {
            let key = self.object(place.entity, || field("place_entity"))?;
            let position = place.place.position();
            self.sim.reach(&position, &position)?;
            let (world, scene) = self.sim.parts_mut();
            let result = scene.update_position(world, key, position);
            result.map_err(|source| refused("place_entity", source))?;
            return Ok(Done::aside());
        }
        if let Some(remove) = &step.remove_entity {
            let id = remove.entity;
            let key = self.sim.scene().key_of(id).filter(|key| Some(*key) != self.mover());
            let key = key.ok_or_else(|| ScenarioError::NoEntity { field: field("remove_entity"), id })?;
            let (world, scene) = self.sim.parts_mut();
            scene.despawn(world, key).map_err(|source| refused("remove_entity", source))?;
            for live in self.live.iter_mut().filter(|live| live.id == id) {
                live.key = None;
            }
            return Ok(Done::aside());
        }
        Ok(MoveResult::without_sweep(true).into())
    }

    /// A tick for the mover, then for everything else that moves by itself.
    fn tick<T: From<Done>>(
        &mut self,
        seconds: f32,
        number: i64,
        writing: Writing,
    ) -> Result<T, ScenarioError> {
        let Some(mover) = self.mover() else { return Err(camera_is_still(number)) };
        let position = self.position();
        self.sim.reach(&position, &position)?;
        let mut ticked = || {
            self.sim.advance_clock(seconds.into())?;
            let (world, scene) = self.sim.parts_mut();
            let mut note = None;
            let result = scene.update_watched(world, mover, &mut |swept| {
                note = (writing == Writing::Line).then(|| Box::new(SweepNote::of(swept)));
            })?;
            if self.mover.skills().is_some() && !self.live.is_empty() {
                // What is near the player is decided when it has its turn.
                scene.set_viewers([Viewer::Object(mover)]);
            }
            for key in self.live.iter().filter_map(|live| live.key) {
                scene.update(world, key)?;
            }
            Ok(T::from(Done { note, ..Done::from(result) }))
        };
        ticked().map_err(|source| ScenarioError::Scene { field: format!("steps[{number}].tick"), source })
    }

    fn position(&self) -> Position {
        match &self.body {
            Body::Object(key) => self.sim.scene().get(*key).map(|e| e.position).unwrap_or_default(),
            Body::Camera { position, .. } => *position,
        }
    }

    fn move_to(&mut self, target: &Position) -> Result<MoveResult, SceneError> {
        let (world, scene) = self.sim.parts_mut();
        match &mut self.body {
            Body::Object(key) => scene.move_to(world, *key, target, None),
            Body::Camera { position, cell, sweeper } => {
                let mover = self.mover.body.camera();
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
                Ok(MoveResult { ok: outcome.ok, swept: true, cell_changed })
            }
        }
    }

    /// Takes the mover elsewhere. An object that is sent out of the world is lost there, as in the original.
    fn teleport(&mut self, place: &PlaceSpec, field: &str) -> Result<Done, ScenarioError> {
        let existence = match self.body {
            Body::Object(key) => {
                // Recordings of sweeps alone were made without what precedes a teleport.
                if self.motion.is_some() {
                    let result = self.scene_mut().prepare_teleport(key);
                    result.map_err(|source| ScenarioError::Scene { field: field.into(), source })?;
                }
                Existence::Optional
            }
            Body::Camera { .. } => Existence::Required,
        };
        self.place(place, field, existence).map(Done::from)
    }

    /// Puts the mover somewhere.
    fn place(
        &mut self,
        place: &PlaceSpec,
        field: &str,
        existence: Existence,
    ) -> Result<MoveResult, ScenarioError> {
        let at = place.position();
        self.sim.reach(&at, &at)?;
        if existence == Existence::Required && !self.sim.has_loaded(at.cell) {
            return Err(ScenarioError::NoCell { field: field.into(), cell: at.cell });
        }
        let Body::Camera { position, cell, .. } = &mut self.body else {
            let mover = self.object(0, || field.into())?;
            return self.place_object(mover, place, field);
        };
        let seated = self.sim.world().reseat(&at, CAMERA_SPHERE.center);
        let from = *cell;
        if let Some(seated) = seated {
            *position = seated;
            *cell = self.sim.world().cell(seated.cell).map(|cell| cell.id());
        }
        self.lost = cell.is_none();
        let cell_changed = (from != *cell).then(|| (from.unwrap_or_default(), cell.unwrap_or_default()));
        Ok(MoveResult { cell_changed, ..MoveResult::without_sweep(seated.is_some()) })
    }

    /// Puts an object somewhere, with the search for room that the place asks for.
    fn place_object(
        &mut self,
        key: EntityKey,
        place: &PlaceSpec,
        field: &str,
    ) -> Result<MoveResult, ScenarioError> {
        let at = place.position();
        self.sim.reach(&at, &at)?;
        let (world, scene) = self.sim.parts_mut();
        let options = PlaceOptions::default().slide(place.slide.unwrap_or(true));
        let placed = scene.place(world, key, &at, options);
        let refused = |source| ScenarioError::Scene { field: field.into(), source };
        let (placement, result) = placed.map_err(refused)?;
        Ok(MoveResult { ok: placement == Placement::Placed, ..result })
    }

    fn line(&mut self, step: i64, done: Done) -> StepReport {
        let scene = self.sim.scene();
        let mut line = match &self.body {
            Body::Object(key) => match done.note {
                Some(note) => note.report(scene, StepReport::unswept(scene, *key, step), &done.result),
                None => StepReport::of(scene, *key, step, &done.result),
            },
            Body::Camera { position, sweeper, .. } => {
                StepReport::new(step, position).with_result(scene, sweeper, &done.result)
            }
        };
        self.lost |= line.lost;
        line.lost = self.lost;
        line.result = done.code;
        if let Some(MotionLines { with_parts }) = self.motion {
            let told = Told { events: &self.events, with_parts };
            line.motion = self.mover().and_then(|key| MotionColumns::of(scene, key, &told)).map(Box::new);
            let columns = |key| EntityColumns::of(scene, key, &told).map(Box::new);
            line.entities = self.live.iter().map(|live| (live.id, live.key.and_then(columns))).collect();
        }
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

/// Whether the cell of a place must be one of the world.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Existence {
    Required,
    Optional,
}

/// A line of either kind of scenario.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum ReportLine {
    /// In a world.
    World(Box<StepReport>),
    /// A motion table without a world.
    Detached(Box<DetachedReport>),
}

impl ReportLine {
    /// Number of the step; −1 for the beginning.
    pub fn step(&self) -> i64 {
        match self {
            ReportLine::World(line) => line.step,
            ReportLine::Detached(line) => line.step,
        }
    }
}

/// A scenario of either kind being played.
#[allow(clippy::large_enum_variant, reason = "there is one at a time")]
pub enum Playing<'s> {
    /// In a world.
    World(Walk<'s>),
    /// A motion table without a world.
    Detached(Detached),
}

impl<'s> Playing<'s> {
    /// Begins a scenario.
    pub fn begin(sim: &'s mut Simulation, script: Script) -> Result<Playing<'s>, ScenarioError> {
        match script {
            Script::World(scenario) => Walk::begin(sim, scenario).map(Playing::World),
            Script::Detached(scenario) => Detached::begin(sim.library(), scenario).map(Playing::Detached),
        }
    }

    /// Plays the beginning or the next step; `None` at the end, and after the mover was lost.
    pub fn next_line(&mut self) -> Option<Result<ReportLine, ScenarioError>> {
        match self {
            Playing::World(walk) => Some(walk.next_line()?.map(|line| ReportLine::World(Box::new(line)))),
            Playing::Detached(detached) => Some(Ok(ReportLine::Detached(Box::new(detached.next_line()?)))),
        }
    }
}
