//! The engine alone as an npm package.

use crate::module::{self, Builder, Purpose};
use anyhow::{Context, Result, ensure};
use std::{fs, path::Path};

const WORKSPACE: &str = "bindings/npm";
/// Files beside the module, and where they come from.
const COPIED: [(&str, &str); 5] = [
    ("bindings/npm/package.json", "package.json"),
    ("bindings/npm/js/node.js", "node.js"),
    ("bindings/npm/README.md", "README.md"),
    ("LICENSE-MIT", "LICENSE-MIT"),
    ("LICENSE-APACHE", "LICENSE-APACHE"),
];
/// The module, packed as servers pack it: more is too much.
const MOST_BYTES: usize = 2_000_000;

pub fn make(builder: &Builder<'_>, out: &Path) -> Result<()> {
    // Names of snippets depend on what is in them: those of an older build would stay.
    let snippets = out.join("snippets");
    if snippets.is_dir() {
        fs::remove_dir_all(&snippets).with_context(|| snippets.display().to_string())?;
    }
    let module = builder.build(WORKSPACE, "threshold-web", "threshold_web", false)?;
    builder.bind(&module, out, "threshold_web", Purpose::Package)?;
    types(&out.join("threshold_web.d.ts"))?;
    let version = version(builder.root)?;
    for (from, name) in COPIED {
        let path = builder.root.join(from);
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let to = out.join(name);
        fs::write(&to, text.replace("PACKAGE_VERSION", &version))
            .with_context(|| to.display().to_string())?;
    }
    let mut total = 0;
    for file in ["threshold_web_bg.wasm", "threshold_web.js", "threshold_web.d.ts"] {
        total += module::packed_size(out, file)?;
    }
    println!("{total} bytes packed in {}: `npm pack {0}` makes the package", out.display());
    ensure!(total <= MOST_BYTES, "the module may have {MOST_BYTES} bytes packed");
    Ok(())
}

/// Types as people want them: a class that others extend does not hide its constructor, and what the module exports to
/// its own JavaScript is nobody else's business.
fn types(path: &Path) -> Result<()> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let text = text.replace("private constructor();", "protected constructor();");
    let (before, rest) =
        text.split_once("export interface InitOutput {\n").context("a type of the module's exports")?;
    let (exports, after) = rest.split_once("\n}\n").context("the end of the module's exports")?;
    let memory =
        exports.lines().find(|line| line.contains("readonly memory:")).context("the module's memory")?;
    let text = format!("{before}export interface InitOutput {{\n{memory}\n}}\n{after}");
    fs::write(path, text).with_context(|| path.display().to_string())
}

/// That of the workspace.
fn version(root: &Path) -> Result<String> {
    let path = root.join("Cargo.toml");
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let part = text.split("[workspace.package]").nth(1).unwrap_or_default();
    let line = part.lines().find_map(|line| line.strip_prefix("version = "));
    Ok(line.context("the workspace has a version")?.trim_matches('"').into())
}
