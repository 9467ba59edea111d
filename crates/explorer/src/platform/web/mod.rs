//! A page in a browser: what is written is downloaded, what is remembered lies in the page's own storage, and nothing
//! waits.

mod dats;
mod files;
mod pace;
mod page;
mod window;

pub use dats::{DatReader, open_world, receive};
pub use files::*;
pub use pace::{BEGINS_COARSE, FRAME_TIME, begin_frame, ground_time, hurry, last_frame, streaming};
pub use page::main;
pub use web_time::Instant;
pub use window::*;

use wasm_bindgen::JsValue;

/// Pictures of the sample world are painted when they are needed: one processor would paint them all for a second.
pub const PAINTS_AHEAD: bool = false;

/// How far time can be turned back: a page has less memory than a desktop, and every tick takes some 80 kB of it.
pub const SECONDS_REMEMBERED: usize = 20;

/// What is on the key of an action unless the settings say otherwise: function keys belong to the browser.
pub fn default_key(key: &'static str) -> &'static str {
    match key {
        "F1" => "KeyH",
        "F2" => "Digit2",
        "F3" => "Digit3",
        "F4" => "Digit4",
        "F5" => "Digit5",
        "F12" => "Digit0",
        key => key,
    }
}

fn browser() -> anyhow::Result<web_sys::Window> {
    web_sys::window().ok_or_else(|| anyhow::anyhow!("not running in a web page"))
}

/// What a browser says when it refuses.
fn said(error: JsValue) -> anyhow::Error {
    let text = js_sys::Reflect::get(&error, &"message".into()).ok().and_then(|text| text.as_string());
    anyhow::anyhow!("{}", text.unwrap_or_else(|| format!("{error:?}")))
}
