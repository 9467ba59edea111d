//! The window under real hands: keys and mouse of the display's own keyboard and pointer, and a window manager's request
//! to close. Needs what `window.rs` needs.
#![cfg(all(feature = "window", unix, not(target_os = "macos")))]

mod common;

use common::display::{Display, assert_clean};
use std::{
    fs,
    path::Path,
    process::{Child, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};
use x11rb::{
    connection::Connection,
    protocol::{
        xproto::{
            AtomEnum, ClientMessageEvent, ConnectionExt as _, EventMask, ImageFormat, InputFocus, Window,
        },
        xtest::ConnectionExt as _,
    },
    rust_connection::RustConnection,
};

// Events of the protocol.
const KEY: u8 = 2;
const BUTTON: u8 = 4;
const MOTION: u8 = 6;

// Keys of a keyboard as the display numbers them.
const ESCAPE: u8 = 9;
const ENTER: u8 = 36;
const W: u8 = 25;
const S: u8 = 39;
const F1: u8 = 67;
const F12: u8 = 96;

/// A keyboard and a mouse.
struct Hands {
    display: RustConnection,
    root: Window,
    window: Window,
}

impl Hands {
    /// Waits until the explorer's window is there, and points at its middle.
    fn on_window(display: &Display, process: &mut Child) -> Hands {
        let (display, screen) = x11rb::connect(Some(&display.name)).unwrap();
        let root = display.setup().roots[screen].root;
        let patience = Instant::now();
        let window = loop {
            let children = display.query_tree(root).unwrap().reply().unwrap().children;
            let is_ours = |window: &Window| {
                let (name, text) = (AtomEnum::WM_NAME, AtomEnum::STRING);
                let name = display.get_property(false, *window, name, text, 0, 64).unwrap();
                name.reply().is_ok_and(|name| name.value == b"Threshold")
            };
            if let Some(window) = children.into_iter().find(is_ours) {
                break window;
            }
            assert!(process.try_wait().unwrap().is_none(), "it ended early");
            assert!(patience.elapsed() < Duration::from_secs(120), "no window opens");
            sleep(Duration::from_millis(50));
        };
        let hands = Hands { display, root, window };
        let shape = hands.display.get_geometry(window).unwrap().reply().unwrap();
        let (x, y) = (shape.x + shape.width as i16 / 2, shape.y + shape.height as i16 / 2);
        hands.fake(MOTION, 0, (x, y));
        hands.display.set_input_focus(InputFocus::POINTER_ROOT, window, x11rb::CURRENT_TIME).unwrap();
        hands.display.flush().unwrap();
        hands
    }

    fn fake(&self, event: u8, detail: u8, (x, y): (i16, i16)) {
        self.display.xtest_fake_input(event, detail, 0, self.root, x, y, 0).unwrap().check().unwrap();
    }

    fn hold(&self, key: u8, seconds: f32) {
        self.fake(KEY, key, (0, 0));
        sleep(Duration::from_secs_f32(seconds));
        self.fake(KEY + 1, key, (0, 0));
        sleep(Duration::from_millis(300));
    }

    /// Holds a key until something is so; false when it never is.
    fn hold_until(&self, key: u8, reached: impl Fn() -> bool) -> bool {
        self.fake(KEY, key, (0, 0));
        let start = Instant::now();
        while !reached() && start.elapsed() < Duration::from_secs(20) {
            sleep(Duration::from_millis(20));
        }
        self.fake(KEY + 1, key, (0, 0));
        sleep(Duration::from_millis(300));
        reached()
    }

    fn click(&self) {
        self.fake(BUTTON, 1, (0, 0));
        sleep(Duration::from_millis(300));
        self.fake(BUTTON + 1, 1, (0, 0));
        sleep(Duration::from_millis(300));
    }

    /// Moves the mouse with the right button held, a few pixels at a time.
    fn drag(&self, right: i16, down: i16) {
        self.fake(BUTTON, 3, (0, 0));
        sleep(Duration::from_millis(300));
        for _ in 0..20 {
            self.fake(MOTION, 1, (right / 20, down / 20));
            sleep(Duration::from_millis(20));
        }
        sleep(Duration::from_millis(300));
        self.fake(BUTTON + 1, 3, (0, 0));
        sleep(Duration::from_millis(300));
    }

    /// What the window shows: red, green and blue of its second quarter from above, where no panels are.
    fn second_quarter(&self) -> Vec<[u8; 3]> {
        let shape = self.display.get_geometry(self.window).unwrap().reply().unwrap();
        let (width, height) = (shape.width, shape.height / 4);
        let pixels = self.display.get_image(
            ImageFormat::Z_PIXMAP,
            self.window,
            0,
            height as i16,
            width,
            height,
            u32::MAX,
        );
        let pixels = pixels.unwrap().reply().unwrap().data;
        pixels.as_chunks::<4>().0.iter().map(|&[blue, green, red, _]| [red, green, blue]).collect()
    }

    /// Asks the window to close, as the cross in its frame does.
    fn close(&self) {
        let atom =
            |name: &str| self.display.intern_atom(false, name.as_bytes()).unwrap().reply().unwrap().atom;
        let message = [atom("WM_DELETE_WINDOW"), x11rb::CURRENT_TIME, 0, 0, 0];
        let message = ClientMessageEvent::new(32, self.window, atom("WM_PROTOCOLS"), message);
        self.display.send_event(false, self.window, EventMask::NO_EVENT, message).unwrap();
        self.display.flush().unwrap();
    }
}

/// Whether the last frame in a table of them was outdoors.
fn is_outdoors(frames: &Path) -> Option<bool> {
    let text = fs::read_to_string(frames).ok()?;
    // The last line may be half written.
    let (whole, _) = text.rsplit_once('\n')?;
    let cell = whole.lines().skip(1).last()?.split(',').nth(2)?;
    Some(cell[6..] < *"0100")
}

#[test]
fn a_door_is_clicked_open_walked_through_and_left_again() {
    let Some(display) = Display::open() else { return };
    let dir = tempfile::tempdir().unwrap();
    fs::write(
        dir.path().join("explorer.json"),
        r#"{"first_person": true, "mouse_speed": 0.3, "pictures": "shots"}"#,
    )
    .unwrap();
    let mut process = display
        .explorer(dir.path(), "Cottage Door")
        .args(["--settings", "explorer.json", "--frame-times", "frames.csv", "--size", "320x320"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let hands = Hands::on_window(&display, &mut process);
    sleep(Duration::from_secs(3));
    let frames = dir.path().join("frames.csv");
    let is_outdoors = || is_outdoors(&frames).unwrap();
    hands.hold(F12, 0.1);
    let file = fs::File::open(dir.path().join("shots/threshold-001.png")).unwrap();
    let mut reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().unwrap();
    let mut picture = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut picture).unwrap();
    let seen = hands.second_quarter();
    let apart = |(seen, kept): (&[u8; 3], &[u8; 3])| -> u64 {
        seen.iter().zip(kept).map(|(seen, kept)| u64::from(seen.abs_diff(*kept))).sum()
    };
    let apart = seen.iter().zip(&picture.as_chunks::<3>().0[seen.len()..]).map(apart).sum::<u64>()
        / (3 * seen.len() as u64);
    assert!(apart < 6, "the window and a picture of it are {apart} apart");
    hands.hold(W, 2.0);
    assert!(is_outdoors(), "a closed door holds");
    hands.hold(S, 0.5);
    hands.click();
    assert!(hands.hold_until(W, || !is_outdoors()), "an open one does not");
    // Six hundred pixels at 0.3 degrees each: about face.
    hands.drag(600, 0);
    assert!(hands.hold_until(W, is_outdoors), "the mouse turned the player round");
    hands.hold(F1, 0.1);
    hands.close();
    let output = process.wait_with_output().unwrap();
    assert_clean(&output);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.starts_with("first picture after ") && said.contains(" a second: median "), "{said}");
    let settings = fs::read_to_string(dir.path().join("explorer.json")).unwrap();
    assert!(settings.contains(r#""help": true"#), "F1 showed the keys, and that is remembered: {settings}");
}

/// A measurement rather than a test: on an idle machine, in a release build, `cargo test --release -p threshold-explorer --test hands --
/// --ignored --nocapture`.
#[test]
#[ignore = "needs two idle cores and a release build"]
fn sixty_frames_a_second_along_the_street() {
    let Some(display) = Display::open() else { return };
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("explorer.json"), r#"{"mouse_speed": 0.3}"#).unwrap();
    let mut process = display
        .explorer(dir.path(), "Village Street")
        .args(["--settings", "explorer.json", "--frame-times", "frames.csv", "--size", "1200x660"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let hands = Hands::on_window(&display, &mut process);
    sleep(Duration::from_secs(3));
    // East along the street, across the border of a block.
    hands.drag(300, 0);
    hands.hold(W, 25.0);
    hands.close();
    let output = process.wait_with_output().unwrap();
    assert_clean(&output);
    let said = String::from_utf8_lossy(&output.stdout);
    print!("{said}");
    let number = |before: &str, after: &str| -> f32 {
        let text = said.split_once(after).unwrap().0;
        text.rsplit_once(before).unwrap().1.trim().parse().unwrap()
    };
    assert!(number("first picture after", "s;") < 3.0, "{said}");
    assert!(number(",", " a second") >= 60.0, "{said}");
}

#[test]
fn escape_closes_what_is_open_then_asks_and_enter_leaves() {
    let Some(display) = Display::open() else { return };
    let dir = tempfile::tempdir().unwrap();
    let mut process = display
        .explorer(dir.path(), "Village Street")
        .args(["--settings", "explorer.json", "--size", "320x320"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let hands = Hands::on_window(&display, &mut process);
    sleep(Duration::from_secs(3));
    hands.hold(F1, 0.1);
    let mut press = |key: u8, what: &str| {
        hands.hold(key, 0.1);
        sleep(Duration::from_secs(1));
        assert!(process.try_wait().unwrap().is_none(), "{what}");
    };
    press(ESCAPE, "the first press only closes the list");
    press(ESCAPE, "the second one asks");
    press(ESCAPE, "the third one stays");
    press(ENTER, "nothing is asked any more");
    press(ESCAPE, "the question once more");
    hands.hold(ENTER, 0.1);
    assert_clean(&process.wait_with_output().unwrap());
    let settings = fs::read_to_string(dir.path().join("explorer.json")).unwrap();
    assert!(settings.contains(r#""help": false"#), "{settings}");
}
