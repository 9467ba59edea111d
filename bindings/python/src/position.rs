//! Places, one by one and in arrays.

use crate::error::Fault;
use glam::Vec3;
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::{exceptions::PyValueError, prelude::*};
use std::hash::{DefaultHasher, Hash, Hasher};
use threshold_physics::scene::check_position;
use threshold_sim::Simulation;
use threshold_world::{CellId, Frame, Position as Place, Quat};

/// Bytes of a position in an array.
const POSITION: usize = 32;

/// A place: a cell, and an origin in metres from the south-west corner of the cell's block.
#[pyclass(frozen, eq, module = "threshold", from_py_object)]
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Position(pub(crate) Place);

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (cell, origin = (0.0, 0.0, 0.0), rotation = (1.0, 0.0, 0.0, 0.0)))]
    fn new(cell: u32, origin: (f32, f32, f32), rotation: (f32, f32, f32, f32)) -> PyResult<Position> {
        Ok(Position(place(cell, origin.into(), rotation)?))
    }

    /// Parses the output of the game's /loc: `0xA9B40019 [84 7.1 94] 1 0 0 0`.
    #[staticmethod]
    fn parse(text: &str) -> PyResult<Position> {
        let place: Place =
            text.parse().map_err(|_| PyValueError::new_err(format!("'{text}' is not a location")))?;
        check_position(&place).map_err(Fault::from)?;
        Ok(Position(place))
    }

    #[getter]
    fn cell(&self) -> u32 {
        self.0.cell.0
    }

    #[getter]
    fn origin(&self) -> (f32, f32, f32) {
        self.0.frame.origin.into()
    }

    #[getter]
    fn rotation(&self) -> (f32, f32, f32, f32) {
        let rotation = self.0.frame.rotation();
        (rotation.w, rotation.v.x, rotation.v.y, rotation.v.z)
    }

    /// Degrees clockwise from north.
    #[getter]
    fn heading(&self) -> f32 {
        self.0.frame.heading()
    }

    #[getter]
    fn is_inside(&self) -> bool {
        !self.0.cell.is_outdoor()
    }

    /// Metres from the map's south-west corner: east, north, and the height.
    #[getter]
    fn on_map(&self) -> (f64, f64, f32) {
        let (block, at) = (self.0.cell.block(), self.0.frame.origin);
        let side = f64::from(threshold_world::coords::BLOCK_SIDE);
        (f64::from(block.x()) * side + f64::from(at.x), f64::from(block.y()) * side + f64::from(at.y), at.z)
    }

    /// This position moved by some metres; the cell stays the same.
    #[pyo3(signature = (east = 0.0, north = 0.0, up = 0.0))]
    fn moved(&self, east: f32, north: f32, up: f32) -> PyResult<Position> {
        let frame = &self.0.frame;
        let moved =
            Place::new(self.0.cell, Frame::new(frame.origin + Vec3::new(east, north, up), frame.rotation()));
        check_position(&moved).map_err(Fault::from)?;
        Ok(Position(moved))
    }

    /// This position, facing the given degrees clockwise from north.
    fn facing(&self, degrees: f32) -> PyResult<Position> {
        if !degrees.is_finite() {
            return Err(Fault::argument("a heading is NaN, infinite or out of range").into());
        }
        let rotation = threshold_view::camera::orientation(degrees, 0.0);
        Ok(Position(Place::new(self.0.cell, Frame::new(self.0.frame.origin, rotation))))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Position.parse({:?})", self.0.to_string())
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        bytes(&self.0).hash(&mut hasher);
        hasher.finish()
    }
}

fn place(cell: u32, origin: Vec3, (w, x, y, z): (f32, f32, f32, f32)) -> Result<Place, Fault> {
    let mut rotation = Quat { w, v: Vec3::new(x, y, z) };
    let length = rotation.dot(rotation);
    if length == 0.0 {
        rotation = Quat::IDENTITY;
    } else if !(1e-6..=1e6).contains(&length) {
        return Err(Fault::argument("the rotation of a position is not a usable quaternion"));
    }
    let place = Place::new(CellId(cell), Frame::new(origin, rotation));
    check_position(&place)?;
    Ok(place)
}

/// Where something is, as callers may say it.
#[derive(Clone, FromPyObject)]
pub(crate) enum PlaceArg {
    At(Position),
    Named(String),
}

impl PlaceArg {
    pub(crate) fn resolve(&self, sim: &Simulation) -> Result<Place, Fault> {
        match self {
            PlaceArg::At(position) => Ok(position.0),
            PlaceArg::Named(text) => {
                sim.find_place(text).ok_or_else(|| Fault::not_found(format_args!("place '{text}'")))
            }
        }
    }
}

/// Positions in an array as `threshold.POSITION` lays them out.
fn bytes(place: &Place) -> [u8; POSITION] {
    let (origin, rotation) = (place.frame.origin, place.frame.rotation());
    let floats = [origin.x, origin.y, origin.z, rotation.w, rotation.v.x, rotation.v.y, rotation.v.z];
    let mut bytes = [0; POSITION];
    bytes[..4].copy_from_slice(&place.cell.0.to_le_bytes());
    for (i, value) in floats.into_iter().enumerate() {
        bytes[4 + 4 * i..][..4].copy_from_slice(&value.to_le_bytes());
    }
    bytes
}

/// A list of positions or names, or an array of `threshold.POSITION`.
pub(crate) enum PlacesArg {
    List(Vec<PlaceArg>),
    Array(Vec<Place>),
}

impl<'py> FromPyObject<'_, 'py> for PlacesArg {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<PlacesArg> {
        if let Ok(list) = object.extract::<Vec<PlaceArg>>() {
            return Ok(PlacesArg::List(list));
        }
        let helpers = object.py().import("threshold._arrays")?;
        let array = helpers.call_method1("position_bytes", (object,))?;
        let array: PyReadonlyArray1<'_, u8> = array.extract()?;
        let places = array.as_slice()?.chunks_exact(POSITION).enumerate().map(|(index, bytes)| {
            read(bytes).map_err(|fault| match fault {
                Fault::Argument(message) => Fault::Argument(format!("entry {index}: {message}")),
                other => other,
            })
        });
        Ok(PlacesArg::Array(places.collect::<Result<_, Fault>>()?))
    }
}

impl PlacesArg {
    pub(crate) fn resolve(self, sim: &Simulation) -> Result<Vec<Place>, Fault> {
        match self {
            PlacesArg::Array(places) => Ok(places),
            PlacesArg::List(places) => places.iter().map(|place| place.resolve(sim)).collect(),
        }
    }
}

fn read(bytes: &[u8]) -> Result<Place, Fault> {
    let word = |i: usize| -> [u8; 4] { std::array::from_fn(|byte| bytes[4 * i + byte]) };
    let float = |i: usize| f32::from_le_bytes(word(i));
    let origin = Vec3::new(float(1), float(2), float(3));
    place(u32::from_le_bytes(word(0)), origin, (float(4), float(5), float(6), float(7)))
}

/// Rows of an array, byte by byte, in the layout of one of the types in `threshold._arrays`.
pub(crate) struct Rows {
    layout: &'static str,
    bytes: Vec<u8>,
}

impl Rows {
    pub(crate) fn new(layout: &'static str) -> Rows {
        Rows { layout, bytes: Vec::new() }
    }

    pub(crate) fn positions<'p>(places: impl IntoIterator<Item = &'p Place>) -> Rows {
        let mut rows = Rows::new("POSITION");
        places.into_iter().for_each(|place| rows.position(place));
        rows
    }

    pub(crate) fn position(&mut self, place: &Place) {
        self.bytes.extend(bytes(place));
    }

    pub(crate) fn word(&mut self, value: u32) {
        self.bytes.extend(value.to_le_bytes());
    }

    pub(crate) fn long(&mut self, value: u64) {
        self.bytes.extend(value.to_le_bytes());
    }

    pub(crate) fn floats(&mut self, values: &[f32]) {
        values.iter().for_each(|value| self.bytes.extend(value.to_le_bytes()));
    }

    pub(crate) fn into_array(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        let bytes = PyArray1::from_vec(py, self.bytes);
        bytes.as_any().call_method1("view", (py.import("threshold._arrays")?.getattr(self.layout)?,))
    }
}

/// An array of three columns.
pub(crate) fn points<'py>(
    py: Python<'py>,
    points: impl IntoIterator<Item = Vec3>,
) -> PyResult<Bound<'py, PyAny>> {
    let flat: Vec<f32> = points.into_iter().flat_map(|p| p.to_array()).collect();
    let rows = flat.len() / 3;
    Ok(PyArray1::from_vec(py, flat).reshape([rows, 3])?.into_any())
}
