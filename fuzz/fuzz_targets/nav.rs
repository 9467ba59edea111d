#![no_main]

#[path = "../checks/bytes.rs"]
#[allow(dead_code)] // Each target uses a part of it.
mod bytes;
#[path = "../checks/nav.rs"]
mod nav;
#[path = "../checks/sweep.rs"]
#[allow(dead_code)] // Its worlds are used, not its walks.
mod sweep;
#[path = "../../crates/physics/tests/watch/mod.rs"]
#[allow(dead_code)]
mod watch;

libfuzzer_sys::fuzz_target!(|data: &[u8]| nav::nav(data));
