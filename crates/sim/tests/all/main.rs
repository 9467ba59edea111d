//! Tests in one program, which is linked once; those that need a process of their own lie beside this folder.

mod by_hand;
mod doors;
mod from_outside;
mod gaits;
mod go_to;
mod habits;
mod kept_meshes;
mod known;
mod movement;
mod observers;
mod probes;
mod questions;
mod running;
mod seats;
mod session;
mod snapshots;
#[path = "../support/mod.rs"]
mod support;
mod unreadable;
mod updates;
