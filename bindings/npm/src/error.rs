//! What can go wrong, as errors of JavaScript.

use threshold_physics::{SceneError, sweep::SweepError};
use threshold_sim::{ErrorKind, SimError};
use wasm_bindgen::JsValue;

/// A refusal.
#[derive(Debug)]
pub enum Fault {
    /// A value of another type than is asked for.
    Type(String),
    Argument(String),
    NotFound(String),
    NotPossible(String),
    Data(String),
    /// The world is closed.
    Closed,
    /// A call from within a call with the same world, or after a trap in one.
    Busy,
    /// What code of the caller has thrown.
    Thrown(JsValue),
}

impl Fault {
    pub(crate) fn argument(message: impl Into<String>) -> Fault {
        Fault::Argument(message.into())
    }

    pub(crate) fn not_found(what: impl std::fmt::Display) -> Fault {
        Fault::NotFound(format!("there is no {what}"))
    }

    /// Says which entry of many it is about.
    pub(crate) fn of_entry(self, index: usize) -> Fault {
        match self {
            Fault::Argument(message) => Fault::Argument(format!("entry {index}: {message}")),
            Fault::NotFound(message) => Fault::NotFound(format!("entry {index}: {message}")),
            other => other,
        }
    }
}

impl From<SimError> for Fault {
    fn from(error: SimError) -> Fault {
        let message = error.to_string();
        match error.kind() {
            ErrorKind::Argument => Fault::Argument(message),
            ErrorKind::NotFound => Fault::NotFound(message),
            ErrorKind::NotPossible => Fault::NotPossible(message),
            ErrorKind::Data => Fault::Data(message),
        }
    }
}

impl From<SceneError> for Fault {
    fn from(error: SceneError) -> Fault {
        SimError::from(error).into()
    }
}

impl From<SweepError> for Fault {
    fn from(error: SweepError) -> Fault {
        Fault::Argument(error.to_string())
    }
}

impl From<threshold_dat::Error> for Fault {
    fn from(error: threshold_dat::Error) -> Fault {
        Fault::Data(error.to_string())
    }
}

impl From<JsValue> for Fault {
    fn from(thrown: JsValue) -> Fault {
        Fault::Thrown(thrown)
    }
}

fn named(name: &str, message: &str) -> JsValue {
    let error = js_sys::Error::new(message);
    error.set_name(name);
    error.into()
}

impl From<Fault> for JsValue {
    fn from(fault: Fault) -> JsValue {
        match fault {
            Fault::Type(message) => js_sys::TypeError::new(&message).into(),
            Fault::Argument(message) => js_sys::RangeError::new(&message).into(),
            Fault::NotFound(message) => named("NotFoundError", &message),
            Fault::NotPossible(message) => named("NotPossibleError", &message),
            Fault::Data(message) => named("DataError", &message),
            Fault::Closed => named("Error", "the world is closed"),
            Fault::Busy => named("Error", "the world is in use, or was when the engine failed; close it"),
            Fault::Thrown(value) => value,
        }
    }
}
