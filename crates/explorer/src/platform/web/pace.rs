//! A page has one thread: what is loaded between two pictures has a few milliseconds of each.

use super::Instant;
use crate::explorer::Explorer;
use std::{cell::Cell, time::Duration};
use threshold_render::assets::{Assets, Making};
use threshold_world::stream::{Loading, StreamConfig, StreamStatus};

/// Time that a frame may take when pictures are drawn by the processor: thirty a second, with some left for the browser.
pub const FRAME_TIME: Duration = Duration::from_millis(24);
/// Time of a frame that may pass before nothing more is loaded in it.
const LOADING_TIME: Duration = Duration::from_millis(6);
/// Time of a frame that may pass before it makes no more textures.
const MAKING_TIME: Duration = Duration::from_millis(10);
/// The same for the ground of the first picture, whose surfaces are all made.
const FIRST_MAKING_TIME: Duration = Duration::from_millis(250);
/// Blocks around the player that are there before the first picture; the others come while one looks at it.
const FIRST_RADIUS: u8 = 1;

thread_local! {
    /// When the frame began that is being drawn; none before the first one, and while a script runs, which waits for
    /// everything.
    static BEGUN: Cell<Option<Instant>> = const { Cell::new(None) };
    /// There is a picture: from now on nobody should wait for the next one.
    static SHOWN: Cell<bool> = const { Cell::new(false) };
    /// How long the last frame took.
    static LAST: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// What is loaded around a player: everything before a script begins, else what the first picture needs.
pub fn streaming(scripted: bool) -> StreamConfig {
    let config = StreamConfig::default().loading(Loading::WhileTime(has_time));
    if scripted { config } else { config.radius(FIRST_RADIUS) }
}

/// Whether the frame has time to load something more.
pub(super) fn has_time() -> bool {
    BEGUN.get().is_none_or(|begun| begun.elapsed() < LOADING_TIME)
}

/// Whether the frame has time to make something more for its picture.
fn has_time_to_make(what: Making) -> bool {
    let time = match what {
        _ if SHOWN.get() => MAKING_TIME,
        Making::Ground => FIRST_MAKING_TIME,
        Making::Surface => return true,
    };
    BEGUN.get().is_none_or(|begun| begun.elapsed() < time)
}

/// Pictures of a session do not wait for textures.
pub fn hurry(assets: &mut Assets) {
    assets.make_while(has_time_to_make);
}

/// A frame begins.
pub fn begin_frame(scripted: bool) {
    BEGUN.set(Some(Instant::now()).filter(|_| !scripted));
}

/// Time that the last frame took; nothing of it was spent waiting.
pub fn last_frame() -> Duration {
    LAST.get()
}

/// A frame is over: once there is a picture, the landscape comes as far as elsewhere.
pub(super) fn end_frame(explorer: &mut Explorer) {
    LAST.set(BEGUN.get().map_or(Duration::ZERO, |begun| begun.elapsed()));
    if !explorer.is_scripted() && explorer.session.streaming() == StreamStatus::Settled {
        explorer.session.set_radius(StreamConfig::default().radius);
        SHOWN.set(true);
    }
}
