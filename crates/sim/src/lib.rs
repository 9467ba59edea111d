//! A running world: loaded cells, the objects in them, doors, portals, players and their cameras, on one clock.
//!
//! [`Simulation`] combines all of these; programs, tests and bindings build on it. It needs no threads, no files and no
//! system clock: records come from a [`Source`](threshold_world::source::Source), the caller passes in the time, and
//! loading can be polled in slices.
//!
//! ```
//! use threshold_sim::{Controls, Simulation};
//! # use threshold_sim::Lens;
//! # let lens = Lens::new(60f32.to_radians(), 1280, 720).ok_or("a picture needs pixels")?;
//! let mut sim = Simulation::sample()?;
//! let me = sim.spawn_player("0x80800015 [60 97.5 20.01]".parse()?)?;
//! sim.control(me, Controls { forward: true, ..Controls::default() })?;
//! sim.advance(1.0)?;
//! for event in sim.drain_events() {
//!     println!("{event:?}");
//! }
//! println!("{}", sim.position(me)?);
//! let plan = sim.view(me, &lens);
//! # assert!(plan.draws_landscape());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod animation;
mod ask;
mod build;
mod by_hand;
mod clock;
mod commanded;
mod contents;
mod doors;
mod error;
mod event;
mod eye;
#[cfg(feature = "render")]
mod follow;
mod go_to;
mod habits;
mod known;
mod loading;
mod mesh_work;
mod objects;
#[cfg(feature = "render")]
mod picture;
mod players;
mod probe;
mod routes;
#[cfg(feature = "render")]
mod shown;
mod signatures;
mod simulation;
mod snapshot;
mod spectator;
mod travel;
mod updates;

pub use ask::{Hit, Sight, Spot, Target};
pub use build::Builder;
pub use by_hand::Scenery;
pub use clock::{MAX_ADVANCE, TICK, TICKS_PER_SECOND};
pub use contents::{SceneContents, SeenScene};
pub use doors::{Door, DoorChange};
pub use error::{ErrorKind, SimError};
pub use event::Event;
pub use eye::{Course, Eye, eye_above};
#[cfg(feature = "render")]
pub use follow::StageFollower;
pub use go_to::GaveUp;
pub use loading::{ObserverId, Residency};
pub use objects::NewObject;
#[cfg(feature = "render")]
pub use picture::SimulationView;
pub use players::{PLAYER_GUID, Player};
pub use probe::{
    Area, Gait, Jump, JumpEnd, JumpReport, PathCheck, PathReport, PathStop, SphereKind, SphereSweep,
    StopReason, Swept, SweptHit, Walker, WalkerBody,
};
pub use routes::PathRequest;
pub use simulation::Simulation;
pub use snapshot::Snapshot;
pub use updates::{Applied, Described};

pub use threshold_nav as nav;
pub use threshold_physics::{
    EntityKey, PLAYER_SETUP, PLAYER_STATE, State, motion,
    movement::{Controls, Skills},
    update,
};
pub use threshold_view::{FramePlan, Lens};
pub use threshold_world::Position;
