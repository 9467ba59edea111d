//! The explorer as a page.

use crate::module::{self, Builder, Purpose};
use anyhow::{Context, Result, ensure};
use std::{
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::Path,
};

const PROGRAM: &str = "threshold-explorer";
/// What is loaded before the first picture, packed as servers pack it: more is too much.
const MOST_BYTES: usize = 4_000_000;

pub fn make(builder: &Builder<'_>, out: &Path) -> Result<()> {
    module::bind(&builder.build(".", PROGRAM, PROGRAM)?, out, Purpose::Page)?;
    let files = copy(builder.root, out)?;
    let total = module::sizes(out, &files)?;
    println!("{total} bytes packed in {}: serve it, for instance by", out.display());
    println!("python3 -m http.server --directory {}", out.display());
    ensure!(total <= MOST_BYTES, "a page may have {MOST_BYTES} bytes packed");
    Ok(())
}

/// Copies the page's own files, which learn how large the program is and which version they belong to. Returns the names
/// of all files.
fn copy(root: &Path, out: &Path) -> Result<Vec<String>> {
    let program = format!("{PROGRAM}_bg.wasm");
    let mut files = vec![program.clone(), format!("{PROGRAM}.js")];
    let mut version = DefaultHasher::new();
    for file in &files {
        fs::read(out.join(file)).with_context(|| file.clone())?.hash(&mut version);
    }
    let folder = root.join("web/page");
    let mut sources = Vec::new();
    for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        sources.push((name, text));
    }
    sources.sort();
    sources.hash(&mut version);
    files.extend(sources.iter().map(|(name, _)| name.clone()).filter(|name| name != "sw.js"));
    let list = files.iter().map(|file| format!("\"./{file}\"")).collect::<Vec<_>>().join(", ");
    let size = fs::metadata(out.join(&program))?.len();
    for (name, text) in sources {
        let text = text
            .replace("PROGRAM_BYTES", &size.to_string())
            .replace("PAGE_VERSION", &format!("{:016x}", version.finish()))
            .replace("PAGE_FILES", &list);
        fs::write(out.join(&name), text).with_context(|| name)?;
    }
    files.push("sw.js".into());
    Ok(files)
}
