//! Commands that take a while show from the first moment on that they are at work, where somebody watches.
#![cfg(unix)]

use std::{
    io::Read,
    process::{Command, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

/// What a command shows on a terminal before a text appears; `script` plays the terminal.
fn shown_until(command: &str, text: &'static str) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let line = format!("{} {command}", env!("CARGO_BIN_EXE_threshold"));
    let script = Command::new("script")
        .args(["-qec", &line, "/dev/null"])
        .current_dir(folder.path())
        .env("TERM", "xterm")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut script) = script else {
        eprintln!("not tested: `script` of util-linux is needed");
        return None;
    };
    let mut out = script.stdout.take().unwrap();
    let (send, receive) = mpsc::channel();
    let reader = thread::spawn(move || {
        let (mut all, mut piece) = (Vec::new(), [0; 256]);
        while let Ok(count @ 1..) = out.read(&mut piece) {
            all.extend_from_slice(&piece[..count]);
            if String::from_utf8_lossy(&all).contains(text) {
                break;
            }
        }
        let _ = send.send(String::from_utf8_lossy(&all).into_owned());
    });
    // Far more than it needs, for machines that are busy.
    let shown = receive.recv_timeout(Duration::from_secs(20));
    script.kill().unwrap();
    script.wait().unwrap();
    reader.join().unwrap();
    Some(shown.expect("something is shown"))
}

#[test]
fn the_tour_and_the_benchmark_begin_with_a_word() {
    for command in ["tour --out t", "bench"] {
        let Some(shown) = shown_until(command, "building the sample world") else { return };
        assert!(shown.contains("building the sample world"), "{command}: {shown:?}");
    }
}

#[test]
fn the_tour_says_how_far_it_is() {
    if let Some(shown) = shown_until("tour --out t", "walking, 1 of ") {
        assert!(shown.contains("walking, 1 of "), "{shown:?}");
    }
}
