//! Plans and pictures.

use crate::{
    entity::Entity,
    error::Fault,
    position::PlaceArg,
    world::{Inner, World, block_id},
};
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use threshold_render::{
    map::{Tile, TileError, tile},
    raster::MAX_SIDE,
};
use threshold_sim::{EntityKey, FramePlan, Lens, Position as Place, SimulationView};
use threshold_view::{
    Viewer,
    camera::orientation,
    report::{CellReport, Region, Report},
};
use threshold_world::Frame;

/// What is visible, in which regions of the picture, and in which order it is drawn.
#[pyclass(frozen, get_all, module = "threshold")]
pub(crate) struct Plan {
    /// The cell of the eye; `None` if it is in no cell.
    viewer_cell: Option<u32>,
    /// The eye is outdoors.
    outside: bool,
    /// Regions in which the outdoors is visible: corners in normalised device coordinates, two columns.
    landscape: Vec<Py<PyAny>>,
    /// Interior cells visible from the eye's own cell, nearest first.
    cells: Vec<Py<PlanCell>>,
    /// Interior cells visible through the openings of buildings, by the building's land cell.
    buildings: Vec<(u32, Vec<Py<PlanCell>>)>,
    /// The drawing order: a dict per step, as `threshold view --json` prints it.
    steps: Py<PyAny>,
}

/// A visible interior cell.
#[pyclass(frozen, get_all, module = "threshold")]
pub(crate) struct PlanCell {
    /// The cell.
    cell: u32,
    /// Metres to the farthest corner of the openings through which it is visible.
    distance: f32,
    /// Regions in which it is visible: corners in normalised device coordinates, two columns.
    regions: Vec<Py<PyAny>>,
}

fn regions(py: Python<'_>, regions: &[Region]) -> PyResult<Vec<Py<PyAny>>> {
    let array = |region: &Region| {
        let flat: Vec<f32> = region.iter().flatten().copied().collect();
        Ok(PyArray1::from_vec(py, flat).reshape([region.len(), 2])?.into_any().unbind())
    };
    regions.iter().map(array).collect()
}

fn cells(py: Python<'_>, cells: &[CellReport]) -> PyResult<Vec<Py<PlanCell>>> {
    let cell = |cell: &CellReport| {
        let regions = regions(py, &cell.regions)?;
        Py::new(py, PlanCell { cell: cell.id.0, distance: cell.distance, regions })
    };
    cells.iter().map(cell).collect()
}

impl Plan {
    fn new(py: Python<'_>, report: &Report, steps: &str) -> PyResult<Plan> {
        let buildings = report.buildings.iter();
        let buildings = buildings.map(|seen| Ok((seen.cell.0, cells(py, &seen.interior_cells)?)));
        Ok(Plan {
            viewer_cell: report.viewer_cell.map(|cell| cell.0),
            outside: report.outside,
            landscape: regions(py, &report.landscape.regions)?,
            cells: cells(py, &report.cells)?,
            buildings: buildings.collect::<PyResult<_>>()?,
            steps: py.import("json")?.call_method1("loads", (steps,))?.unbind(),
        })
    }
}

/// The viewer: a player's own camera, or a place.
pub(crate) enum ViewArg {
    Player(EntityKey),
    At(PlaceArg),
}

impl<'py> FromPyObject<'_, 'py> for ViewArg {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<ViewArg> {
        match object.cast::<Entity>() {
            Ok(entity) => Ok(ViewArg::Player(entity.get().key)),
            Err(_) => Ok(ViewArg::At(object.extract()?)),
        }
    }
}

/// How a picture is taken.
struct Shot {
    view: ViewArg,
    size: (u32, u32),
    fov: f32,
    pitch: f32,
    /// The place is the eye's, not the feet's.
    is_eye: bool,
}

impl Shot {
    fn viewer(&self, world: &Inner) -> Result<(Viewer, Place), Fault> {
        let (width, height) = self.size;
        let lens = Lens::new(self.fov.to_radians(), width, height).filter(|_| width.max(height) <= MAX_SIDE);
        let lens = lens.ok_or_else(|| {
            Fault::argument(format!(
                "a picture has 1 to {MAX_SIDE} pixels a side and 0 to 180 degrees of view"
            ))
        })?;
        let place = match &self.view {
            ViewArg::Player(key) => {
                world.sim.entity(*key)?;
                let feet = world.sim.drawn_position(*key)?;
                let viewer = world.sim.viewer(*key, &lens);
                let eyeless =
                    || Fault::NotPossible("the player has no camera yet; advance the world first".into());
                return Ok((viewer.ok_or_else(eyeless)?, feet));
            }
            ViewArg::At(place) => place.resolve(&world.sim)?,
        };
        if !self.pitch.is_finite() {
            return Err(Fault::argument("a pitch is NaN, infinite or out of range"));
        }
        if world.sim.world().cell(place.cell).is_none() {
            return Err(Fault::not_found(format_args!("loaded cell {}", place.cell)));
        }
        let mut at = place;
        if self.pitch != 0.0 {
            at.frame = Frame::new(at.frame.origin, orientation(at.frame.heading(), self.pitch));
        }
        let viewer = match self.is_eye {
            true => Viewer { position: at, lens, player_cell: at.cell },
            false => world.sim.viewer_above(&at, &lens),
        };
        Ok((viewer, at))
    }
}

fn picture(py: Python<'_>, (width, height): (u32, u32), rgba: Vec<u8>) -> PyResult<Bound<'_, PyArray3<u8>>> {
    PyArray1::from_vec(py, rgba).reshape([height as usize, width as usize, 4])
}

#[pymethods]
impl World {
    /// Plans a frame as seen by a player or from a place.
    #[pyo3(signature = (view, width = 640, height = 360, *, fov = 60.0, pitch = 0.0, is_eye = false))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn plan(
        &self,
        py: Python<'_>,
        view: ViewArg,
        width: u32,
        height: u32,
        fov: f32,
        pitch: f32,
        is_eye: bool,
    ) -> PyResult<Plan> {
        let shot = Shot { view, size: (width, height), fov, pitch, is_eye };
        let (report, steps) = self.shared.run(py, |world| {
            let (viewer, _) = shot.viewer(world)?;
            let mut plan = FramePlan::default();
            world.sim.plan(&viewer, &mut plan);
            let report = Report::new(&plan, world.sim.world());
            let steps =
                serde_json::to_string(&report.steps).map_err(|error| Fault::Data(error.to_string()))?;
            Ok((report, steps))
        })?;
        Plan::new(py, &report, &steps)
    }

    /// Draws the view of a player or from a place: height × width × 4 bytes.
    #[pyo3(signature = (view, width = 640, height = 360, *, fov = 60.0, pitch = 0.0, is_eye = false, after_noon = 0.0))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn render<'py>(
        &self,
        py: Python<'py>,
        view: ViewArg,
        width: u32,
        height: u32,
        fov: f32,
        pitch: f32,
        is_eye: bool,
        after_noon: f32,
    ) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let shot = Shot { view, size: (width, height), fov, pitch, is_eye };
        let rgba = self.shared.run(py, |world| {
            if !(-0.5..=0.5).contains(&after_noon) {
                return Err(Fault::argument(format!(
                    "after_noon is {after_noon} days; it must be -0.5 to 0.5"
                )));
            }
            let (viewer, feet) = shot.viewer(world)?;
            let Inner { sim, view, .. } = world;
            let view = view.get_or_insert_with(|| SimulationView::new(sim));
            view.studio.set_time(0, 0.5 + after_noon);
            Ok(match shot.view {
                ViewArg::Player(key) => view.rgba_of(sim, key, &viewer.lens)?,
                ViewArg::At(_) => view.rgba(sim, &viewer, &feet)?,
            })
        })?;
        picture(py, (width, height), rgba)
    }

    /// Draws a block from above, north up: height × width × 4 bytes.
    #[pyo3(signature = (block, *, around = 0, window = None, pixels = 1024, cut = None))]
    fn map_tile<'py>(
        &self,
        py: Python<'py>,
        block: u32,
        around: u32,
        window: Option<[f32; 4]>,
        pixels: u32,
        cut: Option<f32>,
    ) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let around = u8::try_from(around).unwrap_or(u8::MAX);
        let asked = Tile { block: block_id(block)?, around, window, pixels: Some(pixels), cut };
        let (size, rgba) = self.shared.run(py, |world| {
            let canvas = tile(world.sim.library(), &asked).map_err(|error| match error {
                TileError::NoBlock(_) => Fault::NotFound(error.to_string()),
                TileError::BadSize => Fault::Argument(error.to_string()),
                TileError::Dat(error) => error.into(),
            })?;
            Ok((canvas.size(), canvas.rgba()))
        })?;
        picture(py, (size.0 as u32, size.1 as u32), rgba)
    }
}
