//! The explorer as a page.

use crate::module::{self, Builder, Purpose};
use anyhow::{Context, Result, ensure};
use std::{
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::Path,
};

const PROGRAM: &str = "threshold-explorer";
/// Asks a browser for a vector: a module whose only function makes one.
const HAS_VECTORS: &str = "WebAssembly.validate(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, \
    3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11))";
/// What is loaded before the first picture, packed as servers pack it: more is too much.
const MOST_BYTES: usize = 4_000_000;

pub fn make(builder: &Builder<'_>, out: &Path, simd: bool) -> Result<()> {
    let module = builder.build(".", PROGRAM, PROGRAM, false)?;
    builder.bind(&module, out, PROGRAM, Purpose::Page)?;
    let mut programs = vec![format!("{PROGRAM}_bg.wasm")];
    if simd {
        programs.push(with_vectors(builder, out)?);
    }
    let files = copy(builder.root, out, &programs)?;
    let (mut total, mut largest) = (0, 0);
    for file in &files {
        let packed = module::packed_size(out, file)?;
        // A browser loads one of the programs.
        if programs.contains(file) { largest = largest.max(packed) } else { total += packed }
    }
    total += largest;
    println!(
        "{total} bytes packed before the first picture, in {}: serve it, for instance by",
        out.display()
    );
    println!("python3 -m http.server --directory {}", out.display());
    ensure!(total <= MOST_BYTES, "the packed page has {total} bytes; at most {MOST_BYTES} are allowed");
    Ok(())
}

/// Builds the program once more, with vectors, and returns the name of its file. It needs the same script, whose comments alone
/// number functions in another way.
fn with_vectors(builder: &Builder<'_>, out: &Path) -> Result<String> {
    let module = builder.build(".", PROGRAM, PROGRAM, true)?;
    let beside = out.join("simd");
    builder.bind(&module, &beside, PROGRAM, Purpose::Page)?;
    let script = |folder: &Path| fs::read_to_string(folder.join(format!("{PROGRAM}.js")));
    let scripts = [script(out)?, script(&beside)?];
    let [one, two] =
        scripts.each_ref().map(|script| script.lines().filter(|line| !line.trim_start().starts_with("//")));
    ensure!(one.eq(two), "the program with vectors wants another script");
    let name = format!("{PROGRAM}-simd_bg.wasm");
    fs::rename(beside.join(format!("{PROGRAM}_bg.wasm")), out.join(&name))?;
    fs::remove_dir_all(beside)?;
    Ok(name)
}

/// Copies the page's own files, which learn which program to load, how large it is and which version they belong to. Returns
/// the names of all files.
fn copy(root: &Path, out: &Path, programs: &[String]) -> Result<Vec<String>> {
    let mut files = programs.to_vec();
    files.push(format!("{PROGRAM}.js"));
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
    let others = files.iter().filter(|file| !programs.contains(file));
    let list = others.map(|file| format!("\"./{file}\"")).collect::<Vec<_>>().join(", ");
    let of_programs = |what: &dyn Fn(&String) -> Result<String>| match programs {
        [plain, vectors] => Ok(format!("({HAS_VECTORS} ? {} : {})", what(vectors)?, what(plain)?)),
        _ => what(&programs[0]),
    };
    let program = of_programs(&|file| Ok(format!("\"./{file}\"")))?;
    let size = of_programs(&|file| Ok(fs::metadata(out.join(file))?.len().to_string()))?;
    for (name, text) in sources {
        let text = text
            .replace("PROGRAM_BYTES", &size)
            .replace("PROGRAM_FILE", &program)
            .replace("PAGE_VERSION", &format!("{:016x}", version.finish()))
            .replace("PAGE_FILES", &list);
        fs::write(out.join(&name), text).with_context(|| name)?;
    }
    files.push("sw.js".into());
    Ok(files)
}
