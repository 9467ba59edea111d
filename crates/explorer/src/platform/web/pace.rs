//! A page has one thread: what is loaded between two pictures has a few milliseconds of each.
//!
//! The first frames are drawn behind the page's cover and take longer: most of what they need is loaded and made there, and the
//! browser optimises the program's code meanwhile.

use super::{Instant, page};
use crate::explorer::Explorer;
use std::{cell::Cell, time::Duration};
use threshold_render::assets::{Assets, Making};
use threshold_world::stream::{Loading, StreamConfig, StreamStatus};

/// Time that a frame may take when pictures are drawn by the processor: forty a second, so that a slower one is still there after
/// 30 ms.
pub const FRAME_TIME: Duration = Duration::from_millis(20);
/// Pictures that the processor draws begin coarse: the browser has not optimised the program's code yet.
pub const BEGINS_COARSE: bool = true;
/// Frames that are drawn behind the cover at least, and the time that they may take before the page shows the next one whatever it
/// lacks.
const COVERED_FRAMES: u32 = 6;
const COVERED_TIME: Duration = Duration::from_millis(900);
/// Blocks around the player that are there before the first frame.
const FIRST_RADIUS: u8 = 1;

/// What a frame has time for.
struct Times {
    /// Time of the frame that may pass before nothing more is loaded in it.
    loading: Duration,
    /// Time that it has to make ground ready that will be seen from near.
    ground: Duration,
    /// Time of the frame that may pass before it makes no more textures.
    making: Duration,
}

/// Frames that one sees.
const SHOWN_TIMES: Times = Times {
    loading: Duration::from_millis(5),
    ground: Duration::from_millis(1),
    making: Duration::from_millis(8),
};
/// Frames behind the cover.
const COVERED_TIMES: Times = Times {
    loading: Duration::from_millis(30),
    ground: Duration::from_millis(20),
    making: Duration::from_millis(120),
};

thread_local! {
    /// When the frame began that is being drawn; none before the first one, and while a script runs, which waits for
    /// everything.
    static BEGUN: Cell<Option<Instant>> = const { Cell::new(None) };
    /// When the first frame began.
    static FIRST: Cell<Option<Instant>> = const { Cell::new(None) };
    /// Frames so far.
    static FRAMES: Cell<u32> = const { Cell::new(0) };
    /// The cover is gone: from now on nobody should wait for the next picture.
    static SHOWN: Cell<bool> = const { Cell::new(false) };
    /// How long the last frame took.
    static LAST: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// What is loaded around a player: everything before a script begins, else what the first frame needs.
pub fn streaming(scripted: bool) -> StreamConfig {
    let config = StreamConfig::default().loading(Loading::WhileTime(has_time));
    if scripted { config } else { config.radius(FIRST_RADIUS) }
}

fn times() -> &'static Times {
    if SHOWN.get() { &SHOWN_TIMES } else { &COVERED_TIMES }
}

/// Whether less time has passed since the frame began.
fn is_within(time: Duration) -> bool {
    BEGUN.get().is_none_or(|begun| begun.elapsed() < time)
}

/// Whether the frame has time to load something more.
fn has_time() -> bool {
    is_within(times().loading)
}

/// Whether the frame has time to make something more for its picture. Behind the cover all surfaces are made.
fn has_time_to_make(what: Making) -> bool {
    (what == Making::Surface && !SHOWN.get()) || is_within(times().making)
}

/// Time that a frame has to make ground ready that will be seen from near.
pub fn ground_time() -> Duration {
    times().ground
}

/// Pictures of a session do not wait for textures.
pub fn hurry(assets: &mut Assets) {
    assets.make_while(has_time_to_make);
}

/// A frame begins.
pub fn begin_frame(scripted: bool) {
    let now = Instant::now();
    BEGUN.set(Some(now).filter(|_| !scripted));
    FIRST.set(FIRST.get().or(Some(now)));
}

/// Time that the last frame took; nothing of it was spent waiting.
pub fn last_frame() -> Duration {
    LAST.get()
}

/// A frame is over. When all that is near is there, the landscape comes as far as elsewhere; when the picture lacks nothing or has
/// taken too long, the page shows it.
pub(super) fn end_frame(explorer: &mut Explorer) {
    LAST.set(BEGUN.get().map_or(Duration::ZERO, |begun| begun.elapsed()));
    FRAMES.set(FRAMES.get().saturating_add(1));
    let is_scripted = explorer.is_scripted();
    let is_settled = explorer.session.streaming() == StreamStatus::Settled;
    if is_settled && !is_scripted {
        explorer.session.set_radius(StreamConfig::default().radius);
    }
    if SHOWN.get() {
        return;
    }
    let is_complete =
        is_settled && !explorer.view.studio.assets.has_postponed() && FRAMES.get() >= COVERED_FRAMES;
    let is_late = FIRST.get().is_some_and(|first| first.elapsed() >= COVERED_TIME);
    if is_scripted || is_complete || is_late {
        SHOWN.set(true);
        page::ready();
    }
}
