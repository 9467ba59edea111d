//! Progress for people; nothing is drawn when stderr is not a terminal.

use indicatif::{ProgressBar, ProgressStyle};
use std::{path::Path, time::Duration};

/// A bar over `len` steps of something.
pub(crate) fn bar(len: usize, what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {bar:40} {pos}/{len} {eta}");
    let bar = ProgressBar::new(len as u64).with_message(what);
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Steps that have names, shown from the first moment on with the time that has passed.
pub(crate) fn steps(first: &'static str) -> ProgressBar {
    let bar = ProgressBar::new_spinner().with_message(first);
    let bar = match ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    };
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
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
