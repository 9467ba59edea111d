//! `threshold render --backend` through the program itself.

use std::process::{Command, Output};

const STREET: &str = "0x8080001C [84 60 20]";

/// Draws a small picture; `hidden` keeps the program from finding any adapter.
fn render(backend: &str, hidden: bool) -> (Output, bool) {
    let dir = tempfile::tempdir().unwrap();
    let picture = dir.path().join("street.png");
    let mut command = Command::new(env!("CARGO_BIN_EXE_threshold"));
    command.args(["render", "--at", STREET, "--size", "96x54", "--backend", backend, "--out"]);
    command.arg(&picture).env_remove("THRESHOLD_DATS");
    if hidden {
        // An interface that this system does not have.
        command.env("WGPU_BACKEND", if cfg!(windows) { "metal" } else { "dx12" });
    }
    let output = command.output().unwrap();
    let written = std::fs::read(&picture).is_ok_and(|bytes| bytes.starts_with(b"\x89PNG"));
    (output, written)
}

#[track_caller]
fn one_line(output: &Output) -> String {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    text
}

#[test]
fn the_processor_draws_without_a_word() {
    let (output, written) = render("cpu", true);
    assert_eq!((output.status.code(), written), (Some(0), true));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(String::from_utf8_lossy(&output.stdout).contains("drawing on the CPU"));
}

#[test]
fn without_a_graphics_card_auto_says_so_and_draws_on_the_processor() {
    let (output, written) = render("auto", true);
    assert_eq!((output.status.code(), written), (Some(0), true));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "it is not an error");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let reason = if cfg!(feature = "gpu") { "no graphics adapter" } else { "without the feature `gpu`" };
    assert!(said.contains("drawing on the CPU: ") && said.contains(reason), "{said}");
}

#[test]
fn without_a_graphics_card_gpu_is_refused() {
    let (output, written) = render("gpu", true);
    assert_eq!((output.status.code(), written), (Some(2), false));
    let said = one_line(&output);
    assert!(said.starts_with("threshold: --backend gpu: "), "{said}");
}

/// Where changes are judged a driver must be there.
#[cfg(feature = "gpu")]
#[test]
fn with_a_driver_gpu_draws() {
    let (output, written) = render("gpu", false);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if said.contains("no graphics adapter") && std::env::var_os("CI").is_none_or(|ci| ci.is_empty()) {
        eprintln!("not tested: a driver such as Debian's mesa-vulkan-drivers is needed");
        return;
    }
    assert_eq!((output.status.code(), written), (Some(0), true), "{said}");
    assert!(!String::from_utf8_lossy(&output.stdout).contains("on the CPU"));
}
