//! Data files that are read by ranges: a `Blob` in a worker, or whatever can read.

use crate::{argument::shown, error::Fault};
use js_sys::{ArrayBuffer, Function, Reflect, Uint8Array};
use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    io,
};
use threshold_dat::container::ReadAt;
use wasm_bindgen::{JsCast, JsValue, prelude::wasm_bindgen};

#[wasm_bindgen]
extern "C" {
    type Blob;
    #[wasm_bindgen(method, getter)]
    fn size(this: &Blob) -> f64;
    #[wasm_bindgen(method, catch)]
    fn slice(this: &Blob, begin: f64, end: f64) -> Result<Blob, JsValue>;

    type FileReaderSync;
    #[wasm_bindgen(constructor, catch)]
    fn new() -> Result<FileReaderSync, JsValue>;
    #[wasm_bindgen(method, catch, js_name = readAsArrayBuffer)]
    fn read(this: &FileReaderSync, blob: &Blob) -> Result<ArrayBuffer, JsValue>;
}

/// What reads.
#[derive(Clone)]
enum Source {
    Blob { reader: JsValue, blob: JsValue },
    Function { read: Function, of: JsValue },
}

thread_local! {
    /// The sources of open files. Readers know them by their numbers, for they may be asked from any thread that there were.
    static SOURCES: RefCell<BTreeMap<u64, Source>> = const { RefCell::new(BTreeMap::new()) };
    static NEXT: Cell<u64> = const { Cell::new(0) };
}

/// A file that JavaScript reads for us.
pub(crate) struct Ranged {
    number: u64,
    size: u64,
}

impl Ranged {
    /// A `Blob`, or an object with `size` and `read(offset, length)`; `None` for any other value.
    pub(crate) fn new(name: &str, value: &JsValue) -> Result<Option<Ranged>, Fault> {
        let (source, size) = if let Some(blob) = value.dyn_ref::<Blob>() {
            let reader = FileReaderSync::new().map_err(|_| {
                Fault::argument(format!(
                    "{name}: a Blob can be read in a browser's worker only; elsewhere pass its bytes, or an object with size and read"
                ))
            })?;
            (Source::Blob { reader: reader.into(), blob: value.clone() }, blob.size())
        } else if value.is_object() {
            let field = |field: &str| Reflect::get(value, &field.into()).map_err(Fault::Thrown);
            let Ok(read) = field("read")?.dyn_into::<Function>() else { return Ok(None) };
            let size = field("size")?;
            let wrong = || Fault::Type(format!("{name}.size: expected a number, not {}", shown(&size)));
            (Source::Function { read, of: value.clone() }, size.as_f64().ok_or_else(wrong)?)
        } else {
            return Ok(None);
        };
        if size.fract() != 0.0 || !(0.0..=js_sys::Number::MAX_SAFE_INTEGER).contains(&size) {
            return Err(Fault::argument(format!("{name}.size: {size} is not a number of bytes")));
        }
        let number = NEXT.replace(NEXT.get() + 1);
        SOURCES.with_borrow_mut(|sources| sources.insert(number, source));
        Ok(Some(Ranged { number, size: size as u64 }))
    }
}

impl Drop for Ranged {
    fn drop(&mut self) {
        SOURCES.with_borrow_mut(|sources| sources.remove(&self.number));
    }
}

impl ReadAt for Ranged {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        // Not borrowed while JavaScript runs: it may open another file.
        let source = SOURCES.with_borrow(|sources| sources.get(&self.number).cloned());
        let source = source.ok_or_else(|| io::Error::other("the file is closed"))?;
        let (begin, length) = (offset as f64, buffer.len() as f64);
        let bytes = match &source {
            Source::Blob { reader, blob } => {
                let (reader, blob): (&FileReaderSync, &Blob) = (reader.unchecked_ref(), blob.unchecked_ref());
                let range = blob.slice(begin, begin + length);
                range.and_then(|range| reader.read(&range)).map(|bytes| Uint8Array::new(&bytes).into())
            }
            Source::Function { read, of } => read.call2(of, &begin.into(), &length.into()),
        };
        let bytes = bytes.map_err(|error| io::Error::other(said(&error)))?;
        let Some(bytes) = bytes.dyn_ref::<Uint8Array>() else {
            return Err(io::Error::other(format!("read has answered {} instead of a Uint8Array", shown(&bytes))));
        };
        if bytes.length() as usize != buffer.len() {
            let (offset, length, found) = (offset, buffer.len(), bytes.length());
            return Err(io::Error::other(format!("{found} bytes instead of {length} at {offset}")));
        }
        bytes.copy_to(buffer);
        Ok(())
    }
}

/// The message of what was thrown.
fn said(error: &JsValue) -> String {
    let message = Reflect::get(error, &"message".into()).ok().and_then(|message| message.as_string());
    message.unwrap_or_else(|| shown(error))
}
