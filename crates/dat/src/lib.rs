//! The dat files of Asheron's Call: container and records, read and written byte for byte.
//!
//! [`container`] finds, stores and removes the bytes of a record by its [`DatId`]; [`records`] decodes those
//! bytes into values and encodes them again. Neither panics, hangs or allocates more than a small multiple of
//! its input, whatever that input is.

mod codec;
pub mod container;
mod error;
mod id;
mod mode;
mod prefetch;
pub mod records;

pub use error::{Error, RecordError, Result};
pub use id::{DatId, IdScheme, RecordKind, hex_digits, parse_hex};
pub use mode::Mode;
#[doc(hidden)]
pub use prefetch::prefetch;
