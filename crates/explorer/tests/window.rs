//! The window itself, on a virtual display with a software driver: what it shows is what the engine makes of the same
//! inputs. Needs Xvfb and a Vulkan or GL driver (on Debian: `xvfb mesa-vulkan-drivers libx11-xcb1 libxcursor1 libxi6
//! libxkbcommon-x11-0`); without them it is left out, unless `THRESHOLD_REQUIRE_DISPLAY` is set.
#![cfg(feature = "window")]

mod common;

use common::{
    Pilot,
    display::{Display, assert_clean},
    script, session_at, to_the_cellar_and_back,
};
use serde_json::Value;
use std::{
    fs,
    io::BufReader,
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

const WIDTH: u32 = 640;
const HEIGHT: u32 = 360;

struct Picture {
    size: (u32, u32),
    rgba: Vec<u8>,
}

fn read_png(path: &Path) -> Picture {
    let mut decoder = png::Decoder::new(BufReader::new(fs::File::open(path).unwrap()));
    decoder.set_transformations(png::Transformations::ALPHA);
    let mut reader = decoder.read_info().unwrap();
    let mut rgba = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut rgba).unwrap();
    Picture { size: (info.width, info.height), rgba }
}

/// Mean difference of a channel, and the part of pixels that differ clearly.
fn difference(a: &Picture, b: &Picture) -> (f64, f64) {
    assert_eq!(a.size, b.size);
    let pixels = a.rgba.chunks_exact(4).zip(b.rgba.chunks_exact(4));
    let (mut sum, mut clear, mut count) = (0u64, 0u64, 0u64);
    for (a, b) in pixels {
        let apart: Vec<u8> = a[..3].iter().zip(&b[..3]).map(|(a, b)| a.abs_diff(*b)).collect();
        sum += apart.iter().map(|&d| u64::from(d)).sum::<u64>();
        clear += u64::from(apart.iter().any(|&d| d > 24));
        count += 1;
    }
    (sum as f64 / (3 * count) as f64, clear as f64 / count as f64)
}

#[test]
fn street_door_cellar_and_back_in_the_window() {
    let Some(display) = Display::open() else { return };
    let mut pilot = Pilot::new(session_at("Village Street"));
    let stops = to_the_cellar_and_back(&mut pilot);
    let lines: Vec<(usize, String)> = stops
        .iter()
        .flat_map(|&(name, tick)| {
            [(tick, format!("picture {name}.png")), (tick, format!("state {name}.json"))]
        })
        .chain([(stops[5].1, "screenshot window.png".to_owned())])
        .collect();
    let text = script(&pilot.presses, &lines);
    let size = format!("{WIDTH}x{HEIGHT}");

    // The reference: the same script without a window, drawn by the processor.
    let reference = tempfile::tempdir().unwrap();
    fs::write(reference.path().join("walk.txt"), &text).unwrap();
    let output = display
        .explorer(reference.path(), "Village Street")
        .args(["--script", "walk.txt", "--headless", "--size", &size])
        .output()
        .unwrap();
    assert_clean(&output);

    let window = tempfile::tempdir().unwrap();
    fs::write(window.path().join("walk.txt"), &text).unwrap();
    let output = display
        .explorer(window.path(), "Village Street")
        .args(["--script", "walk.txt", "--backend", "gpu", "--size", &size])
        .output()
        .unwrap();
    assert_clean(&output);

    let mut seen = Vec::new();
    for &(name, tick) in &stops {
        let state = |dir: &Path| -> Value {
            serde_json::from_str(&fs::read_to_string(dir.join(name).with_extension("json")).unwrap()).unwrap()
        };
        let (shown, expected) = (state(window.path()), state(reference.path()));
        assert_eq!(shown, expected, "{name}: the inspector shows what the engine has");
        assert_eq!(shown["tick"], tick as u64, "{name}");
        seen.push(shown["cell"].as_str().unwrap().to_owned());
        let picture = |dir: &Path| read_png(&dir.join(name).with_extension("png"));
        let (mean, clear) = difference(&picture(window.path()), &picture(reference.path()));
        assert!(
            mean < 2.0 && clear < 0.02,
            "{name}: {mean:.2} off in the mean, {:.2} % clearly",
            clear * 100.0
        );
    }
    // The cells are those of the same walk without any of this, which other tests hold against `walk`.
    let last: Value =
        serde_json::from_str(&fs::read_to_string(window.path().join("back.json")).unwrap()).unwrap();
    let crossings: Vec<(u64, String, String)> = pilot
        .session
        .journal()
        .crossings()
        .map(|crossing| (crossing.tick, crossing.from.to_string(), crossing.to.to_string()))
        .collect();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let shown: Vec<(u64, String, String)> = last["crossings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|crossing| (crossing["tick"].as_u64().unwrap(), text(&crossing["from"]), text(&crossing["to"])))
        .collect();
    assert_eq!(shown, crossings);
    assert_eq!(seen[0], seen[6], "it came back");
    assert_ne!(seen[0], seen[5], "it was in the cellar");
    let window = read_png(&window.path().join("window.png"));
    assert_eq!(window.size, (WIDTH, HEIGHT));
}

/// The program `threshold`: it lies beside the explorer when the whole workspace is tested, else it is built.
fn threshold() -> Command {
    let beside = Path::new(env!("CARGO_BIN_EXE_threshold-explorer"));
    let beside = beside.with_file_name(format!("threshold{}", std::env::consts::EXE_SUFFIX));
    if beside.is_file() {
        return Command::new(beside);
    }
    let mut command = Command::new(env!("CARGO"));
    command.args(["run", "--quiet", "-p", "threshold-cli", "--"]);
    command
}

#[test]
fn pictures_are_those_that_render_makes_of_the_same_state() {
    let dir = tempfile::tempdir().unwrap();
    let text = "0 tap first-person\n0 go Village Street\n1 picture street.png\n1 state street.json\n\
                1.1 go Inn Common Room\n2.2 picture inn.png\n2.2 state inn.json\n";
    fs::write(dir.path().join("look.txt"), text).unwrap();
    let size = format!("{WIDTH}x{HEIGHT}");
    let output = Command::new(env!("CARGO_BIN_EXE_threshold-explorer"))
        .current_dir(dir.path())
        .env_remove("THRESHOLD_DATS")
        .args(["--script", "look.txt", "--headless", "--size", &size])
        .output()
        .unwrap();
    assert_clean(&output);
    // Smoke rises in the street.
    for (name, allowed) in [("street", 0.02), ("inn", 0.0005)] {
        let state = fs::read_to_string(dir.path().join(name).with_extension("json")).unwrap();
        let state: Value = serde_json::from_str(&state).unwrap();
        let eye = state["eye"].as_str().unwrap();
        let place = eye.split(['[', ']']).nth(1).unwrap().replace(' ', ",");
        let drawn = dir.path().join(format!("{name}-render.png"));
        let output = threshold()
            .env_remove("THRESHOLD_DATS")
            .args(["render", "--at", eye, "--eye", &place, "--time", "0.45", "--size", &size])
            .args(["--backend", "cpu", "--out"])
            .arg(&drawn)
            .output()
            .unwrap();
        assert_clean(&output);
        let (mean, clear) =
            difference(&read_png(&dir.path().join(name).with_extension("png")), &read_png(&drawn));
        assert!(
            mean < 0.5 && clear < allowed,
            "{name}: {mean:.2} off in the mean, {:.2} % clearly",
            clear * 100.0
        );
    }
}

/// Resident memory of a process in bytes.
fn memory(process: &Child) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{}/statm", process.id())).ok()?;
    text.split_whitespace().nth(1)?.parse::<u64>().ok().map(|pages| pages * 4096)
}

/// `THRESHOLD_SOAK_SECONDS=600 cargo test --release -p threshold-explorer --test window memory` runs for ten minutes.
#[test]
fn memory_stays_flat_while_running_in_circles() {
    let Some(display) = Display::open() else { return };
    let wanted: f64 =
        std::env::var("THRESHOLD_SOAK_SECONDS").ok().and_then(|s| s.parse().ok()).unwrap_or(20.0);
    let dir = tempfile::tempdir().unwrap();
    let mut text = String::from("0 go Village Green\n0.1 down forward\n0.1 down turn-left\n");
    // Doors open and close, panels come and go, until somebody stops it.
    for second in 1..20_000 {
        let what = ["tap use", "tap inspector", "tap journal", "tap map", "tap jump", "tap view"][second % 6];
        text += &format!("{second} {what}\n");
        if second == 8 {
            text += "8 state warm.json\n";
        }
    }
    fs::write(dir.path().join("run.txt"), text).unwrap();
    let mut process = display
        .explorer(dir.path(), "Village Street")
        .args(["--script", "run.txt", "--size", "320x200"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Everything has been shown once before the measuring begins.
    let patience = Instant::now();
    while !dir.path().join("warm.json").exists() {
        assert!(process.try_wait().unwrap().is_none(), "it ended early");
        assert!(patience.elapsed() < Duration::from_secs(300), "nothing happens");
        std::thread::sleep(Duration::from_millis(100));
    }
    let start = Instant::now();
    let mut samples = Vec::new();
    while start.elapsed().as_secs_f64() < wanted {
        std::thread::sleep(Duration::from_millis(250));
        assert!(process.try_wait().unwrap().is_none(), "it ended early");
        samples.extend(memory(&process));
    }
    process.kill().unwrap();
    process.wait().unwrap();
    if samples.is_empty() {
        return;
    }
    let median = |part: &[u64]| {
        let mut part = part.to_vec();
        part.sort_unstable();
        part[part.len() / 2] as f64 / f64::from(1 << 20)
    };
    let quarter = samples.len() / 4;
    let (early, late) = (median(&samples[..quarter]), median(&samples[3 * quarter..]));
    println!("{early:.1} MB when warm, {late:.1} MB at the end of {wanted} s");
    assert!(late < early * 1.05 + 8.0, "from {early:.1} MB to {late:.1} MB");
}

#[test]
fn without_a_display_it_says_what_to_do_and_exits_2() {
    let output = Command::new(env!("CARGO_BIN_EXE_threshold-explorer"))
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .output()
        .unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(
        error.contains("no display") && error.contains("threshold render") && error.contains("xvfb"),
        "{error}"
    );
}

#[test]
fn without_a_driver_it_says_what_to_install_and_exits_2() {
    let Some(display) = Display::open() else { return };
    let dir = tempfile::tempdir().unwrap();
    // An interface that only exists elsewhere.
    let backend = if cfg!(windows) { "metal" } else { "dx12" };
    let output =
        display.explorer(dir.path(), "Village Street").env("WGPU_BACKEND", backend).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("no graphics driver") && error.contains("mesa-vulkan-drivers"), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
}

#[test]
fn a_variable_set_to_nothing_names_no_dats() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("go.txt"), "0 state here.json").unwrap();
    for (dats, is_sample) in [("", true), ("nowhere", false)] {
        let output = Command::new(env!("CARGO_BIN_EXE_threshold-explorer"))
            .current_dir(dir.path())
            .env("THRESHOLD_DATS", dats)
            .args(["--script", "go.txt", "--headless"])
            .output()
            .unwrap();
        assert_eq!(output.status.success(), is_sample, "{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn mistakes_on_the_command_line_are_named_in_one_line() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("bad.txt"), "0 dance").unwrap();
    fs::write(dir.path().join("good.txt"), "0 quit").unwrap();
    for (arguments, problem) in [
        (vec!["--script", "bad.txt", "--headless"], "bad.txt: line 1: there is no command `dance`"),
        (vec!["--script", "none.txt", "--headless"], "none.txt"),
        (vec!["--script", "good.txt", "--headless", "--dats", "."], "client_portal.dat"),
        (vec!["--script", "good.txt", "--headless", "--at", "nowhere"], "`nowhere` is neither a known place"),
        (vec!["--script", "good.txt", "--headless", "--at", "0x01010001 [1 1 1]"], "no landblock 0x0101"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_threshold-explorer"))
            .current_dir(dir.path())
            .args(&arguments)
            .output()
            .unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.contains(problem) && error.lines().count() == 1, "{arguments:?}: {error}");
    }
}
