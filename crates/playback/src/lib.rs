//! Recorded sessions in a running world.
//!
//! [`Playback`] applies the server's messages to a [`Simulation`](threshold_sim::Simulation) at their recorded times,
//! and moves the client's own player: to the positions that the client reported ([`Drive::Reports`]), or by the keys that
//! it reported, to compare the two ([`Drive::Keys`]). Each contradiction is a [`Finding`].
//! [`record`] makes a new session in the sample world.
//!
//! ```
//! # let file = threshold_golden::wire_capture("village.pcap").bytes;
//! # let world = threshold_sample::build()?;
//! # let mut sim = threshold_sim::Simulation::builder().source(std::sync::Arc::new(world.source()?)).build()?;
//! use threshold_playback::{Playback, Options};
//! use threshold_wire::{Capture, DEFAULT_PORTS, Recording};
//!
//! let mut recording = Recording::new(Capture::new(&file[..])?, DEFAULT_PORTS);
//! let mut playback = Playback::new(Options::default());
//! while playback.step(&mut sim, &mut recording)? {}
//! let verdict = playback.finish(&sim);
//! assert!(verdict.objects > 30);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod client;
mod cue;
mod finding;
mod judge;
mod playback;
mod recorder;
mod timeline;

pub use client::{ClientVerdict, Spread};
pub use cue::{Cue, Report, cues};
pub use finding::{Finding, FindingKind};
pub use judge::Verdict;
pub use playback::{Drive, Options, Playback};
pub use recorder::{Flaw, RecordError, Recorded, SampleSession, record};
pub use timeline::{Timeline, tick_at, time_of_tick};
