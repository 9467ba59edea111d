//! Errors, as exceptions.

use pyo3::{
    create_exception,
    exceptions::{PyException, PyValueError},
    prelude::*,
};
use threshold_physics::{SceneError, sweep::SweepError};
use threshold_sim::{ErrorKind, SimError};

create_exception!(threshold, Error, PyException, "The engine refused a call; the world is unchanged.");
create_exception!(threshold, NotFoundError, Error, "There is no such object, cell, block, record or name.");
create_exception!(threshold, NotPossibleError, Error, "The object cannot do that.");
create_exception!(
    threshold,
    DataError,
    Error,
    "A file cannot be read or written, or its contents cannot be used."
);
create_exception!(threshold, BusyError, Error, "Another thread is using the same world or file.");

/// A refusal, without Python.
#[derive(Debug)]
pub(crate) enum Fault {
    Argument(String),
    NotFound(String),
    NotPossible(String),
    Data(String),
    /// Another thread is using it.
    Busy(&'static str),
    /// The world or file is closed.
    Closed(&'static str),
    /// A bug: what was in use may be in any state.
    Broken(&'static str),
}

impl Fault {
    pub(crate) fn argument(message: impl Into<String>) -> Fault {
        Fault::Argument(message.into())
    }

    pub(crate) fn not_found(what: impl std::fmt::Display) -> Fault {
        Fault::NotFound(format!("there is no {what}"))
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

impl From<Fault> for PyErr {
    fn from(fault: Fault) -> PyErr {
        match fault {
            Fault::Argument(message) => PyValueError::new_err(message),
            Fault::NotFound(message) => NotFoundError::new_err(message),
            Fault::NotPossible(message) => NotPossibleError::new_err(message),
            Fault::Data(message) => DataError::new_err(message),
            Fault::Busy(kind) => BusyError::new_err(format!("another thread is using this {kind}")),
            Fault::Closed(kind) => PyValueError::new_err(format!("the {kind} is closed")),
            Fault::Broken(kind) => {
                Error::new_err(format!("the {kind} was in use when the library failed; close it"))
            }
        }
    }
}
