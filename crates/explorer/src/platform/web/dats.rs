//! Data files of one's own: read by a worker, record by record, and never sent anywhere.
//!
//! The worker runs this same program: [`DatReader`] is its part, everything else the page's.

use super::{browser, page, said};
use crate::{data::Data, explorer::Explorer};
use anyhow::{Context, Result};
use js_sys::{Function, Promise, Uint8Array};
use std::{
    cell::RefCell,
    io,
    path::{Path, PathBuf},
    rc::Rc,
    sync::Arc,
};
use threshold_dat::container::{DatFile, ReadAt};
use threshold_sim::SimError;
use threshold_world::{
    placed::{OBJECTS_FILE, PLACES_FILE, parse_objects, parse_places},
    source::{
        DatSource,
        remote::{RecordServer, RemoteSource},
    },
};
use wasm_bindgen::{JsCast, JsValue, prelude::wasm_bindgen};
use wasm_bindgen_futures::JsFuture;
use web_sys::{File, FileReaderSync};

/// Milliseconds until something is tried again that nobody has an answer for.
const PATIENCE: i32 = 200;

thread_local! {
    /// The worker's files. Readers know them by their numbers, for they may be asked from any thread that there were.
    static FILES: RefCell<Vec<File>> = const { RefCell::new(Vec::new()) };
    /// The page's connection to the worker.
    static CONNECTION: RefCell<Option<Rc<Connection>>> = const { RefCell::new(None) };
    /// A world that is ready to take the place of the one that is shown.
    static NEXT: RefCell<Option<Explorer>> = const { RefCell::new(None) };
    /// Who waits for the first one.
    static EXPECTED: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// A file of the browser.
struct PageFile {
    number: usize,
    size: u64,
}

impl ReadAt for PageFile {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let mut read = || {
            let file =
                FILES.with_borrow(|files| files.get(self.number).cloned()).context("the file is gone")?;
            let end = offset + buffer.len() as u64;
            let range = file.slice_with_f64_and_f64(offset as f64, end as f64).map_err(said)?;
            let reader = FileReaderSync::new().map_err(said)?;
            let bytes = reader.read_as_array_buffer(&range).map_err(said)?;
            let bytes = Uint8Array::new(&bytes);
            anyhow::ensure!(bytes.length() as usize == buffer.len(), "the file has become shorter");
            bytes.copy_to(buffer);
            Ok(())
        };
        read().map_err(|error: anyhow::Error| io::Error::other(format!("{error:#}")))
    }
}

/// The worker's part: reads the files that somebody has chosen.
#[wasm_bindgen]
pub struct DatReader {
    server: RecordServer,
}

#[wasm_bindgen]
impl DatReader {
    /// Opens the files, each of which is what its contents say.
    #[wasm_bindgen(constructor)]
    pub fn new(files: js_sys::Array) -> Result<DatReader, JsValue> {
        DatReader::open(files).map_err(|error| JsValue::from_str(&format!("{error:#}")))
    }

    fn open(files: js_sys::Array) -> Result<DatReader> {
        let mut dats = Vec::new();
        for file in files.iter() {
            let file: File = file.dyn_into().map_err(|_| anyhow::anyhow!("this is not a file"))?;
            let (name, size) = (PathBuf::from(file.name()), file.size() as u64);
            let number = FILES.with_borrow_mut(|files| {
                files.push(file);
                files.len() - 1
            });
            let dat = DatFile::from_ranges(&name, PageFile { number, size });
            dats.push((name.clone(), dat.with_context(|| name.display().to_string())?));
        }
        let source = DatSource::from_files(dats)?;
        Ok(DatReader { server: RecordServer::new(Arc::new(source)) })
    }

    /// Which records there are.
    pub fn directories(&self) -> Result<Vec<u8>, JsValue> {
        self.server.directories().map_err(|error| JsValue::from_str(&error.to_string()))
    }

    /// Records that the page has asked for.
    pub fn answer(&mut self, wanted: &[u8]) -> Result<Vec<u8>, JsValue> {
        self.server.answer(wanted).map_err(|error| JsValue::from_str(&error.to_string()))
    }
}

/// The page's end of the connection to the worker.
struct Connection {
    source: Arc<RemoteSource>,
    /// Sends a message.
    ask: Function,
    /// Who waits for an answer.
    waiting: RefCell<Vec<Function>>,
}

impl Connection {
    /// Asks for what is missing, and waits until something has come.
    async fn answered(&self) {
        self.ask();
        let promise = if self.source.is_waiting() {
            Promise::new(&mut |resolve, _| self.waiting.borrow_mut().push(resolve))
        } else {
            // A disk that refused may have recovered a moment later.
            Promise::new(&mut |resolve, _| {
                if let Ok(browser) = browser() {
                    let _ = browser.set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, PATIENCE);
                }
            })
        };
        // A promise that is only ever kept.
        let _ = JsFuture::from(promise).await;
    }

    fn ask(&self) {
        if let Some(message) = self.source.wanted() {
            // A worker that is gone does not answer; the page says so itself.
            let _ = self.ask.call1(&JsValue::NULL, &Uint8Array::from(&message[..]));
        }
    }
}

/// Asks the worker for records that are missing.
pub(super) fn ask() {
    if let Some(connection) = CONNECTION.with_borrow(Clone::clone) {
        connection.ask();
    }
}

/// The world that takes the place of the one that is shown.
pub(super) fn take_next() -> Option<Explorer> {
    NEXT.take()
}

/// The first world, as soon as somebody has chosen its files.
pub(super) async fn first() -> Explorer {
    loop {
        if let Some(explorer) = NEXT.take() {
            return explorer;
        }
        let promise = Promise::new(&mut |resolve, _| EXPECTED.set(Some(resolve)));
        // A promise that is only ever kept.
        let _ = JsFuture::from(promise).await;
    }
}

/// An answer of the worker has come.
#[wasm_bindgen]
pub fn receive(answer: &[u8]) -> Result<(), JsValue> {
    let Some(connection) = CONNECTION.with_borrow(Clone::clone) else { return Ok(()) };
    connection.source.receive(answer).map_err(|error| JsValue::from_str(&error.to_string()))?;
    for resolve in connection.waiting.take() {
        let _ = resolve.call0(&JsValue::NULL);
    }
    Ok(())
}

/// Opens the world whose directories a worker has read, and shows it instead of the present one. `ask` sends a message to
/// the worker; `places` and `things` are the texts of files beside the dats.
#[wasm_bindgen]
pub async fn open_world(
    directories: Vec<u8>,
    places: Option<String>,
    things: Option<String>,
    ask: Function,
) -> Result<(), JsValue> {
    let opened = open(&directories, places.as_deref(), things.as_deref(), ask).await;
    opened.map_err(|error| JsValue::from_str(&format!("{error:#}")))
}

async fn open(directories: &[u8], places: Option<&str>, things: Option<&str>, ask: Function) -> Result<()> {
    let source = Arc::new(RemoteSource::new(directories)?);
    let connection = Rc::new(Connection { source: source.clone(), ask, waiting: RefCell::default() });
    let before = CONNECTION.replace(Some(connection.clone()));
    let opened = async {
        let things = things.map_or(Ok(Vec::new()), |text| parse_objects(Path::new(OBJECTS_FILE), text))?;
        let places = places.map_or(Ok(Vec::new()), |text| parse_places(Path::new(PLACES_FILE), text))?;
        let data = Arc::new(Data::of(source, things, places)?);
        // A link may lead to a place of another world.
        let at = page::asked("at")?.and_then(|place| data.find(&place).ok());
        let script = page::script().await?;
        let settings = page::settings(script.is_some())?;
        loop {
            match Explorer::new(data.clone(), at, settings.clone(), script.clone()) {
                Err(error) if is_pending(&error) => connection.answered().await,
                explorer => return explorer,
            }
        }
    };
    match opened.await {
        Ok(explorer) => {
            NEXT.set(Some(explorer));
            if let Some(resolve) = EXPECTED.take() {
                let _ = resolve.call0(&JsValue::NULL);
            }
            Ok(())
        }
        Err(error) => {
            CONNECTION.set(before);
            Err(error)
        }
    }
}

fn is_pending(error: &anyhow::Error) -> bool {
    let of_record = |error: &threshold_dat::Error| error.is_pending();
    error.downcast_ref().is_some_and(SimError::is_pending) || error.downcast_ref().is_some_and(of_record)
}
