//! Queries: nothing in the world changes.

use crate::{
    entity::Entity,
    error::Fault,
    position::{PlaceArg, PlacesArg, Position, Rows},
    world::World,
};
use glam::Vec3;
use numpy::PyArray1;
use pyo3::prelude::*;
use threshold_dat::DatId;
use threshold_physics::cast::{Blockers, Cast};
use threshold_sim::{
    Area, Controls, Gait, Jump, JumpEnd, PathCheck, PathRequest, Sight, SimError, Simulation, Skills,
    SphereKind, SphereSweep, Spot, StopReason, Swept, Target, Walker as SimWalker, WalkerBody,
    nav::{self, DoorPolicy, Policy, Unreachable},
};
use threshold_world::{CellId, Frame, Position as Place};

/// The first thing that a ray hit.
#[pyclass(frozen, get_all, module = "threshold")]
pub(crate) struct Hit {
    /// `'entity'`, `'room'`, `'shell'` or `'ground'`.
    kind: &'static str,
    /// The object's number, if it hit one.
    entity: Option<u64>,
    /// The cell of a room, shell or ground.
    cell: Option<u32>,
    /// Metres from the start of the ray.
    distance: f32,
    /// Where.
    position: Position,
}

#[pymethods]
impl Hit {
    fn __repr__(&self) -> String {
        format!("<threshold.Hit {} after {:.3} m at {}>", self.kind, self.distance, self.position.0)
    }
}

impl From<threshold_sim::Hit> for Hit {
    fn from(hit: threshold_sim::Hit) -> Hit {
        let (kind, cell, entity) = target(hit.target);
        Hit {
            kind: KINDS[kind as usize],
            entity: (entity != 0).then_some(entity),
            cell: (cell != 0).then_some(cell),
            distance: hit.distance,
            position: Position(Place::new(hit.cell, Frame::at(hit.point))),
        }
    }
}

const KINDS: [&str; 5] = ["nothing", "entity", "room", "shell", "ground"];

/// Kind, cell and object, as in arrays.
fn target(target: Target) -> (u32, u32, u64) {
    match target {
        Target::Entity(key) => (1, 0, key.id()),
        Target::Room(cell) => (2, cell.0, 0),
        Target::Shell(cell) => (3, cell.0, 0),
        Target::Ground(cell) => (4, cell.0, 0),
    }
}

fn hits(hits: impl IntoIterator<Item = Option<threshold_sim::Hit>>) -> Rows {
    let mut rows = Rows::new("HIT");
    for hit in hits {
        let (kind, cell, entity) = hit.map_or((0, 0, 0), |hit| target(hit.target));
        let point = hit.map_or(Vec3::ZERO, |hit| hit.point);
        rows.word(kind);
        rows.word(cell);
        rows.long(entity);
        rows.floats(&[hit.map_or(0.0, |hit| hit.distance), point.x, point.y, point.z]);
        rows.word(hit.map_or(0, |hit| hit.cell.0));
        rows.word(0);
    }
    rows
}

pub(crate) fn swept(answers: &[Swept]) -> Rows {
    let mut rows = Rows::new("SWEPT");
    for answer in answers {
        let (kind, cell, entity) = answer.hit.map_or((0, 0, 0), |hit| target(hit.target));
        let normal = answer.hit.map_or(Vec3::ZERO, |hit| hit.normal);
        rows.position(&answer.position);
        rows.word(answer.is_valid.into());
        rows.floats(&[answer.remaining]);
        rows.word(kind);
        rows.word(cell);
        rows.long(entity);
        rows.floats(&normal.to_array());
        rows.word(0);
    }
    rows
}

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

fn body(body: Option<Body>) -> SimWalker {
    body.map_or_else(SimWalker::default, |body| body.0)
}

/// A route, or how near to the goal one can get.
#[pyclass(frozen, get_all, module = "threshold")]
pub(crate) struct Route {
    /// Why there is no route; `None` if there is one.
    why: Option<String>,
    /// Whether a body has walked every leg of it.
    proved: bool,
    /// Length in metres, seen from above.
    length: f32,
    /// Where its legs end, the start first and the goal last.
    waypoints: Vec<Position>,
    /// Game ids of the closed doors on the route, in order.
    doors: Vec<u32>,
    /// Cells that it passes through, in order.
    cells: Vec<u32>,
    /// Portals that it takes, in order: the game id, and the number of the waypoint that lies in the portal.
    portals: Vec<(u32, u32)>,
    /// The place nearest to the goal that can be reached.
    nearest: Position,
    /// Metres from there to the goal, seen from above.
    gap: f32,
}

impl Route {
    fn new(found: Result<nav::Route, Unreachable>, goal: Place) -> Route {
        let none = Route {
            why: None,
            proved: false,
            length: 0.0,
            waypoints: Vec::new(),
            doors: Vec::new(),
            cells: Vec::new(),
            portals: Vec::new(),
            nearest: Position(goal),
            gap: 0.0,
        };
        match found {
            Ok(route) => Route {
                proved: route.proved,
                length: route.length,
                waypoints: route.waypoints.into_iter().map(Position).collect(),
                doors: route.doors,
                cells: route.cells.iter().map(|cell| cell.0).collect(),
                portals: route.passages.iter().map(|passage| (passage.portal, passage.waypoint)).collect(),
                ..none
            },
            Err(end) => {
                Route { why: Some(end.why.to_string()), nearest: Position(end.nearest), gap: end.gap, ..none }
            }
        }
    }
}

#[pymethods]
impl Route {
    /// Whether there is a route.
    #[getter]
    fn reachable(&self) -> bool {
        self.why.is_none()
    }

    fn __repr__(&self) -> String {
        match &self.why {
            None => {
                format!("<threshold.Route of {:.1} m, {} legs>", self.length, self.waypoints.len().max(1) - 1)
            }
            Some(why) => format!("<threshold.Route: {why}>"),
        }
    }
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

/// An end of a line of sight, as callers may say it.
pub(crate) enum SpotArg {
    Entity(threshold_sim::EntityKey),
    At(PlaceArg),
}

impl<'py> FromPyObject<'_, 'py> for SpotArg {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<SpotArg> {
        match object.cast::<Entity>() {
            Ok(entity) => Ok(SpotArg::Entity(entity.get().key)),
            Err(_) => Ok(SpotArg::At(object.extract()?)),
        }
    }
}

impl SpotArg {
    fn resolve(&self, sim: &Simulation) -> Result<Spot, Fault> {
        match self {
            SpotArg::Entity(key) => Ok((*key).into()),
            SpotArg::At(place) => Ok(place.resolve(sim)?.into()),
        }
    }
}

fn blockers(name: &str) -> Result<Blockers, Fault> {
    match name {
        "everything" => Ok(Blockers::Everything),
        "solid" => Ok(Blockers::Solid),
        "environment" => Ok(Blockers::Environment),
        other => Err(Fault::argument(format!(
            "there are no blockers '{other}': 'everything', 'solid' or 'environment'"
        ))),
    }
}

fn sphere_kind(name: &str) -> Result<SphereKind, Fault> {
    match name {
        "camera" => Ok(SphereKind::Camera),
        "missile" => Ok(SphereKind::Missile),
        "slide" => Ok(SphereKind::Slide),
        other => {
            Err(Fault::argument(format!("unknown kind '{other}'; expected 'camera', 'missile' or 'slide'")))
        }
    }
}

fn cast(from: Place, direction: Vec3, reach: f32, blockers: Blockers) -> Result<Cast<'static>, Fault> {
    if !direction.is_finite() || reach.is_nan() || reach < 0.0 {
        return Err(Fault::argument("the direction or reach of a ray is NaN, infinite or out of range"));
    }
    Ok(Cast { from, direction, reach, blockers, ignored: &[] })
}

/// Every answer of a batch; a refusal says which one it is.
fn all<T>(answers: Vec<Result<T, SimError>>) -> Result<Vec<T>, Fault> {
    let answers = answers.into_iter().enumerate();
    let answers = answers.map(|(index, answer)| {
        answer.map_err(|error| match Fault::from(error) {
            Fault::Argument(message) => Fault::Argument(format!("entry {index}: {message}")),
            Fault::NotFound(message) => Fault::NotFound(format!("entry {index}: {message}")),
            other => other,
        })
    });
    answers.collect()
}

fn same_length(a: usize, b: usize) -> Result<(), Fault> {
    if a != b {
        return Err(Fault::argument(format!(
            "{a} starts and {b} ends; the arrays must have the same length"
        )));
    }
    Ok(())
}

fn cells(py: Python<'_>, found: Vec<CellId>) -> Bound<'_, PyArray1<u32>> {
    PyArray1::from_vec(py, found.into_iter().map(|cell| cell.0).collect())
}

#[pymethods]
impl World {
    /// The height of the land at a place; `None` where no land is loaded.
    fn ground_height(&self, place: PlaceArg) -> PyResult<Option<f32>> {
        self.shared.with(|world| Ok(world.sim.ground_height(&place.resolve(&world.sim)?)))
    }

    /// The ground, floor or solid object under a point.
    fn ground(&self, place: PlaceArg) -> PyResult<Option<Hit>> {
        self.shared.with(|world| Ok(world.sim.ground_under(&place.resolve(&world.sim)?).map(Hit::from)))
    }

    /// The ceiling or solid object over a point.
    fn ceiling(&self, place: PlaceArg) -> PyResult<Option<Hit>> {
        self.shared.with(|world| Ok(world.sim.ceiling_over(&place.resolve(&world.sim)?).map(Hit::from)))
    }

    /// Finds the cell of a position from an outside source; `None` when no cell contains it.
    #[pyo3(signature = (place, reference = (0.0, 0.0, 0.0)))]
    fn reseat(&self, place: PlaceArg, reference: (f32, f32, f32)) -> PyResult<Option<Position>> {
        let reference = Vec3::from(reference);
        self.shared.with(|world| {
            if !reference.is_finite() {
                return Err(Fault::argument("a reference is NaN, infinite or out of range"));
            }
            Ok(world.sim.reseat(&place.resolve(&world.sim)?, reference)?.map(Position))
        })
    }

    /// Cells that a sphere touches, its own first.
    fn cells_of_sphere<'py>(
        &self,
        py: Python<'py>,
        center: PlaceArg,
        radius: f32,
    ) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let found = self
            .shared
            .with(|world| Ok(world.sim.cells_of_sphere(&center.resolve(&world.sim)?, radius)?))?;
        Ok(cells(py, found))
    }

    /// Interior cells that can be seen from an interior cell, itself included.
    fn visible_cells<'py>(&self, py: Python<'py>, cell: u32) -> PyResult<Bound<'py, PyArray1<u32>>> {
        Ok(cells(py, self.shared.with(|world| Ok(world.sim.cells_seen_from(CellId(cell))))?))
    }

    /// The first thing that a ray hits.
    #[pyo3(signature = (begin, direction, reach, blockers = "everything"))]
    fn cast(
        &self,
        begin: PlaceArg,
        direction: (f32, f32, f32),
        reach: f32,
        blockers: &str,
    ) -> PyResult<Option<Hit>> {
        self.shared.with(|world| {
            let ray = cast(begin.resolve(&world.sim)?, direction.into(), reach, self::blockers(blockers)?)?;
            Ok(world.sim.cast(&ray).map(Hit::from))
        })
    }

    /// Rays from places to places of the same block, on all processors: an array of `HIT`.
    #[pyo3(signature = (begins, ends, blockers = "everything"))]
    fn casts<'py>(
        &self,
        py: Python<'py>,
        begins: PlacesArg,
        ends: PlacesArg,
        blockers: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let rows = self.shared.run(py, |world| {
            let (begins, ends) = (begins.resolve(&world.sim)?, ends.resolve(&world.sim)?);
            same_length(begins.len(), ends.len())?;
            let blockers = self::blockers(blockers)?;
            let rays = begins.iter().zip(&ends).map(|(begin, end)| {
                let offset = threshold_world::coords::block_offset(begin.cell, end.cell);
                let way = end.frame.origin + offset - begin.frame.origin;
                cast(*begin, way, way.length(), blockers)
            });
            Ok(hits(world.sim.casts(&rays.collect::<Result<Vec<_>, Fault>>()?)))
        })?;
        rows.into_array(py)
    }

    /// Checks a line of sight: `None` when it is clear, otherwise the obstacle.
    #[pyo3(signature = (a, b, radius = 0.0))]
    fn line_of_sight(&self, a: SpotArg, b: SpotArg, radius: f32) -> PyResult<Option<Hit>> {
        self.shared.with(|world| {
            let (a, b) = (a.resolve(&world.sim)?, b.resolve(&world.sim)?);
            Ok(match world.sim.line_of_sight_within(a, b, radius)? {
                Sight::Clear => None,
                Sight::Blocked(hit) => Some(hit.into()),
            })
        })
    }

    /// Like `line_of_sight` for many pairs, on all processors: an array of `HIT`.
    #[pyo3(signature = (begins, ends, radius = 0.0))]
    fn lines_of_sight<'py>(
        &self,
        py: Python<'py>,
        begins: PlacesArg,
        ends: PlacesArg,
        radius: f32,
    ) -> PyResult<Bound<'py, PyAny>> {
        let rows = self.shared.run(py, |world| {
            let (begins, ends) = (begins.resolve(&world.sim)?, ends.resolve(&world.sim)?);
            same_length(begins.len(), ends.len())?;
            let pairs: Vec<(Spot, Spot)> =
                begins.into_iter().zip(ends).map(|(a, b)| (a.into(), b.into())).collect();
            let sights = all(world.sim.lines_of_sight(&pairs, radius))?;
            Ok(hits(sights.into_iter().map(|sight| match sight {
                Sight::Clear => None,
                Sight::Blocked(hit) => Some(hit),
            })))
        })?;
        rows.into_array(py)
    }

    /// Sweeps spheres through everything solid, on all processors: an array of `SWEPT`.
    #[pyo3(signature = (begins, ends, radius = 0.3, kind = "camera"))]
    fn sweep<'py>(
        &self,
        py: Python<'py>,
        begins: PlacesArg,
        ends: PlacesArg,
        radius: f32,
        kind: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let rows = self.shared.run(py, |world| {
            let (begins, ends) = (begins.resolve(&world.sim)?, ends.resolve(&world.sim)?);
            same_length(begins.len(), ends.len())?;
            let kind = sphere_kind(kind)?;
            let sweeps: Vec<SphereSweep> = begins
                .into_iter()
                .zip(ends)
                .map(|(from, to)| SphereSweep { from, to, radius, kind })
                .collect();
            Ok(swept(&all(world.sim.sweep_spheres(&sweeps))?))
        })?;
        rows.into_array(py)
    }

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

    /// Finds the shortest way that a body has walked, or says where what it can reach ends.
    #[pyo3(signature = (begin, end, body = None, *, opens_doors = true, max_drop = 6.0, wades = true, takes_portals = false, prove = true))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn find_path(
        &self,
        py: Python<'_>,
        begin: PlaceArg,
        end: PlaceArg,
        body: Option<Body>,
        opens_doors: bool,
        max_drop: f32,
        wades: bool,
        takes_portals: bool,
        prove: bool,
    ) -> PyResult<Route> {
        if max_drop.is_nan() || max_drop < 0.0 {
            return Err(Fault::argument("the deepest fall is NaN, infinite or out of range").into());
        }
        let doors = if opens_doors { DoorPolicy::Opens } else { DoorPolicy::LeavesShut };
        let policy =
            Policy::default().doors(doors).max_drop(max_drop).wades(wades).takes_portals(takes_portals);
        self.shared.run(py, |world| {
            let (from, to) = (begin.resolve(&world.sim)?, end.resolve(&world.sim)?);
            let request = PathRequest { walker: self::body(body), from, to, policy: &policy, prove };
            Ok(Route::new(world.sim.find_path(&request)?, to))
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
