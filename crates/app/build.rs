//! Finds out which commit is being built, for `--version`.

use std::{env, fs, process::Command};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // A build for tests need not be made anew after every commit.
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let commit = is_release.then(|| packaged().or_else(checked_out)).flatten();
    println!("cargo::rustc-env=THRESHOLD_COMMIT={}", commit.as_deref().unwrap_or("unknown"));
}

/// The commit that a published package was made from, as cargo notes it.
fn packaged() -> Option<String> {
    let notes = fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let (_, rest) = notes.split_once("\"sha1\"")?;
    rest.split('"').nth(1).map(str::to_owned)
}

/// The commit of the working tree, if that is this project's own.
fn checked_out() -> Option<String> {
    (git(&["rev-parse", "--show-prefix"])? == "crates/app/").then_some(())?;
    println!("cargo::rerun-if-changed={}", git(&["rev-parse", "--git-path", "logs/HEAD"])?);
    git(&["rev-parse", "HEAD"])
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
