//! Bodies that walk, jump and stand.

use super::{
    all,
    ray::{KINDS, target},
};
use crate::{
    entity::Entity,
    error::Fault,
    position::{PlaceArg, PlacesArg, Position, Rows},
    world::World,
};
use pyo3::prelude::*;
use threshold_dat::DatId;
use threshold_sim::{
    Area, Controls, Gait, Jump, JumpEnd, PathCheck, Skills, StopReason, Walker as SimWalker, WalkerBody,
};
use threshold_world::{CellId, Position as Place};

/// A body that walks or jumps.
#[pyclass(frozen, module = "threshold", from_py_object)]
#[derive(Clone, Copy)]
pub(crate) struct Body(SimWalker);

#[pymethods]
impl Body {
    #[new]
    #[pyo3(signature = (*, run = 200, jump = 200, burden = 0.0, slow = false, setup = None, scale = 1.0, like = None))]
    fn new(
        run: u32,
        jump: u32,
        burden: f32,
        slow: bool,
        setup: Option<u32>,
        scale: f32,
        like: Option<&Bound<'_, Entity>>,
    ) -> PyResult<Body> {
        if !(burden.is_finite() && burden >= 0.0) {
            return Err(Fault::argument("a burden is NaN, infinite or out of range").into());
        }
        let body = match (like, setup) {
            (Some(_), Some(_)) => {
                return Err(Fault::argument("pass either `like` or `setup`, not both").into());
            }
            (Some(entity), None) => WalkerBody::Entity(entity.get().key),
            (None, Some(setup)) => WalkerBody::Creature { setup: DatId(setup), scale },
            (None, None) => WalkerBody::Player,
        };
        let gait = if slow { Gait::Walk } else { Gait::Run };
        Ok(Body(SimWalker { body, skills: Skills { run, jump, burden }, gait }))
    }
}

pub(super) fn body(body: Option<Body>) -> SimWalker {
    body.map_or_else(SimWalker::default, |body| body.0)
}

/// The result of walking a path.
#[pyclass(frozen, get_all, module = "threshold")]
pub(crate) struct PathReport {
    /// Where the body was at the end.
    end: Position,
    /// Number of completed legs.
    legs: u32,
    /// `None` when every leg was completed, otherwise `'no room'`, `'blocked'`, `'other level'`, `'lost'` or `'too long'`.
    stop: Option<&'static str>,
    /// Kind of the obstacle: `'entity'`, `'room'`, `'shell'`, `'ground'`.
    blocker: Option<&'static str>,
    /// The object that blocks the path.
    blocking_entity: Option<u64>,
    /// Seconds walked.
    seconds: f32,
    /// Metres walked, seen from above.
    metres: f32,
    /// The deepest fall on the path, in metres.
    deepest_fall: f32,
}

#[pymethods]
impl PathReport {
    /// Whether every leg was completed.
    #[getter]
    fn holds(&self) -> bool {
        self.stop.is_none()
    }

    fn __repr__(&self) -> String {
        let how = self.stop.unwrap_or("holds");
        format!("<threshold.PathReport {how} after {} legs at {}>", self.legs, self.end.0)
    }
}

impl From<threshold_sim::PathReport> for PathReport {
    fn from(report: threshold_sim::PathReport) -> PathReport {
        let blocker = report.stop.and_then(|stop| stop.blocker).map(target);
        PathReport {
            end: Position(report.end),
            legs: report.legs,
            stop: report.stop.map(|stop| match stop.reason {
                StopReason::NoRoom => "no room",
                StopReason::Blocked => "blocked",
                StopReason::OtherLevel => "other level",
                StopReason::Lost => "lost",
                StopReason::TooLong => "too long",
            }),
            blocker: blocker.map(|(kind, ..)| KINDS[kind as usize]),
            blocking_entity: blocker.map(|(.., entity)| entity).filter(|&entity| entity != 0),
            seconds: report.seconds,
            metres: report.metres,
            deepest_fall: report.deepest_fall,
        }
    }
}

/// The result of a jump.
#[pyclass(frozen, get_all, module = "threshold")]
pub(crate) struct JumpReport {
    /// `'landed'`, `'no footing'`, `'lost'` or `'stuck'`.
    end: &'static str,
    /// Seconds in the air.
    seconds: f32,
    /// Metres from take-off to the highest point.
    height: f32,
    /// Metres from the highest point down to the end.
    fall: f32,
    /// Where it landed; `None` if it did not.
    landing: Option<Position>,
    /// Kind of the first thing that was hit in the air.
    bumped: Option<&'static str>,
    /// Positions of the body, tick by tick: an array of `POSITION`.
    arc: Py<PyAny>,
}

#[pymethods]
impl World {
    /// Moves a body along a path and reports how far it gets and what stops it.
    #[pyo3(signature = (begin, legs, body = None))]
    fn check_path(
        &self,
        py: Python<'_>,
        begin: PlaceArg,
        legs: PlacesArg,
        body: Option<Body>,
    ) -> PyResult<PathReport> {
        self.shared.run(py, |world| {
            let legs = legs.resolve(&world.sim)?;
            let path = PathCheck { walker: self::body(body), from: begin.resolve(&world.sim)?, legs: &legs };
            Ok(world.sim.check_path(&path)?.into())
        })
    }

    /// Like `check_path` for many paths, each beginning with its start, on all processors.
    #[pyo3(signature = (paths, body = None))]
    fn check_paths(
        &self,
        py: Python<'_>,
        paths: Vec<PlacesArg>,
        body: Option<Body>,
    ) -> PyResult<Vec<PathReport>> {
        self.shared.run(py, |world| {
            let walker = self::body(body);
            let paths: Result<Vec<Vec<Place>>, Fault> =
                paths.into_iter().map(|path| path.resolve(&world.sim)).collect();
            let paths = paths?;
            let checks = paths.iter().map(|path| match &path[..] {
                [from, legs @ ..] => Ok(PathCheck { walker, from: *from, legs }),
                [] => Err(Fault::argument("a path needs a start")),
            });
            let checks: Vec<PathCheck<'_>> = checks.collect::<Result<_, _>>()?;
            Ok(all(world.sim.check_paths(&checks))?.into_iter().map(PathReport::from).collect())
        })
    }

    /// Simulates a jump until the body lands.
    #[pyo3(signature = (begin, power = 1.0, *, forward = false, back = false, left = false, right = false, slow = false, body = None))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn simulate_jump(
        &self,
        py: Python<'_>,
        begin: PlaceArg,
        power: f32,
        forward: bool,
        back: bool,
        left: bool,
        right: bool,
        slow: bool,
        body: Option<Body>,
    ) -> PyResult<JumpReport> {
        let controls = Controls { forward, back, left, right, toggle_run: slow, ..Controls::default() };
        let report = self.shared.run(py, |world| {
            let from = begin.resolve(&world.sim)?;
            Ok(world.sim.simulate_jump(&Jump { walker: self::body(body), from, controls, power })?)
        })?;
        Ok(JumpReport {
            end: match report.end {
                JumpEnd::Landed => "landed",
                JumpEnd::NoFooting => "no footing",
                JumpEnd::Lost => "lost",
                JumpEnd::Stuck => "stuck",
            },
            seconds: report.seconds(),
            height: report.height,
            fall: report.fall,
            landing: report.landing().copied().map(Position),
            bumped: report.bumped.map(|bumped| KINDS[target(bumped).0 as usize]),
            arc: Rows::positions(&report.arc).into_array(py)?.unbind(),
        })
    }

    /// Where a body placed here comes to stand; `None` when there is no room or no ground.
    #[pyo3(signature = (place, body = None))]
    fn stand_at(&self, place: PlaceArg, body: Option<Body>) -> PyResult<Option<Position>> {
        self.shared.with(|world| {
            let place = place.resolve(&world.sim)?;
            Ok(world.sim.stand_at(&self::body(body), &place)?.map(Position))
        })
    }

    /// A random spot in a cell, or within a distance of a place, where a body can stand; the same seed gives the same spot.
    #[pyo3(signature = (area, metres = 10.0, seed = 0, body = None))]
    fn random_standable(
        &self,
        area: AreaArg,
        metres: f32,
        seed: u64,
        body: Option<Body>,
    ) -> PyResult<Option<Position>> {
        self.shared.with(|world| {
            let area = match area {
                AreaArg::Cell(cell) => Area::Cell(CellId(cell)),
                AreaArg::Around(place) => Area::Around { center: place.resolve(&world.sim)?, metres },
            };
            Ok(world.sim.random_standable(&self::body(body), area, seed)?.map(Position))
        })
    }
}

#[derive(FromPyObject)]
pub(crate) enum AreaArg {
    Cell(u32),
    Around(PlaceArg),
}
