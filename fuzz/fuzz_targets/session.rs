#![no_main]

#[path = "../checks/wire.rs"]
#[allow(dead_code)] // Each target runs one of the checks.
mod wire;

libfuzzer_sys::fuzz_target!(|data: &[u8]| wire::session(data));
