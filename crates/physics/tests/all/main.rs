//! Tests in one program, which is linked once; those that need a process of their own lie beside this folder.

mod bad_input;
mod crowd;
mod doors;
mod golden_calls;
mod houses;
mod keys;
mod latch;
mod movement;
mod objects;
mod properties;
mod random_sweeps;
mod refusals;
mod registration;
mod residency;
mod snapshots;
#[path = "../support/mod.rs"]
mod support;
#[path = "../walls/mod.rs"]
mod walls;
#[path = "../watch/mod.rs"]
mod watch;
