//! A virtual display and the explorer on it.

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Output, Stdio},
    sync::{Mutex, MutexGuard, PoisonError},
};

/// One window at a time: each of them uses all of the machine.
static ALONE: Mutex<()> = Mutex::new(());

/// A virtual display, gone when it is dropped.
pub struct Display {
    _alone: MutexGuard<'static, ()>,
    server: Child,
    /// What programs call it.
    pub name: String,
}

impl Display {
    /// None where there is no Xvfb and none is required.
    pub fn open() -> Option<Display> {
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let started = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x720x24", "-nolisten", "tcp"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut server = match started {
            Ok(server) => server,
            Err(error) => {
                let required = std::env::var_os("THRESHOLD_REQUIRE_DISPLAY").is_some();
                assert!(!required, "Xvfb is required and cannot be started: {error}");
                eprintln!("left out: there is no Xvfb ({error})");
                return None;
            }
        };
        let mut number = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut number).unwrap();
        assert!(!number.trim().is_empty(), "Xvfb did not start");
        Some(Display { _alone: alone, server, name: format!(":{}", number.trim()) })
    }

    /// The explorer at a place on this display.
    pub fn explorer(&self, dir: &Path, at: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_threshold-explorer"));
        command
            .current_dir(dir)
            .env("DISPLAY", &self.name)
            .env("XDG_RUNTIME_DIR", dir)
            .env_remove("THRESHOLD_DATS")
            .args(["--at", at]);
        command
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// It ended well and without a panic.
pub fn assert_clean(output: &Output) {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {errors}", output.status);
    assert!(!errors.contains("panicked"), "{errors}");
}
