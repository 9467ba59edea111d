//! Recorded sessions of the network protocol.

use crate::{
    argument::bytes,
    error::Fault,
    types::{JsBytes, JsSessionEvents},
};
use js_sys::JSON;
use threshold_wire::{Capture, DEFAULT_PORTS};
use wasm_bindgen::{JsCast, prelude::wasm_bindgen};

/// What happens in a recorded session (pcap, pcapng, gzipped or not), as `threshold wire decode` prints it.
#[wasm_bindgen]
pub fn decode(capture: &JsBytes) -> Result<JsSessionEvents, Fault> {
    let bytes = bytes("capture", capture)?;
    let capture = Capture::new(&bytes[..]).map_err(|error| Fault::Data(error.to_string()))?;
    let mut text = String::from("[");
    threshold_wire::decode(capture, DEFAULT_PORTS, &mut |event| {
        for line in event.lines() {
            if text.len() > 1 {
                text.push(',');
            }
            line.write(&mut text);
        }
    });
    text.push(']');
    Ok(JSON::parse(&text)?.unchecked_into())
}
