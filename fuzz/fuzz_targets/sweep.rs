#![no_main]

#[path = "../checks/bytes.rs"]
#[allow(dead_code)] // Each target uses a part of it.
mod bytes;
#[path = "../checks/sweep.rs"]
mod sweep;
#[path = "../../crates/physics/tests/watch/mod.rs"]
mod watch;

libfuzzer_sys::fuzz_target!(|data: &[u8]| sweep::sweep(data));
