//! The engine for JavaScript: `import init, { World } from "threshold-web"`.
//!
//! Everything here is a thin layer over `threshold-sim`. What callers see as values (places, hits, reports, options) are
//! plain objects, which can be sent to workers; their types are in `types.d.ts`. Worlds and objects are classes.
//!
//! A panic would leave WebAssembly as a trap, so everything that comes from JavaScript is checked: arguments arrive as
//! they are and are read by `argument`, before a world is touched.

mod argument;
mod entity;
mod error;
mod events;
mod picture;
mod position;
mod probe;
mod ranges;
mod report;
mod shared;
mod types;
mod updates;
mod value;
mod wire;
mod world;

use wasm_bindgen::prelude::wasm_bindgen;

/// Says in the console what a bug has done before it ends in a trap.
#[wasm_bindgen(start)]
fn start() {
    console_error_panic_hook::set_once();
}
