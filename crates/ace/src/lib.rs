//! Entities from the community's world database: SQL files that say which object stands where, and what it is.
//!
//! [`Database::read`] takes the statements of any number of files in order. [`Database::objects`] makes of them what a
//! scene can spawn, and a list of everything that is wrong; [`Database::placed_objects`] of the same what a world's
//! list of placed objects holds. Nothing else of a database is understood: statements about
//! other tables are passed over.

mod database;
mod finding;
mod objects;
mod placed;
mod rows;
mod sql;

pub use database::{Class, ClassKind, Database, FileError, Generator, Instance, Origin, Spot, Where};
pub use finding::{Finding, Problem};
pub use objects::{Models, Object, Objects};
pub use placed::PlacedRows;
pub use sql::SqlError;
