//! `cargo web [--out DIR] [--through COMMAND]`: the explorer as a page, a folder for any static server.
//!
//! `--out` is `web/dist` unless named. `--through` runs cargo by a command that prepares a toolchain, such as
//! `.ci/wasm-std`.

use anyhow::{Context, Result, bail, ensure};
use flate2::{Compression, write::GzEncoder};
use std::{
    env, fs,
    hash::{DefaultHasher, Hash, Hasher},
    io::Write,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};
use wasm_bindgen_cli_support::Bindgen;

const TARGET: &str = "wasm32-unknown-unknown";
const PROFILE: &str = "web";
const PROGRAM: &str = "threshold-explorer";
/// What is loaded before the first picture, packed as servers pack it: more is too much.
const MOST_BYTES: usize = 4_000_000;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cargo web: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("web/ lies in the repository")?;
    let (mut out, mut through) = (root.join("web/dist"), None);
    let mut args = env::args().skip(1);
    while let Some(option) = args.next() {
        let value = args.next().with_context(|| format!("{option} needs a value"))?;
        match option.as_str() {
            "--out" => out = PathBuf::from(value),
            "--through" => through = Some(value),
            _ => bail!("unknown option {option}; use --out DIR or --through COMMAND"),
        }
    }
    let target_dir = root.join("target/web-build");
    build(root, &target_dir, through.as_deref())?;
    fs::create_dir_all(&out).with_context(|| out.display().to_string())?;
    let module = target_dir.join(TARGET).join(PROFILE).join(format!("{PROGRAM}.wasm"));
    Bindgen::new().input_path(&module).web(true)?.typescript(false).generate(&out)?;
    let files = page(root, &out)?;
    let mut total = 0;
    for file in &files {
        let bytes = fs::read(out.join(file)).with_context(|| file.clone())?;
        let packed = gzip(&bytes)?;
        total += packed;
        println!("{:>10} bytes, {packed:>9} packed  {file}", bytes.len());
    }
    println!("{total} bytes packed in {}: serve it, for instance by", out.display());
    println!("python3 -m http.server --directory {}", out.display());
    ensure!(total <= MOST_BYTES, "the packed page has {total} bytes; at most {MOST_BYTES} are allowed");
    Ok(())
}

fn build(root: &Path, target_dir: &Path, through: Option<&str>) -> Result<()> {
    let cargo = env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let mut command = match through {
        Some(through) => {
            let mut command = Command::new(through);
            command.arg(cargo);
            command
        }
        None => Command::new(cargo),
    };
    command.args(["build", "--locked", "--profile", PROFILE, "--target", TARGET, "-p", PROGRAM]);
    command.arg("--target-dir").arg(target_dir).current_dir(root);
    let status = command.status().with_context(|| format!("{command:?}"))?;
    ensure!(
        status.success(),
        "the build failed; if the target is missing, `rustup target add {TARGET}` installs it"
    );
    Ok(())
}

/// Copies the page's own files, which learn how large the program is and which version they belong to. Returns the names
/// of all files.
fn page(root: &Path, out: &Path) -> Result<Vec<String>> {
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

fn gzip(bytes: &[u8]) -> Result<usize> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(bytes)?;
    Ok(packed.finish()?.len())
}
