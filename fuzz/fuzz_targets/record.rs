#![no_main]

#[path = "../checks/dat.rs"]
#[allow(dead_code)] // Each target runs one of the checks.
mod dat;

libfuzzer_sys::fuzz_target!(|data: &[u8]| dat::record(data));
