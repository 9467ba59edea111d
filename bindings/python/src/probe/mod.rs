//! Queries: nothing in the world changes.

mod ray;
mod route;
mod walk;

pub(crate) use ray::{Hit, swept};
pub(crate) use route::Route;
pub(crate) use walk::{Body, JumpReport, PathReport};

use crate::{
    error::Fault,
    position::{PlaceArg, Position},
    world::World,
};
use glam::Vec3;
use numpy::PyArray1;
use pyo3::prelude::*;
use threshold_sim::SimError;
use threshold_world::CellId;

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
}
