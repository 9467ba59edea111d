//! Writes the public API of crates, from rustdoc's JSON, as one line per item: `public-api DIR FILE.json…`

use std::{env::args_os, error::Error, fs, path::PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let mut paths = args_os().skip(1).map(PathBuf::from);
    let folder = paths.next().ok_or("usage: public-api DIR FILE.json…")?;
    for json in paths {
        let builder = public_api::Builder::from_rustdoc_json(&json);
        let api = builder
            .omit_blanket_impls(true)
            .omit_auto_trait_impls(true)
            .omit_auto_derived_impls(true)
            .build()
            .map_err(|error| format!("{}: {error}", json.display()))?;
        let name = json.file_stem().ok_or("a file has no name")?;
        fs::write(folder.join(name).with_extension("txt"), api.to_string())?;
    }
    Ok(())
}
