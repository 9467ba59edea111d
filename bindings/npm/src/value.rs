//! What goes to JavaScript.

use js_sys::{Array, Object, Reflect};
use threshold_world::Position;
use wasm_bindgen::{JsCast, JsValue, prelude::wasm_bindgen};

#[wasm_bindgen(module = "/js/values.js")]
extern "C" {
    /// Places are asked for so often that they are made in one call.
    #[expect(clippy::too_many_arguments, reason = "as JavaScript has them")]
    #[wasm_bindgen(js_name = position)]
    fn make_position(cell: u32, x: f32, y: f32, z: f32, w: f32, i: f32, j: f32, k: f32) -> JsValue;
}

pub(crate) fn position<T: JsCast>(place: &Position) -> T {
    let (at, turn) = (place.frame.origin, place.frame.rotation());
    make_position(place.cell.0, at.x, at.y, at.z, turn.w, turn.v.x, turn.v.y, turn.v.z).unchecked_into()
}

pub(crate) fn list<T: JsCast>(values: impl IntoIterator<Item = impl Into<JsValue>>) -> T {
    let array = Array::new();
    for value in values {
        array.push(&value.into());
    }
    array.unchecked_into()
}

/// A plain object, one field after the other.
pub(crate) struct Fields(Object);

impl Fields {
    pub(crate) fn new() -> Fields {
        Fields(Object::new())
    }

    pub(crate) fn with(self, name: &str, value: impl Into<JsValue>) -> Fields {
        // A new object takes every field.
        let _ = Reflect::set(&self.0, &name.into(), &value.into());
        self
    }

    pub(crate) fn done<T: JsCast>(self) -> T {
        self.0.unchecked_into()
    }
}
