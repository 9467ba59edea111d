//! Recorded sessions of the network protocol.

use crate::error::Fault;
use pyo3::{prelude::*, types::PyList};
use std::path::PathBuf;
use threshold_wire::{Capture, DEFAULT_PORTS};

/// A capture: a file, or its bytes.
#[derive(FromPyObject)]
pub(crate) enum CaptureArg {
    Bytes(Vec<u8>),
    Path(PathBuf),
}

fn lines(capture: Capture<'_>) -> String {
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
    text
}

/// The events of a recorded session (pcap, pcapng, gzipped or not): a dict per event, as `threshold wire decode` prints it.
#[pyfunction]
pub(crate) fn decode<'py>(py: Python<'py>, capture: CaptureArg) -> PyResult<Bound<'py, PyList>> {
    let text = py.detach(|| -> Result<String, Fault> {
        let opened = match &capture {
            CaptureArg::Bytes(bytes) => Capture::new(&bytes[..]),
            CaptureArg::Path(path) => Capture::open(path),
        };
        Ok(lines(opened.map_err(|error| Fault::Data(error.to_string()))?))
    })?;
    Ok(py.import("json")?.call_method1("loads", (text,))?.cast_into()?)
}
