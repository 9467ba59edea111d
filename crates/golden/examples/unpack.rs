//! Writes the conformance kit as plain files.
//!
//! `cargo run -p threshold-golden --example unpack -- kit`

use std::{env, error::Error, fs, path::PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let dir = PathBuf::from(env::args_os().nth(1).ok_or("usage: unpack DIR")?);
    for (name, bytes) in threshold_golden::files() {
        let path = dir.join(name);
        fs::create_dir_all(path.parent().unwrap_or(&dir))?;
        fs::write(path, bytes)?;
    }
    Ok(())
}
