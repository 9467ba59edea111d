#![no_main]

#[path = "../checks/script.rs"]
#[allow(dead_code)] // Each target runs one of the checks.
mod script;

libfuzzer_sys::fuzz_target!(|data: &[u8]| script::capture(data));
