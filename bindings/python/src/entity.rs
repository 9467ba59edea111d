//! Objects, doors, and players controlled by keys.

use crate::{
    error::Fault,
    position::{PlaceArg, Position, Rows},
    probe::{Hit, swept},
    shared::Shared,
    world::Inner,
};
use glam::Vec3;
use numpy::PyArray1;
use pyo3::prelude::*;
use std::sync::Arc;
use threshold_physics::{Placement, State};
use threshold_sim::{Controls, DoorChange, EntityKey, Skills, TICKS_PER_SECOND};

/// An object of a world. The number of a removed object is never reused.
#[pyclass(frozen, subclass, module = "threshold")]
pub(crate) struct Entity {
    pub(crate) world: Arc<Shared<Inner>>,
    pub(crate) key: EntityKey,
}

impl Entity {
    pub(crate) fn of(world: &Arc<Shared<Inner>>, keys: Vec<EntityKey>) -> Vec<Entity> {
        keys.into_iter().map(|key| Entity { world: world.clone(), key }).collect()
    }

    fn get<R>(&self, read: impl FnOnce(&threshold_physics::Entity) -> R) -> PyResult<R> {
        self.world.with(|world| Ok(read(world.sim.entity(self.key)?)))
    }
}

#[pymethods]
impl Entity {
    /// Its number in the world.
    #[getter]
    fn id(&self) -> u64 {
        self.key.id()
    }

    /// Game id; `None` when it has none.
    #[getter]
    fn guid(&self) -> PyResult<Option<u32>> {
        self.get(|entity| entity.guid)
    }

    /// Setup or GfxObj.
    #[getter]
    fn setup(&self) -> PyResult<u32> {
        self.get(|entity| entity.model.id.0)
    }

    #[getter]
    fn position(&self) -> PyResult<Position> {
        self.get(|entity| Position(entity.position))
    }

    /// State word of the game.
    #[getter]
    fn state(&self) -> PyResult<u32> {
        self.get(|entity| entity.state.bits())
    }

    #[setter]
    fn set_state(&self, state: u32) -> PyResult<()> {
        self.world
            .with(|world| Ok(world.sim.parts_mut().1.set_state(self.key, State::from_bits_retain(state))?))
    }

    /// Metres per second.
    #[getter]
    fn velocity(&self) -> PyResult<(f32, f32, f32)> {
        self.get(|entity| entity.velocity.into())
    }

    #[setter]
    fn set_velocity(&self, velocity: (f32, f32, f32)) -> PyResult<()> {
        let velocity = Vec3::from(velocity);
        self.world.with(|world| {
            if !velocity.is_finite() {
                return Err(Fault::argument("a velocity is NaN, infinite or out of range"));
            }
            Ok(world.sim.parts_mut().1.set_velocity(self.key, velocity)?)
        })
    }

    #[getter]
    fn scale(&self) -> PyResult<f32> {
        self.get(|entity| entity.scale)
    }

    /// Height in metres.
    #[getter]
    fn height(&self) -> PyResult<f32> {
        self.get(|entity| entity.model.height * entity.scale)
    }

    /// Radius in metres.
    #[getter]
    fn radius(&self) -> PyResult<f32> {
        self.get(|entity| entity.model.radius * entity.scale)
    }

    /// Whether it stands on walkable ground.
    #[getter]
    fn stands(&self) -> PyResult<bool> {
        self.get(|entity| entity.transient.bits() & 3 == 3)
    }

    /// `'open'`, `'closed'`, or `None` when it is not a door.
    #[getter]
    fn door(&self) -> PyResult<Option<&'static str>> {
        self.world.with(|world| {
            world.sim.entity(self.key)?;
            Ok(world.sim.door(self.key).map(|door| if door.open { "open" } else { "closed" }))
        })
    }

    /// Cells in which it is registered and can be hit.
    #[getter]
    fn shadow_cells<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let cells: Vec<u32> = self.get(|entity| {
            let joined = entity.shadows().iter().filter(|shadow| shadow.is_joined());
            joined.map(|shadow| shadow.cell.0).collect()
        })?;
        Ok(PyArray1::from_vec(py, cells))
    }

    /// Uses it as a player would: `'open'`, `'closed'` or `'blocked'` for a door, else `None`.
    #[pyo3(name = "use")]
    fn use_it(&self) -> PyResult<Option<&'static str>> {
        self.world.with(|world| {
            world.sim.entity(self.key)?;
            Ok(world.sim.use_object(self.key)?.map(|change| match change {
                DoorChange::Opened => "open",
                DoorChange::Closed => "closed",
                DoorChange::Blocked => "blocked",
            }))
        })
    }

    /// Places it, using the original's search for a free spot: `'placed'`, `'no room'`, `'no cell'`, `'collided'`.
    #[pyo3(name = "place")]
    fn put(&self, place: PlaceArg) -> PyResult<&'static str> {
        self.world.with(|world| {
            let place = place.resolve(&world.sim)?;
            Ok(match world.sim.place(self.key, &place)? {
                Placement::Placed => "placed",
                Placement::NoValidPosition => "no room",
                Placement::NoCell => "no cell",
                Placement::Collided => "collided",
            })
        })
    }

    /// Sweeps it from its position, with its own body and footing, without moving it. Returns a row of `SWEPT`.
    fn sweep<'py>(&self, py: Python<'py>, to: PlaceArg) -> PyResult<Bound<'py, PyAny>> {
        let answer = self.world.with(|world| {
            let to = to.resolve(&world.sim)?;
            Ok(world.sim.sweep_entity(self.key, &to)?)
        })?;
        swept(&[answer]).into_array(py)?.get_item(0)
    }

    /// Removes it from the world.
    fn despawn(&self) -> PyResult<()> {
        self.world.with(|world| Ok(world.sim.despawn(self.key)?))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Entity>()
            .is_ok_and(|other| other.get().key == self.key && Arc::ptr_eq(&other.get().world, &self.world))
    }

    fn __hash__(&self) -> u64 {
        self.key.id()
    }

    fn __repr__(&self) -> String {
        format!("<threshold.Entity {:#x}>", self.key.id())
    }
}

/// A player controlled by keys.
#[pyclass(frozen, extends = Entity, module = "threshold")]
pub(crate) struct Walker;

impl Walker {
    pub(crate) fn spawn(
        py: Python<'_>,
        world: &Arc<Shared<Inner>>,
        place: &PlaceArg,
        skills: Skills,
    ) -> PyResult<Py<Walker>> {
        let key = world.run(py, |world| {
            if !(skills.burden.is_finite() && skills.burden >= 0.0) {
                return Err(Fault::argument("a burden is NaN, infinite or out of range"));
            }
            let place = place.resolve(&world.sim)?;
            Ok(world.sim.spawn_player_with(place, skills)?)
        })?;
        let entity = Entity { world: world.clone(), key };
        Py::new(py, PyClassInitializer::from(entity).add_subclass(Walker))
    }
}

#[pymethods]
impl Walker {
    #[new]
    #[pyo3(signature = (world, place, *, run = 200, jump = 200, burden = 0.0))]
    fn new(
        py: Python<'_>,
        world: &Bound<'_, crate::world::World>,
        place: PlaceArg,
        run: u32,
        jump: u32,
        burden: f32,
    ) -> PyResult<Py<Walker>> {
        Walker::spawn(py, &world.get().shared, &place, Skills { run, jump, burden })
    }

    /// Holds keys until the next call.
    #[pyo3(signature = (*, forward = false, back = false, left = false, right = false, turn_left = false, turn_right = false, slow = false, jump = false))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn drive(
        slf: &Bound<'_, Self>,
        forward: bool,
        back: bool,
        left: bool,
        right: bool,
        turn_left: bool,
        turn_right: bool,
        slow: bool,
        jump: bool,
    ) -> PyResult<()> {
        let controls = Controls { forward, back, left, right, turn_left, turn_right, toggle_run: slow, jump };
        let entity = slf.as_super().get();
        entity.world.with(|world| Ok(world.sim.control(entity.key, controls)?))
    }

    /// Holds keys for some seconds, then releases them. Returns the position after every tick as an array of `POSITION`.
    #[pyo3(signature = (seconds, *, forward = true, back = false, left = false, right = false, turn_left = false, turn_right = false, slow = false, jump = false))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn walk<'py>(
        slf: &Bound<'py, Self>,
        seconds: f64,
        forward: bool,
        back: bool,
        left: bool,
        right: bool,
        turn_left: bool,
        turn_right: bool,
        slow: bool,
        jump: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let controls = Controls { forward, back, left, right, turn_left, turn_right, toggle_run: slow, jump };
        let (py, entity) = (slf.py(), slf.as_super().get());
        let way = entity.world.run(py, |world| {
            if !(0.0..=threshold_sim::MAX_ADVANCE).contains(&seconds) {
                return Err(Fault::argument(format!("cannot advance by {seconds} seconds in one call")));
            }
            let sim = &mut world.sim;
            sim.control(entity.key, controls)?;
            let ticks = (seconds * TICKS_PER_SECOND as f64).round() as u32;
            let mut way = Vec::new();
            for _ in 0..ticks {
                sim.advance(f64::from(threshold_sim::TICK))?;
                way.push(sim.position(entity.key)?);
            }
            sim.control(entity.key, Controls::default())?;
            Ok(way)
        })?;
        Rows::positions(&way).into_array(py)
    }

    /// Turns right, and its camera up, by degrees.
    #[pyo3(signature = (right, up = 0.0))]
    fn look(slf: &Bound<'_, Self>, right: f32, up: f32) -> PyResult<()> {
        let entity = slf.as_super().get();
        entity.world.with(|world| Ok(world.sim.look(entity.key, right, up)?))
    }

    /// Teleports to a place; it is placed there as soon as the place is loaded.
    fn teleport(slf: &Bound<'_, Self>, place: PlaceArg) -> PyResult<()> {
        let entity = slf.as_super().get();
        entity.world.run(slf.py(), |world| {
            let place = place.resolve(&world.sim)?;
            Ok(world.sim.teleport(entity.key, place)?)
        })
    }

    /// The first thing in a direction from its camera, in the coordinates of the camera's block.
    fn pick(slf: &Bound<'_, Self>, direction: (f32, f32, f32)) -> PyResult<Option<Hit>> {
        let (entity, direction) = (slf.as_super().get(), Vec3::from(direction));
        entity.world.with(|world| {
            if !direction.is_finite() {
                return Err(Fault::argument("a direction is NaN, infinite or out of range"));
            }
            Ok(world.sim.pick(entity.key, direction)?.map(Hit::from))
        })
    }

    fn __repr__(slf: &Bound<'_, Self>) -> String {
        format!("<threshold.Walker {:#x}>", slf.as_super().get().key.id())
    }
}
