//! Events of a simulation.

use crate::GaveUp;
use glam::Vec3;
use std::path::PathBuf;
use threshold_nav::Route;
use threshold_physics::{
    EntityKey, Event as SceneEvent,
    motion::{HookRun, MotionError},
    scene::{CollisionProfile, Quadrant},
    update::ScriptChoice,
};
use threshold_world::{BlockId, CellId, Position, Problem, motion::Command};

/// An event; kept in order until [`Simulation::drain_events`](crate::Simulation::drain_events).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// An object moved to another cell; `None` means no loaded cell.
    CellChanged {
        /// The object.
        entity: EntityKey,
        /// Cell before.
        from: Option<CellId>,
        /// Cell after.
        to: Option<CellId>,
    },
    /// An object that wants reports touched another one, or was touched by it, for the first time.
    Touched {
        /// Who is told.
        entity: EntityKey,
        /// What it touched.
        other: EntityKey,
        /// How.
        profile: CollisionProfile,
    },
    /// A missile hit an object.
    MissileHit {
        /// The missile.
        missile: EntityKey,
        /// What it hit.
        target: EntityKey,
        /// Where, as seen by the target.
        quadrant: Quadrant,
    },
    /// An observer sees an object; if it is not new, the observer still knew it from the last 25 s.
    CameInSight {
        /// Who sees it; see [`Simulation::keep_known`](crate::Simulation::keep_known).
        observer: EntityKey,
        /// What it sees.
        entity: EntityKey,
        /// It has to be told of it.
        is_new: bool,
    },
    /// An observer no longer sees an object, and will forget it in 25 s.
    WentOutOfSight {
        /// Who saw it.
        observer: EntityKey,
        /// What it saw.
        entity: EntityKey,
    },
    /// An observer has forgotten an object: it was out of sight for 25 s, or was removed.
    Forgotten {
        /// Who knew of it.
        observer: EntityKey,
        /// What it knew of.
        entity: EntityKey,
    },
    /// Such a contact has ended.
    Separated {
        /// Who is told.
        entity: EntityKey,
        /// What it no longer touches.
        other: EntityKey,
    },
    /// An object hit walls, ground or another static.
    HitEnvironment {
        /// Who is told.
        entity: EntityKey,
        /// Its velocity before the bounce, metres per second.
        velocity: Vec3,
        /// It touched ground before it moved.
        had_contact: bool,
    },
    /// An object left walkable ground.
    LeftGround(EntityKey),
    /// An object reached walkable ground.
    HitGround(EntityKey),
    /// An object is no longer in any loaded cell; it keeps its last position.
    Lost(EntityKey),
    /// The cell of an object that waited for it has been loaded.
    Found(EntityKey),
    /// A motion of an object is over.
    MotionDone {
        /// The object.
        entity: EntityKey,
        /// The motion.
        motion: Command,
        /// False when it was cut short.
        success: bool,
    },
    /// A hook of an object's animation was run: a sound, a footstep, an effect.
    HookRun {
        /// The object.
        entity: EntityKey,
        /// The hook.
        hook: HookRun,
    },
    /// A move-to or turn-to of an object ended.
    MoveToEnded {
        /// The object.
        entity: EntityKey,
        /// Why; 0 when it had nothing left to do.
        code: MotionError,
    },
    /// An object could not follow the positions that a server reported, and was put at the last of them.
    GaveUpFollowing {
        /// The object.
        entity: EntityKey,
        /// Where it had come to.
        from: Position,
    },
    /// Somebody sent with [`Simulation::go_to`](crate::Simulation::go_to) knows its way and sets out.
    SetOut {
        /// Who.
        entity: EntityKey,
        /// The way.
        route: Box<Route>,
    },
    /// Somebody sent with [`Simulation::go_to`](crate::Simulation::go_to) is there.
    CameTo {
        /// Who.
        entity: EntityKey,
        /// Where it stands.
        at: Position,
    },
    /// An object sent with [`Simulation::go_to`](crate::Simulation::go_to) gave up.
    GaveUpGoing {
        /// Who.
        entity: EntityKey,
        /// Where it stands.
        at: Position,
        /// Why.
        why: GaveUp,
    },
    /// A door opened.
    DoorOpened(EntityKey),
    /// A door closed.
    DoorClosed(EntityKey),
    /// A door cannot close because something is in the way.
    DoorBlocked(EntityKey),
    /// A player started to teleport, through a portal or by a call of the host.
    Departed {
        /// The player.
        entity: EntityKey,
        /// The portal, if it was one.
        portal: Option<EntityKey>,
    },
    /// A player is where it was going.
    Arrived {
        /// The player.
        entity: EntityKey,
        /// Where it was put down.
        at: Position,
    },
    /// There was no room for a player where it was going, or no such cell.
    NoRoom {
        /// The player.
        entity: EntityKey,
        /// Where it was going.
        at: Position,
    },
    /// A player that fell out of the world was put back to where it last stood.
    Rescued(EntityKey),
    /// The outdoor cells of a block have been loaded.
    BlockLoaded(BlockId),
    /// The outdoor cells of a block are gone.
    BlockUnloaded(BlockId),
    /// A server described an object, which now exists.
    Created(EntityKey),
    /// A described object was removed: by the server, or because it was out of the world for too long.
    Deleted(u32),
    /// An object looks different.
    Redressed(EntityKey),
    /// An object plays a script.
    Script {
        /// The object.
        entity: EntityKey,
        /// Which script.
        script: ScriptChoice,
    },
    /// An object makes a noise.
    Sound {
        /// The object.
        entity: EntityKey,
        /// Which one of its sounds.
        sound: u32,
        /// How loud.
        volume: f32,
    },
    /// A server described an object in a cell that these data files do not have; it is in no cell.
    NoSuchPlace {
        /// The object.
        entity: EntityKey,
        /// Where it was said to be.
        at: Position,
    },
    /// Updates about an object wait for its description: ask the server for it.
    DescriptionWanted(u32),
    /// Updates that waited for a description were dropped: it did not come, or there were too many.
    UpdatesDropped {
        /// The object.
        guid: u32,
        /// How many.
        count: usize,
    },
    /// An update that had waited was refused when its time came.
    UpdateRefused {
        /// The object.
        guid: u32,
        /// What was wrong with it.
        why: String,
    },
    /// Data cannot be used, or not now.
    Problem(Problem),
    /// A file with kept meshes cannot be used; they are built again. The file can be deleted.
    MeshesRefused {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        why: String,
    },
}

impl From<SceneEvent> for Event {
    fn from(event: SceneEvent) -> Event {
        let cell = |id: CellId| (id != CellId::NONE).then_some(id);
        match event {
            SceneEvent::CellChanged { entity, from, to } => {
                Event::CellChanged { entity, from: cell(from), to: cell(to) }
            }
            SceneEvent::Collided { entity, other, profile } => Event::Touched { entity, other, profile },
            SceneEvent::MissileHit { missile, target, quadrant } => {
                Event::MissileHit { missile, target, quadrant }
            }
            SceneEvent::CollisionEnded { entity, other } => Event::Separated { entity, other },
            SceneEvent::HitEnvironment { entity, velocity, had_contact } => {
                Event::HitEnvironment { entity, velocity, had_contact }
            }
            SceneEvent::LeftGround(entity) => Event::LeftGround(entity),
            SceneEvent::HitGround(entity) => Event::HitGround(entity),
            SceneEvent::Lost(entity) => Event::Lost(entity),
            SceneEvent::Found(entity) => Event::Found(entity),
            SceneEvent::MotionDone { entity, motion, success } => {
                Event::MotionDone { entity, motion, success }
            }
            SceneEvent::HookRun { entity, hook } => Event::HookRun { entity, hook },
            SceneEvent::MoveToEnded { entity, code } => Event::MoveToEnded { entity, code },
            SceneEvent::GaveUpFollowing { entity, from } => Event::GaveUpFollowing { entity, from },
        }
    }
}
