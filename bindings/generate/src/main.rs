//! Writes the C header and the raw C# layer from `crates/capi`. With `--check` it only says whether they are up to date.

use std::{env, error::Error, fs, path::Path, process::ExitCode};

/// Source files with something to export, in the order of the header.
const FILES: [&str; 15] = [
    "fault", "handles", "types", "world", "entities", "updates", "events", "ask", "probe", "route", "camera",
    "plan", "picture", "dat", "check",
];
const HEADER: &str = "crates/capi/include/threshold.h";
const RAW_LAYER: &str = "bindings/dotnet/Threshold/Native.g.cs";

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    nothing_left_out(&root)?;
    let is_check = env::args().any(|word| word == "--check");
    let mut is_current = true;
    for (name, text) in [(HEADER, header(&root)?), (RAW_LAYER, raw_layer(&root)?)] {
        let path = root.join(name);
        if fs::read_to_string(&path).is_ok_and(|kept| kept == text) {
            continue;
        }
        if is_check {
            eprintln!(
                "{name} is not up to date: run `cargo run --manifest-path bindings/generate/Cargo.toml`"
            );
            is_current = false;
        } else {
            fs::create_dir_all(path.parent().unwrap_or(&root))?;
            fs::write(&path, text)?;
            println!("{name}");
        }
    }
    Ok(if is_current { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Every source file that exports something must be listed.
fn nothing_left_out(root: &Path) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(root.join("crates/capi/src"))? {
        let path = entry?.path();
        let text = fs::read_to_string(&path)?;
        let exports = ["#[repr(C)]", "#[unsafe(no_mangle)]"].iter().any(|mark| text.contains(mark));
        if exports && !FILES.iter().any(|file| path.file_stem().is_some_and(|stem| stem == *file)) {
            return Err(format!("{} exports something and is not in FILES", path.display()).into());
        }
    }
    Ok(())
}

fn header(root: &Path) -> Result<String, Box<dyn Error>> {
    let capi = root.join("crates/capi");
    let config = cbindgen::Config::from_file(capi.join("cbindgen.toml"))?;
    let mut builder = cbindgen::Builder::new().with_config(config);
    for file in FILES {
        builder = builder.with_src(capi.join(format!("src/{file}.rs")));
    }
    let mut text = Vec::new();
    builder.generate()?.write(&mut text);
    Ok(String::from_utf8(text)?)
}

fn raw_layer(root: &Path) -> Result<String, Box<dyn Error>> {
    let mut builder = csbindgen::Builder::default()
        .csharp_dll_name("threshold")
        .csharp_class_name("Native")
        .csharp_namespace("Threshold.Interop")
        .csharp_use_function_pointer(false);
    for file in FILES {
        builder = builder.input_extern_file(root.join(format!("crates/capi/src/{file}.rs")));
    }
    let folder = env::temp_dir().join(format!("threshold-generate-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let file = folder.join("Native.g.cs");
    builder.generate_csharp_file(&file)?;
    let text = fs::read_to_string(&file)?;
    fs::remove_dir_all(&folder)?;
    Ok(text)
}
