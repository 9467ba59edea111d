//! Tests in one program, which is linked once; those that need a process of their own lie beside this folder.

mod captures;
mod keys;
#[path = "../known/mod.rs"]
mod known;
mod motion;
mod motion_keys;
#[path = "../support/mod.rs"]
mod support;
mod walks;
