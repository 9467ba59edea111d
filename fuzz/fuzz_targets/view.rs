#![no_main]

#[path = "../checks/bytes.rs"]
#[allow(dead_code)] // Each target uses a part of it.
mod bytes;
#[path = "../../crates/view/tests/support/sanity.rs"]
mod sanity;
#[path = "../../crates/view/tests/support/mod.rs"]
mod support;
#[path = "../checks/view.rs"]
mod view;

libfuzzer_sys::fuzz_target!(|data: &[u8]| view::view(data));
