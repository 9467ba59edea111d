//! Entities from the community's world database: SQL files that say which object stands where, and what it is.
//!
//! [`Database::read`] takes the statements of any number of files in order. [`Database::objects`] makes of them what a
//! scene can spawn, and a list of what is wrong with the rows; [`Database::placed_objects`] of the same what a world's
//! list of placed objects holds. [`Database::check`] looks at where the objects stand as well, with the questions that a
//! simulation answers, and [`rewrite`] corrects the rows. Nothing else of a database is understood: statements about
//! other tables are passed over.

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
