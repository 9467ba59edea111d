//! Finds, stores and removes the bytes of a record by its id.
//!
//! [`DatFile`] reads a file through a memory map: opening costs nothing, a lookup touches one node per level
//! of the directory, and a record that lies in one block is handed out without a copy. Where a file can neither be
//! mapped nor read whole, it reads ranges of it ([`ReadAt`]). [`Builder`] writes a new
//! file in one pass; [`Editor`] changes a copy of an existing one and puts it in its place. Spec: dat-container.

mod block;
mod block_set;
mod builder;
mod compression;
mod editor;
mod entry;
mod file;
mod free_list;
mod header;
mod image;
mod limits;
mod lookup;
mod node;
mod node_form;
mod note;
mod ranges;
mod replacement;
mod survey;
mod walk;

pub use block::ChainFault;
pub use builder::{Attributes, Builder};
pub use editor::{Change, Editor};
pub use entry::Entry;
pub use file::DatFile;
pub use free_list::{FreeBlocks, FreeListFault};
pub use header::{FileKind, Header};
pub use limits::Limits;
pub use node::NodeFault;
pub use note::Note;
pub use ranges::ReadAt;
pub use replacement::Replacement;
pub use survey::{Finding, Owner, Sight, Survey, Totals};
pub use walk::Entries;
