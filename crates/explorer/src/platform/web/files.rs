//! Files of a page: settings lie in its storage, everything else is downloaded.

use super::{browser, said};
use anyhow::{Context, Result};
use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};
use wasm_bindgen::JsCast;
use web_sys::{Blob, HtmlAnchorElement, Storage, Url};

/// Where settings lie in the page's storage.
const SETTINGS: &str = "threshold-explorer.json";

/// A file that is being written.
pub struct OutputFile {
    name: PathBuf,
    bytes: Vec<u8>,
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Begins a file.
pub fn create_file(path: &Path) -> Result<OutputFile> {
    Ok(OutputFile { name: path.to_owned(), bytes: Vec::new() })
}

/// Ends a file: the browser stores it where it stores such files.
pub fn finish_file(file: OutputFile) -> io::Result<()> {
    download(&file.name, &file.bytes).map_err(io::Error::other)
}

/// Stores a whole file.
pub fn write_file(path: &Path, bytes: impl AsRef<[u8]>) -> Result<()> {
    let context = || path.display().to_string();
    if path != Path::new(SETTINGS) {
        return download(path, bytes.as_ref()).with_context(context);
    }
    let text = str::from_utf8(bytes.as_ref()).with_context(context)?;
    match storage() {
        Some(storage) => storage.set_item(SETTINGS, text).map_err(said).with_context(context),
        // A browser that keeps nothing was told so.
        None => Ok(()),
    }
}

/// Reads what was stored; none when there is no such thing.
pub fn read_text(path: &Path) -> Result<Option<String>> {
    let Some(storage) = storage() else { return Ok(None) };
    storage.get_item(&path.to_string_lossy()).map_err(said)
}

/// A file is where the browser puts it.
pub fn full_path(path: &Path) -> PathBuf {
    path.to_owned()
}

/// A name for a file; the browser numbers those that there are already.
pub fn free_path(_: &Path, stem: &str, extension: &str) -> Result<PathBuf> {
    Ok(PathBuf::from(format!("{stem}.{extension}")))
}

/// The browser has one folder for all files.
pub fn pictures_folder() -> PathBuf {
    PathBuf::new()
}

pub(super) fn settings_path() -> PathBuf {
    PathBuf::from(SETTINGS)
}

fn storage() -> Option<Storage> {
    browser().ok()?.local_storage().ok()?
}

fn download(path: &Path, bytes: &[u8]) -> Result<()> {
    let document = browser()?.document().context("a page without a document")?;
    let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(bytes));
    let blob = Blob::new_with_u8_array_sequence(&parts).map_err(said)?;
    let address = Url::create_object_url_with_blob(&blob).map_err(said)?;
    let link: HtmlAnchorElement =
        document.create_element("a").map_err(said)?.dyn_into().map_err(|_| anyhow::anyhow!("no link"))?;
    link.set_href(&address);
    link.set_download(&path.file_name().unwrap_or_default().to_string_lossy());
    link.click();
    Url::revoke_object_url(&address).map_err(said)
}
