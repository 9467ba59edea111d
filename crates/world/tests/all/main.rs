//! Tests in one program, which is linked once; those that need a process of their own lie beside this folder.

mod bad_input;
mod check;
#[path = "../common/mod.rs"]
mod common;
mod dumps;
mod golden_calls;
mod remote;
mod streaming;
mod volumes;
