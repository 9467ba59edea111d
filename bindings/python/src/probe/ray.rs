//! Rays, lines of sight and moving spheres: what is in the way.

use super::all;
use crate::{
    entity::Entity,
    error::Fault,
    position::{PlaceArg, PlacesArg, Position, Rows},
    world::World,
};
use glam::Vec3;
use pyo3::prelude::*;
use threshold_physics::cast::{Blockers, Cast};
use threshold_sim::{Sight, Simulation, SphereKind, SphereSweep, Spot, Swept, Target};
use threshold_world::{Frame, Position as Place};

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

pub(super) const KINDS: [&str; 5] = ["nothing", "entity", "room", "shell", "ground"];

/// Kind, cell and object, as in arrays.
pub(super) fn target(target: Target) -> (u32, u32, u64) {
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

fn same_length(a: usize, b: usize) -> Result<(), Fault> {
    if a != b {
        return Err(Fault::argument(format!(
            "{a} starts and {b} ends; the arrays must have the same length"
        )));
    }
    Ok(())
}

#[pymethods]
impl World {
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
}
