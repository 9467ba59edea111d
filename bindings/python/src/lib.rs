//! The engine for Python: `import threshold`.
//!
//! Everything here is a thin layer over `threshold-sim`; types and documentation for users are in
//! `python/threshold/__init__.pyi`. Use a world from one thread at a time; calls that may take long release the
//! GIL.

mod dat;
mod entity;
mod error;
mod events;
mod picture;
mod position;
mod probe;
mod shared;
mod updates;
mod wire;
mod world;

use pyo3::prelude::*;

#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::{
        dat::DatFile,
        entity::{Entity, Walker},
        error::{BusyError, DataError, Error, NotFoundError, NotPossibleError},
        picture::{Plan, PlanCell},
        position::Position,
        probe::{Body, Hit, JumpReport, PathReport, Route},
        updates::Update,
        wire::decode,
        world::{Portal, World},
    };
}
