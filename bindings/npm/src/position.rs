//! Places, one by one and many at once.

use crate::{
    argument::{Options, floats, large, shown, text, whole},
    error::Fault,
    types::{JsNumberOrNumbers, JsNumbers, JsPosition, JsPositions, JsText},
    value::{self, Fields},
};
use glam::Vec3;
use js_sys::{Array, Float32Array, Float64Array, Uint32Array};
use threshold_physics::scene::check_position;
use threshold_sim::{EntityKey, Simulation};
use threshold_world::{CellId, Frame, Position as Place, Quat, coords::BLOCK_SIDE};
use wasm_bindgen::{JsCast, JsValue, prelude::wasm_bindgen};

#[wasm_bindgen]
extern "C" {
    /// Fields of places and objects, read without making strings.
    type Named;

    /// NaN when it is not a number.
    #[wasm_bindgen(method, structural, getter, catch)]
    fn cell(this: &Named) -> Result<f64, JsValue>;
    #[wasm_bindgen(method, structural, getter, catch)]
    fn origin(this: &Named) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, structural, getter, catch)]
    fn rotation(this: &Named) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, structural, getter, catch)]
    fn id(this: &Named) -> Result<JsValue, JsValue>;
}

fn place(cell: u32, origin: [f32; 3], [w, x, y, z]: [f32; 4]) -> Result<Place, Fault> {
    let mut rotation = Quat { w, v: Vec3::new(x, y, z) };
    let length = rotation.dot(rotation);
    if length == 0.0 {
        rotation = Quat::IDENTITY;
    } else if !(1e-6..=1e6).contains(&length) {
        return Err(Fault::argument("the rotation of a position is not a usable quaternion"));
    }
    let place = Place::new(CellId(cell), Frame::new(Vec3::from(origin), rotation));
    check_position(&place)?;
    Ok(place)
}

/// A position, as callers may write it.
pub(crate) fn read(value: &JsValue) -> Result<Place, Fault> {
    if !value.is_object() {
        let found = shown(value);
        return Err(Fault::Type(format!("a position has a cell and an origin; this is {found}")));
    }
    let named: &Named = value.unchecked_ref();
    let cell = whole("cell", named.cell()?)?;
    let origin = floats("origin", &named.origin()?)?;
    let rotation = named.rotation()?;
    let rotation = if rotation.is_undefined() { [0.0; 4] } else { floats("rotation", &rotation)? };
    place(cell, origin, rotation)
}

/// Where something is, as callers may say it.
pub(crate) enum PlaceArg {
    At(Place),
    Named(String),
}

impl PlaceArg {
    pub(crate) fn read(value: &JsValue) -> Result<PlaceArg, Fault> {
        match value.as_string() {
            Some(text) => Ok(PlaceArg::Named(text)),
            None => Ok(PlaceArg::At(read(value)?)),
        }
    }

    pub(crate) fn resolve(&self, sim: &Simulation) -> Result<Place, Fault> {
        match self {
            PlaceArg::At(place) => Ok(*place),
            PlaceArg::Named(text) => {
                sim.find_place(text).ok_or_else(|| Fault::not_found(format_args!("place '{text}'")))
            }
        }
    }
}

/// An object, or a place.
pub(crate) enum SpotArg {
    Entity(EntityKey),
    At(PlaceArg),
}

impl SpotArg {
    pub(crate) fn read(value: &JsValue) -> Result<SpotArg, Fault> {
        match entity(value)? {
            Some(key) => Ok(SpotArg::Entity(key)),
            None => Ok(SpotArg::At(PlaceArg::read(value)?)),
        }
    }
}

/// The object that a value stands for; `None` when it is something else.
pub(crate) fn entity(value: &JsValue) -> Result<Option<EntityKey>, Fault> {
    if !value.is_object() {
        return Ok(None);
    }
    let id = value.unchecked_ref::<Named>().id()?;
    let Some(id) = id.as_f64() else { return Ok(None) };
    let key = EntityKey::from_id(large("id", id)?);
    key.map(Some).ok_or_else(|| Fault::not_found(format_args!("object {id}")))
}

/// Many places, as callers may say them.
pub(crate) enum PlacesArg {
    List(Vec<PlaceArg>),
    Arrays(Vec<Place>),
}

impl PlacesArg {
    pub(crate) fn read(value: &JsValue) -> Result<PlacesArg, Fault> {
        if let Some(list) = value.dyn_ref::<Array>() {
            let list = list.iter().enumerate();
            let list =
                list.map(|(index, place)| PlaceArg::read(&place).map_err(|fault| fault.of_entry(index)));
            return Ok(PlacesArg::List(list.collect::<Result<_, _>>()?));
        }
        let mut fields = Options::new(value)?;
        let wanted = || {
            Fault::Type("expected a list of places, or cells and origins as `positions` makes them".into())
        };
        let (Some(cells), Some(origins)) = (fields.get("cells")?, fields.get("origins")?) else {
            return Err(wanted());
        };
        let cells = cells.dyn_into::<Uint32Array>().map_err(|_| wanted())?.to_vec();
        let origins = origins.dyn_into::<Float32Array>().map_err(|_| wanted())?.to_vec();
        let rotations = fields.get("rotations")?.map(|rotations| rotations.dyn_into::<Float32Array>());
        let rotations = rotations.transpose().map_err(|_| wanted())?.map(|rotations| rotations.to_vec());
        let (origins, rest) = origins.as_chunks::<3>();
        same_length(cells.len(), origins.len() + rest.len())?;
        let turns = rotations.as_deref().map(<[f32]>::as_chunks::<4>);
        if let Some((turns, rest)) = turns {
            same_length(cells.len(), turns.len() + rest.len())?;
        }
        let places = cells.iter().zip(origins).enumerate().map(|(index, (cell, origin))| {
            let turn = turns.and_then(|(turns, _)| turns.get(index)).copied().unwrap_or_default();
            place(*cell, *origin, turn).map_err(|fault| fault.of_entry(index))
        });
        Ok(PlacesArg::Arrays(places.collect::<Result<_, _>>()?))
    }

    pub(crate) fn resolve(self, sim: &Simulation) -> Result<Vec<Place>, Fault> {
        match self {
            PlacesArg::Arrays(places) => Ok(places),
            PlacesArg::List(places) => {
                let places = places.iter().enumerate();
                places
                    .map(|(index, place)| place.resolve(sim).map_err(|fault| fault.of_entry(index)))
                    .collect()
            }
        }
    }
}

fn same_length(cells: usize, others: usize) -> Result<(), Fault> {
    if cells != others {
        return Err(Fault::argument(format!(
            "{cells} cells need three numbers each for origins and four for rotations"
        )));
    }
    Ok(())
}

/// Many positions, as JavaScript has them.
pub(crate) fn arrays<'p>(places: impl IntoIterator<Item = &'p Place>) -> JsPositions {
    let (mut cells, mut origins, mut rotations) = (Vec::new(), Vec::new(), Vec::new());
    for place in places {
        let turn = place.frame.rotation();
        cells.push(place.cell.0);
        origins.extend(place.frame.origin.to_array());
        rotations.extend([turn.w, turn.v.x, turn.v.y, turn.v.z]);
    }
    let fields = Fields::new().with("cells", Uint32Array::from(&cells[..]));
    fields
        .with("origins", Float32Array::from(&origins[..]))
        .with("rotations", Float32Array::from(&rotations[..]))
        .done()
}

/// Many positions from cells, or one cell for all of them, and three numbers each; all face north.
///
/// `world.sweep(positions(cell, begins), positions(cell, ends))`
#[wasm_bindgen]
pub fn positions(cells: &JsNumberOrNumbers, origins: &JsNumbers) -> Result<JsPositions, Fault> {
    let origins = match origins.dyn_ref::<Float32Array>() {
        Some(origins) => origins.clone(),
        None if origins.is_object() => Float32Array::new(origins),
        None => return Err(Fault::Type(format!("origins: expected numbers, not {}", shown(origins)))),
    };
    let count = origins.length() / 3;
    let cells = match (cells.as_f64(), cells.dyn_ref::<Uint32Array>()) {
        (Some(cell), _) => Uint32Array::new_with_length(count).fill(whole("cell", cell)?, 0, count),
        (_, Some(cells)) => cells.clone(),
        _ if cells.is_object() => Uint32Array::new(cells),
        _ => return Err(Fault::Type(format!("cells: expected a number or numbers, not {}", shown(cells)))),
    };
    if origins.length() % 3 != 0 || cells.length() != count {
        let (cells, origins) = (cells.length(), origins.length());
        return Err(Fault::argument(format!("{cells} cells need three numbers each; there are {origins}")));
    }
    let mut rotations = vec![0.0; 4 * count as usize];
    rotations.iter_mut().step_by(4).for_each(|w| *w = 1.0);
    let fields = Fields::new().with("cells", cells).with("origins", origins);
    Ok(fields.with("rotations", Float32Array::from(&rotations[..])).done())
}

/// Metres from the map's south-west corner, east and north, and the height: three numbers for each position.
#[wasm_bindgen(js_name = onMap)]
pub fn on_map(places: &JsPositions) -> Result<Float64Array, Fault> {
    let places = match PlacesArg::read(places)? {
        PlacesArg::Arrays(places) => places,
        PlacesArg::List(places) => {
            let place = |place| match place {
                PlaceArg::At(place) => Ok(place),
                PlaceArg::Named(name) => Err(Fault::Type(format!("'{name}' is not a position"))),
            };
            places.into_iter().map(place).collect::<Result<_, _>>()?
        }
    };
    let side = f64::from(BLOCK_SIDE);
    let points = places.iter().flat_map(|place| {
        let (block, at) = (place.cell.block(), place.frame.origin.as_dvec3());
        [f64::from(block.x()) * side + at.x, f64::from(block.y()) * side + at.y, at.z]
    });
    Ok(Float64Array::from(&points.collect::<Vec<_>>()[..]))
}

/// The position that the game's `/loc` prints: `0xA9B40019 [84 7.1 94] 1 0 0 0`.
#[wasm_bindgen]
pub fn parse(text: &JsText) -> Result<JsPosition, Fault> {
    let text = self::text("text", text)?;
    let place: Place = text.parse().map_err(|_| Fault::argument(format!("'{text}' is not a location")))?;
    check_position(&place)?;
    Ok(value::position(&place))
}

/// What the game's `/loc` prints at a position.
#[wasm_bindgen]
pub fn loc(position: &JsPosition) -> Result<String, Fault> {
    Ok(read(position)?.to_string())
}

/// The same place some metres away; the cell stays.
#[wasm_bindgen]
pub fn moved(
    position: &JsPosition,
    east: f32,
    north: Option<f32>,
    up: Option<f32>,
) -> Result<JsPosition, Fault> {
    let at = read(position)?;
    let step = Vec3::new(east, north.unwrap_or(0.0), up.unwrap_or(0.0));
    let moved = Place::new(at.cell, Frame::new(at.frame.origin + step, at.frame.rotation()));
    check_position(&moved)?;
    Ok(value::position(&moved))
}

/// The same place, facing degrees clockwise from north.
#[wasm_bindgen]
pub fn facing(position: &JsPosition, degrees: f32) -> Result<JsPosition, Fault> {
    let at = read(position)?;
    if !degrees.is_finite() {
        return Err(Fault::argument("a heading is NaN, infinite or out of range"));
    }
    let rotation = threshold_view::camera::orientation(degrees, 0.0);
    Ok(value::position(&Place::new(at.cell, Frame::new(at.frame.origin, rotation))))
}

/// Degrees clockwise from north that a position faces.
#[wasm_bindgen]
pub fn heading(position: &JsPosition) -> Result<f32, Fault> {
    Ok(read(position)?.frame.heading())
}

/// Whether a position is inside a building or dungeon.
#[wasm_bindgen(js_name = isInside)]
pub fn is_inside(position: &JsPosition) -> Result<bool, Fault> {
    Ok(!read(position)?.cell.is_outdoor())
}
