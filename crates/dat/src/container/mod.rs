//! Finds, stores and removes the bytes of a record by its id.
//!
//! [`DatFile`] reads a file through a memory map: opening costs nothing, a lookup touches one node per level
//! of the directory, and a record that lies in one block is handed out without a copy. Spec: dat-container.

mod block;
mod compression;
mod entry;
mod file;
mod header;
mod image;
mod iteration;
mod lookup;
mod node;
mod note;
mod walk;

pub use block::ChainFault;
pub use entry::{Entry, MAX_RECORD_BYTES};
pub use file::DatFile;
pub use header::{FileKind, Header};
pub use iteration::IterationSet;
pub use node::NodeFault;
pub use note::Note;
pub use walk::Entries;
