//! What comes from JavaScript.

use crate::error::Fault;
use glam::Vec3;
use js_sys::{ArrayBuffer, Object, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue, prelude::wasm_bindgen};

#[wasm_bindgen]
extern "C" {
    /// An array, or a typed one.
    type Indexed;

    #[wasm_bindgen(method, structural, getter, catch)]
    fn length(this: &Indexed) -> Result<f64, JsValue>;

    /// NaN for what is not a number.
    #[wasm_bindgen(method, structural, indexing_getter, catch)]
    fn number(this: &Indexed, index: u32) -> Result<f64, JsValue>;
}

/// How messages name a value.
pub(crate) fn shown(value: &JsValue) -> String {
    if value.is_null() {
        return "null".into();
    }
    match (value.as_string(), value.as_f64()) {
        (Some(text), _) => format!("'{text}'"),
        (_, Some(number)) => number.to_string(),
        _ => value.js_typeof().as_string().unwrap_or_default(),
    }
}

/// A whole number up to `most`.
fn whole_up_to(name: &str, number: f64, most: f64) -> Result<f64, Fault> {
    if number.fract() == 0.0 && (0.0..=most).contains(&number) {
        return Ok(number);
    }
    Err(Fault::argument(format!("{name}: {number} is not a whole number from 0 to {most}")))
}

pub(crate) fn whole(name: &str, number: f64) -> Result<u32, Fault> {
    Ok(whole_up_to(name, number, f64::from(u32::MAX))? as u32)
}

pub(crate) fn half(name: &str, number: f64) -> Result<u16, Fault> {
    Ok(whole_up_to(name, number, f64::from(u16::MAX))? as u16)
}

/// A whole number that JavaScript has exactly.
pub(crate) fn large(name: &str, number: f64) -> Result<u64, Fault> {
    Ok(whole_up_to(name, number, 9_007_199_254_740_991.0)? as u64)
}

pub(crate) fn text(name: &str, value: &JsValue) -> Result<String, Fault> {
    value.as_string().ok_or_else(|| Fault::Type(format!("{name}: expected a text, not {}", shown(value))))
}

/// One of several words; the first when there is none.
pub(crate) fn choice<T: Copy>(name: &str, value: &JsValue, choices: &[(&str, T)]) -> Result<T, Fault> {
    if let (true, Some((_, first))) = (value.is_null_or_undefined(), choices.first()) {
        return Ok(*first);
    }
    let said = text(name, value)?;
    let found = choices.iter().find(|(word, _)| *word == said);
    found.map(|(_, choice)| *choice).ok_or_else(|| {
        let words: Vec<_> = choices.iter().map(|(word, _)| format!("'{word}'")).collect();
        Fault::argument(format!("unknown {name} '{said}'; expected {}", words.join(" or ")))
    })
}

pub(crate) fn bytes(name: &str, value: &JsValue) -> Result<Vec<u8>, Fault> {
    match (value.dyn_ref::<Uint8Array>(), value.dyn_ref::<ArrayBuffer>()) {
        (Some(bytes), _) => Ok(bytes.to_vec()),
        (_, Some(buffer)) => Ok(Uint8Array::new(buffer).to_vec()),
        _ => Err(Fault::Type(format!("{name}: expected an Uint8Array, not {}", shown(value)))),
    }
}

/// As many numbers as are asked for.
pub(crate) fn numbers<const N: usize>(name: &str, value: &JsValue) -> Result<[f64; N], Fault> {
    let indexed: &Indexed = value.unchecked_ref();
    if !value.is_object() || indexed.length()? != N as f64 {
        return Err(Fault::Type(format!("{name}: expected {N} numbers, not {}", shown(value))));
    }
    let mut numbers = [0.0; N];
    for (index, number) in numbers.iter_mut().enumerate() {
        *number = indexed.number(index as u32)?;
    }
    Ok(numbers)
}

pub(crate) fn floats<const N: usize>(name: &str, value: &JsValue) -> Result<[f32; N], Fault> {
    let floats = numbers::<N>(name, value)?.map(|number| number as f32);
    if floats.iter().all(|number| number.is_finite()) {
        return Ok(floats);
    }
    Err(Fault::argument(format!("{name} contains a number that is NaN or infinite")))
}

pub(crate) fn vector(name: &str, value: &JsValue) -> Result<Vec3, Fault> {
    Ok(Vec3::from(floats::<3>(name, value)?))
}

/// An object with named choices, each of which may be absent. A name that nobody has asked for is an error.
pub(crate) struct Options {
    object: Option<Object>,
    known: Vec<&'static str>,
}

impl Options {
    pub(crate) fn new(value: &JsValue) -> Result<Options, Fault> {
        let object = match (value.is_null_or_undefined(), value.is_object()) {
            (true, _) => None,
            (_, true) => Some(value.unchecked_ref::<Object>().clone()),
            _ => return Err(Fault::Type(format!("expected an object with options, not {}", shown(value)))),
        };
        Ok(Options { object, known: Vec::new() })
    }

    /// `None` when it is absent.
    pub(crate) fn get(&mut self, name: &'static str) -> Result<Option<JsValue>, Fault> {
        self.known.push(name);
        let Some(object) = &self.object else { return Ok(None) };
        let value = Reflect::get(object, &name.into())?;
        Ok((!value.is_null_or_undefined()).then_some(value))
    }

    pub(crate) fn required(&mut self, name: &'static str) -> Result<JsValue, Fault> {
        self.get(name)?.ok_or_else(|| Fault::Type(format!("{name} is missing")))
    }

    pub(crate) fn flag(&mut self, name: &'static str, default: bool) -> Result<bool, Fault> {
        let Some(value) = self.get(name)? else { return Ok(default) };
        let flag = value.as_bool();
        flag.ok_or_else(|| Fault::Type(format!("{name}: expected true or false, not {}", shown(&value))))
    }

    pub(crate) fn number(&mut self, name: &'static str) -> Result<Option<f64>, Fault> {
        let Some(value) = self.get(name)? else { return Ok(None) };
        let number = value.as_f64();
        let number =
            number.ok_or_else(|| Fault::Type(format!("{name}: expected a number, not {}", shown(&value))));
        number.map(Some)
    }

    pub(crate) fn float(&mut self, name: &'static str, default: f32) -> Result<f32, Fault> {
        Ok(self.number(name)?.map_or(default, |number| number as f32))
    }

    /// A number that is finite.
    pub(crate) fn finite(&mut self, name: &'static str, default: f32) -> Result<f32, Fault> {
        let number = self.float(name, default)?;
        if number.is_finite() {
            return Ok(number);
        }
        Err(Fault::argument(format!("{name}: {number} is NaN, infinite or out of range")))
    }

    pub(crate) fn maybe_whole(&mut self, name: &'static str) -> Result<Option<u32>, Fault> {
        self.number(name)?.map(|number| whole(name, number)).transpose()
    }

    pub(crate) fn whole(&mut self, name: &'static str, default: u32) -> Result<u32, Fault> {
        Ok(self.maybe_whole(name)?.unwrap_or(default))
    }

    pub(crate) fn half(&mut self, name: &'static str, default: u16) -> Result<u16, Fault> {
        Ok(self.number(name)?.map(|number| half(name, number)).transpose()?.unwrap_or(default))
    }

    /// All names are known.
    pub(crate) fn end(self) -> Result<(), Fault> {
        let Some(object) = self.object else { return Ok(()) };
        for name in Object::keys(&object).iter().filter_map(|name| name.as_string()) {
            if !self.known.contains(&&*name) {
                let known = self.known.join(", ");
                return Err(Fault::Type(format!("there is no option '{name}'; there are {known}")));
            }
        }
        Ok(())
    }
}
