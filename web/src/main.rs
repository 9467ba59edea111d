//! `cargo web [--out DIR] [--through COMMAND] [--simd]`: the explorer as a page, a folder for any static server.
//!
//! `--out` is `web/dist` unless named. `--through` runs cargo by a command that prepares a toolchain, such as
//! `.ci/wasm-std`. `--simd` builds the program a second time, with vectors (SIMD128), for browsers that have them.

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
/// What the program with vectors is called.
const VECTORS: &str = "threshold-explorer-simd";
/// Asks a browser for a vector: a module whose only function makes one.
const HAS_VECTORS: &str = "WebAssembly.validate(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, \
    3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11))";
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
    let (mut out, mut through, mut simd) = (root.join("web/dist"), None, false);
    let mut args = env::args().skip(1);
    while let Some(option) = args.next() {
        let mut value = || args.next().with_context(|| format!("{option} needs a value"));
        match option.as_str() {
            "--out" => out = PathBuf::from(value()?),
            "--through" => through = Some(value()?),
            "--simd" => simd = true,
            _ => bail!("there is no {option}; there are --out DIR, --through COMMAND and --simd"),
        }
    }
    fs::create_dir_all(&out).with_context(|| out.display().to_string())?;
    let mut programs = vec![program(root, &out, through.as_deref(), PROGRAM)?];
    if simd {
        programs.push(program(root, &out, through.as_deref(), VECTORS)?);
        one_script(&out)?;
    }
    let files = page(root, &out, &programs)?;
    let (mut total, mut largest) = (0, 0);
    for file in &files {
        let bytes = fs::read(out.join(file)).with_context(|| file.clone())?;
        let packed = gzip(&bytes)?;
        // A browser loads one of the programs.
        if programs.contains(file) {
            largest = largest.max(packed)
        } else {
            total += packed
        }
        println!("{:>10} bytes, {packed:>9} packed  {file}", bytes.len());
    }
    total += largest;
    println!(
        "{total} bytes packed before the first picture, in {}: serve it, for instance by",
        out.display()
    );
    println!("python3 -m http.server --directory {}", out.display());
    ensure!(total <= MOST_BYTES, "a page may have {MOST_BYTES} bytes packed");
    Ok(())
}

/// Builds the program under a name, and returns the name of its file.
fn program(root: &Path, out: &Path, through: Option<&str>, name: &str) -> Result<String> {
    let target_dir = root.join("target").join(if name == VECTORS { "web-build-simd" } else { "web-build" });
    build(root, &target_dir, through, name == VECTORS)?;
    let module = target_dir.join(TARGET).join(PROFILE).join(format!("{PROGRAM}.wasm"));
    Bindgen::new().input_path(&module).out_name(name).web(true)?.typescript(false).generate(out)?;
    Ok(format!("{name}_bg.wasm"))
}

/// Both programs have the same script, but for their names: one is enough.
fn one_script(out: &Path) -> Result<()> {
    let [plain, other] = [PROGRAM, VECTORS].map(|name| out.join(format!("{name}.js")));
    let (script, same) = (fs::read_to_string(&plain)?, fs::read_to_string(&other)?);
    ensure!(same.replace(VECTORS, PROGRAM) == script, "the program with vectors wants another script");
    fs::remove_file(other)?;
    Ok(())
}

fn build(root: &Path, target_dir: &Path, through: Option<&str>, vectors: bool) -> Result<()> {
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
    if vectors {
        command.args(["--config", &format!("target.{TARGET}.rustflags=[\"-Ctarget-feature=+simd128\"]")]);
    }
    let status = command.status().with_context(|| format!("{command:?}"))?;
    ensure!(
        status.success(),
        "the build failed; is the target there? `rustup target add {TARGET}` installs it"
    );
    Ok(())
}

/// Copies the page's own files, which learn which program to load, how large it is and which version they belong to. Returns
/// the names of all files.
fn page(root: &Path, out: &Path, programs: &[String]) -> Result<Vec<String>> {
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

fn gzip(bytes: &[u8]) -> Result<usize> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(bytes)?;
    Ok(packed.finish()?.len())
}
