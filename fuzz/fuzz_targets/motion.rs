#![no_main]

#[path = "../checks/bytes.rs"]
#[allow(dead_code)] // Each target uses a part of it.
mod bytes;
#[path = "../checks/motion.rs"]
mod motion;

libfuzzer_sys::fuzz_target!(|data: &[u8]| motion::motion(data));
