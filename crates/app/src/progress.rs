//! Progress for people; nothing is drawn when stderr is not a terminal.

use indicatif::{ProgressBar, ProgressStyle};
use std::path::Path;

/// A bar over `len` steps of something.
pub(crate) fn bar(len: usize, what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {bar:40} {pos}/{len} {eta}");
    let bar = ProgressBar::new(len as u64).with_message(what);
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// A bar over the bytes of a file.
pub(crate) fn bytes(len: u64, path: &Path) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {wide_bar} {bytes}/{total_bytes} {eta}");
    let bar = ProgressBar::new(len).with_message(path.display().to_string());
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
