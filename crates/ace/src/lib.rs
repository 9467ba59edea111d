//! Objects from the community's world database: SQL files with the position and class of every placed object.
//!
//! [`Database::read`] takes the statements of any number of files in order. [`Database::objects`] turns them into objects
//! that a scene can spawn, with a list of problems in the rows; [`Database::placed_objects`] turns them into placed objects
//! of a world. [`Database::check`] also checks where the objects are, using the queries of a simulation, and [`rewrite`]
//! corrects the rows. Statements about other tables are ignored.

mod check;
mod database;
mod finding;
mod objects;
mod placed;
mod rewrite;
mod room;
mod rows;
mod sql;
mod text;

pub use check::{CheckOptions, Checked};
pub use database::{Class, ClassKind, Database, FileError, Generator, Instance, Origin, Spot, Where};
pub use finding::{Finding, Problem};
pub use objects::{Models, Object, Objects};
pub use placed::PlacedRows;
pub use rewrite::rewrite;
pub use sql::SqlError;
pub use text::decode;
pub use threshold_world::check::Severity;
