//! `cargo web [--package page|npm] [--out DIR] [--through COMMAND] [--simd] [--names]`: Threshold for browsers.
//!
//! `page` is the explorer as a folder for any static server, in `web/dist` unless `--out` names another one; `npm` is
//! the engine alone as a package for `npm pack`, in `bindings/npm/dist`. `--through` runs cargo by a command that
//! prepares a toolchain, such as `.ci/wasm-std`. `--simd` builds the page's program a second time, with SIMD128, and browsers
//! load the one that they support. `--names` keeps the names of functions, for profiles.

mod module;
mod npm;
mod page;

use anyhow::{Context, Result, bail};
use module::Builder;
use std::{
    env,
    path::{Path, PathBuf},
    process::ExitCode,
};

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
    let (mut package, mut out, mut through) = (String::from("page"), None, None);
    let (mut simd, mut names) = (false, false);
    let mut args = env::args().skip(1);
    while let Some(option) = args.next() {
        let mut value = || args.next().with_context(|| format!("{option} needs a value"));
        match option.as_str() {
            "--package" => package = value()?,
            "--out" => out = Some(PathBuf::from(value()?)),
            "--through" => through = Some(value()?),
            "--simd" => simd = true,
            "--names" => names = true,
            _ => bail!(
                "unknown option {option}; use --package page|npm, --out DIR, --through COMMAND, --simd or --names"
            ),
        }
    }
    let builder = Builder { root, through: through.as_deref(), names };
    match &*package {
        "page" => page::make(&builder, &out.unwrap_or_else(|| root.join("web/dist")), simd),
        "npm" => npm::make(&builder, &out.unwrap_or_else(|| root.join("bindings/npm/dist"))),
        other => bail!("unknown package {other}; use page or npm"),
    }
}
