#![no_main]

#[path = "../checks/text.rs"]
#[allow(dead_code)] // Each target runs one of the checks.
mod text;

libfuzzer_sys::fuzz_target!(|data: &[u8]| text::loc(data));
