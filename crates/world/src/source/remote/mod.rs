//! A source elsewhere: records are asked for by messages, and answered later.
//!
//! For programs that must not wait, such as a page whose files are read by a worker. A [`RecordServer`] sits where the
//! records are, a [`RemoteSource`] where they are needed; how the bytes of their messages travel is the caller's matter.

mod client;
mod message;
mod server;

pub use client::RemoteSource;
pub use message::MessageError;
pub use server::RecordServer;
