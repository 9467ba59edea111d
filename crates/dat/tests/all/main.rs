//! Tests in one program, which is linked once; those that need a process of their own lie beside this folder.

mod container_damage;
mod container_editing;
mod container_examples;
mod container_reading;
mod golden_worlds;
#[path = "../../../../fuzz/checks/ranged.rs"]
mod ranged;
mod record_allocation;
mod record_examples;
mod record_worlds;
#[path = "../support/mod.rs"]
mod support;
