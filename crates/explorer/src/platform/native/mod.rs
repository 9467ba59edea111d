//! A desktop: files are files, and time is the system's.

#[cfg(feature = "window")]
mod command_line;
#[cfg(feature = "window")]
mod window;

#[cfg(feature = "window")]
pub use {command_line::main, window::*};

use anyhow::{Context, Result};
use std::{
    env, fs,
    fs::File,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    time::Duration,
};
use threshold_render::assets::Assets;
use threshold_world::stream::StreamConfig;

pub use std::time::Instant;

/// Pictures wait for all that they need: there is a fast processor, or a script that compares them.
pub fn hurry(_: &mut Assets) {}

/// Time that a frame has to make ground ready that will be seen from near.
pub fn ground_time() -> Duration {
    Duration::from_millis(2)
}

/// All pictures of the sample world are painted at the start: all processors do that in a moment, and no frame waits for one.
pub const PAINTS_AHEAD: bool = true;

/// How far time can be turned back.
pub const SECONDS_REMEMBERED: usize = 60;

/// What is loaded around a player, and by whom.
pub fn streaming(_: bool) -> StreamConfig {
    StreamConfig::default()
}

/// A file that is being written.
pub type OutputFile = BufWriter<File>;

/// A path as somebody in another folder would have to write it.
pub fn full_path(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// Begins a file.
pub fn create_file(path: &Path) -> Result<OutputFile> {
    File::create(path).map(BufWriter::new).with_context(|| path.display().to_string())
}

/// Ends a file.
pub fn finish_file(mut file: OutputFile) -> io::Result<()> {
    file.flush()
}

/// Writes a whole file, with the folder it is in if that is missing.
pub fn write_file(path: &Path, bytes: impl AsRef<[u8]>) -> Result<()> {
    let context = || path.display().to_string();
    if let Some(dir) = path.parent() {
        fs::create_dir_all(dir).with_context(context)?;
    }
    fs::write(path, bytes).with_context(context)
}

/// Reads a whole file of text; `None` when there is no such file.
pub fn read_text(path: &Path) -> Result<Option<String>> {
    if !path.exists() {
        return Ok(None);
    }
    fs::read_to_string(path).map(Some).with_context(|| path.display().to_string())
}

/// A file in a folder that is not there yet: its name with a number. No folder is the current one.
pub fn free_path(folder: &Path, stem: &str, extension: &str) -> Result<PathBuf> {
    let mut paths = (1..10_000).map(|number| folder.join(format!("{stem}-{number:03}.{extension}")));
    paths.find(|path| !path.exists()).context("there are too many files of this kind here")
}

/// Where pictures are kept, by the custom of the system; the current folder when it has no place for them.
pub fn pictures_folder() -> PathBuf {
    let home = if cfg!(windows) { folder("USERPROFILE") } else { folder("HOME") };
    let pictures = folder("XDG_PICTURES_DIR").or_else(|| home.map(|home| home.join("Pictures")));
    pictures.map(|pictures| pictures.join("Threshold")).unwrap_or_default()
}

/// What is on the key of an action unless the settings say otherwise.
pub fn default_key(key: &'static str) -> &'static str {
    key
}

/// A folder that the environment names.
fn folder(name: &str) -> Option<PathBuf> {
    env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// Where settings are kept, by the custom of the system; `None` when it has no place for them.
pub fn settings_path() -> Option<PathBuf> {
    let base = if cfg!(windows) {
        folder("APPDATA")
    } else if cfg!(target_os = "macos") {
        folder("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        folder("XDG_CONFIG_HOME").or_else(|| folder("HOME").map(|home| home.join(".config")))
    };
    base.map(|base| base.join("threshold").join("explorer.json"))
}
