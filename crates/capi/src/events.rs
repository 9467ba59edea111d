//! What has happened.

use crate::{
    fault::{Fault, ThStatus},
    handles::ThWorld,
    memory::OutArray,
    types::{ThEntity, ThPosition, ThVec3},
    world::with_world,
};
use threshold_sim::{Event, update::ScriptChoice};

/// Kinds of events. The meaning of the other fields of a ThEvent depends on the kind.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ThEventKind {
    /// An event that this version of the interface does not know; see its text.
    #[default]
    Other = 0,
    /// `entity` moved from cell `from` to cell `to`; 0 means no loaded cell.
    CellChanged = 1,
    /// `entity` touched `other`, or was touched by it, for the first time: `velocity` is that of the mover relative to what
    /// it touched, `flags` describe the other one: 1 alive, 2 a player, 4 attackable, 8 a missile, 0x10 touches
    /// ground, 0x20 `entity` itself touches ground, 0x40 a door.
    Touched = 2,
    /// `entity` no longer touches `other`.
    Separated = 3,
    /// `entity` hit walls, ground or another static with `velocity`; `flags` are 1 when it touched
    /// ground before.
    HitEnvironment = 4,
    /// `entity` left walkable ground.
    LeftGround = 5,
    /// `entity` reached walkable ground.
    HitGround = 6,
    /// `entity` is no longer in any loaded cell.
    Lost = 7,
    /// The cell that `entity` waited for has been loaded.
    Found = 8,
    /// The door `entity` opened.
    DoorOpened = 9,
    /// The door `entity` closed.
    DoorClosed = 10,
    /// The door `entity` cannot close because something is in the way.
    DoorBlocked = 11,
    /// The player `entity` started to teleport; `other` is the portal, if there is one.
    Departed = 12,
    /// The player `entity` arrived at `position`.
    Arrived = 13,
    /// There was no room for the player `entity` at `position`, or no such cell.
    NoRoom = 14,
    /// The player `entity` fell out of the world and was put back.
    Rescued = 15,
    /// The land of block `to` has been loaded.
    BlockLoaded = 16,
    /// The land of block `to` has been unloaded.
    BlockUnloaded = 17,
    /// Data cannot be used, or cannot be read at the moment; the event has a text.
    Problem = 18,
    /// The missile `entity` hit `other`; `flags` say where, as seen by the target: 1 high, 2 middle, 4 low, 8 left, 0x10
    /// right, 0x20 front, 0x40 back.
    MissileHit = 19,
    /// A server described `entity`, which now exists.
    Created = 20,
    /// The described object with game id `to` was removed.
    Deleted = 21,
    /// The appearance of `entity` changed.
    Redressed = 22,
    /// `entity` plays the script `to`, a record, or of type `to` when `flags` are 1.
    Script = 23,
    /// `entity` plays the sound `to`.
    Sound = 24,
    /// A server described `entity` in a cell that the data files do not have: `position`.
    NoSuchPlace = 25,
    /// Updates wait for a description of game id `to`: ask the server for it.
    DescriptionWanted = 26,
    /// `flags` updates of game id `to` that waited were dropped.
    UpdatesDropped = 27,
    /// An update of game id `to` that had waited was refused; the event has a text.
    UpdateRefused = 28,
    /// The motion `to` of `entity` ended; `flags` are 1 when it was not cut short.
    MotionDone = 29,
    /// An animation hook of `entity` ran, such as a footstep; the event has a text.
    HookRun = 30,
    /// A move-to of `entity` ended; `flags` say why, 0 for success.
    MoveToEnded = 31,
    /// `entity` could not follow the positions that a server reported, and was moved to the last of them; `position` is where
    /// it was before.
    GaveUpFollowing = 32,
    /// `entity`, on its way to a place, has found a route and sets out.
    SetOut = 33,
    /// `entity` reached the place it was on its way to: `position`.
    CameTo = 34,
    /// `entity` stopped on its way, at `position`.
    GaveUpGoing = 35,
}

/// An event.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ThEvent {
    /// What.
    pub kind: ThEventKind,
    /// Number of the event's text among those of this call, from 1; 0 when it has none.
    pub text: u32,
    /// The object it is about; 0 for none.
    pub entity: ThEntity,
    /// The other object; 0 for none.
    pub other: ThEntity,
    /// Cell before; 0 for none.
    pub from: u32,
    /// Cell after, or a block; 0 for none.
    pub to: u32,
    /// Where.
    pub position: ThPosition,
    /// How fast.
    pub velocity: ThVec3,
    /// Details, by kind.
    pub flags: u32,
}

impl ThEvent {
    fn about(kind: ThEventKind, entity: threshold_sim::EntityKey) -> ThEvent {
        ThEvent { kind, entity: entity.id(), ..ThEvent::default() }
    }
}

/// An event without its text, and the text.
fn event(event: &Event) -> (ThEvent, Option<String>) {
    let plain = match *event {
        Event::CellChanged { entity, from, to } => {
            let cell = |cell: Option<threshold_world::CellId>| cell.map_or(0, |cell| cell.0);
            ThEvent { from: cell(from), to: cell(to), ..ThEvent::about(ThEventKind::CellChanged, entity) }
        }
        Event::Touched { entity, other, profile } => ThEvent {
            other: other.id(),
            velocity: profile.velocity.into(),
            flags: profile.flags.bits(),
            ..ThEvent::about(ThEventKind::Touched, entity)
        },
        Event::MissileHit { missile, target, quadrant } => ThEvent {
            other: target.id(),
            flags: quadrant.bits(),
            ..ThEvent::about(ThEventKind::MissileHit, missile)
        },
        Event::Separated { entity, other } => {
            ThEvent { other: other.id(), ..ThEvent::about(ThEventKind::Separated, entity) }
        }
        Event::HitEnvironment { entity, velocity, had_contact } => ThEvent {
            velocity: velocity.into(),
            flags: had_contact.into(),
            ..ThEvent::about(ThEventKind::HitEnvironment, entity)
        },
        Event::LeftGround(entity) => ThEvent::about(ThEventKind::LeftGround, entity),
        Event::HitGround(entity) => ThEvent::about(ThEventKind::HitGround, entity),
        Event::Lost(entity) => ThEvent::about(ThEventKind::Lost, entity),
        Event::Found(entity) => ThEvent::about(ThEventKind::Found, entity),
        Event::DoorOpened(entity) => ThEvent::about(ThEventKind::DoorOpened, entity),
        Event::DoorClosed(entity) => ThEvent::about(ThEventKind::DoorClosed, entity),
        Event::DoorBlocked(entity) => ThEvent::about(ThEventKind::DoorBlocked, entity),
        Event::Departed { entity, portal } => ThEvent {
            other: portal.map_or(0, |portal| portal.id()),
            ..ThEvent::about(ThEventKind::Departed, entity)
        },
        Event::Arrived { entity, at } => {
            ThEvent { position: at.into(), ..ThEvent::about(ThEventKind::Arrived, entity) }
        }
        Event::NoRoom { entity, at } => {
            ThEvent { position: at.into(), ..ThEvent::about(ThEventKind::NoRoom, entity) }
        }
        Event::Rescued(entity) => ThEvent::about(ThEventKind::Rescued, entity),
        Event::BlockLoaded(block) => {
            ThEvent { kind: ThEventKind::BlockLoaded, to: block.0.into(), ..ThEvent::default() }
        }
        Event::BlockUnloaded(block) => {
            ThEvent { kind: ThEventKind::BlockUnloaded, to: block.0.into(), ..ThEvent::default() }
        }
        Event::Problem(ref problem) => {
            return (ThEvent { kind: ThEventKind::Problem, ..ThEvent::default() }, Some(problem.to_string()));
        }
        Event::Created(entity) => ThEvent::about(ThEventKind::Created, entity),
        Event::Deleted(guid) => ThEvent { kind: ThEventKind::Deleted, to: guid, ..ThEvent::default() },
        Event::Redressed(entity) => ThEvent::about(ThEventKind::Redressed, entity),
        Event::Script { entity, script } => {
            let (to, flags) = match script {
                ScriptChoice::Id(id) => (id.0, 0),
                ScriptChoice::Type(number, _) => (number, 1),
            };
            ThEvent { to, flags, ..ThEvent::about(ThEventKind::Script, entity) }
        }
        Event::Sound { entity, sound, .. } => {
            ThEvent { to: sound, ..ThEvent::about(ThEventKind::Sound, entity) }
        }
        Event::NoSuchPlace { entity, at } => {
            ThEvent { position: at.into(), ..ThEvent::about(ThEventKind::NoSuchPlace, entity) }
        }
        Event::DescriptionWanted(guid) => {
            ThEvent { kind: ThEventKind::DescriptionWanted, to: guid, ..ThEvent::default() }
        }
        Event::UpdatesDropped { guid, count } => ThEvent {
            kind: ThEventKind::UpdatesDropped,
            to: guid,
            flags: count.try_into().unwrap_or(u32::MAX),
            ..ThEvent::default()
        },
        Event::UpdateRefused { guid, ref why } => {
            let plain = ThEvent { kind: ThEventKind::UpdateRefused, to: guid, ..ThEvent::default() };
            return (plain, Some(why.clone()));
        }
        Event::MotionDone { entity, motion, success } => {
            ThEvent { to: motion.0, flags: success.into(), ..ThEvent::about(ThEventKind::MotionDone, entity) }
        }
        Event::HookRun { entity, ref hook } => {
            return (ThEvent::about(ThEventKind::HookRun, entity), Some(format!("{hook:?}")));
        }
        Event::MoveToEnded { entity, code } => {
            ThEvent { flags: code.0, ..ThEvent::about(ThEventKind::MoveToEnded, entity) }
        }
        Event::GaveUpFollowing { entity, from } => {
            ThEvent { position: from.into(), ..ThEvent::about(ThEventKind::GaveUpFollowing, entity) }
        }
        Event::SetOut { entity, .. } => ThEvent::about(ThEventKind::SetOut, entity),
        Event::CameTo { entity, at } => {
            ThEvent { position: at.into(), ..ThEvent::about(ThEventKind::CameTo, entity) }
        }
        Event::GaveUpGoing { entity, at, .. } => {
            ThEvent { position: at.into(), ..ThEvent::about(ThEventKind::GaveUpGoing, entity) }
        }
        ref other => return (ThEvent::default(), Some(format!("{other:?}"))),
    };
    (plain, None)
}

/// Events since the last call, in order. Without a buffer, or with one that is too small, nothing is removed and
/// the next call returns the same events.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_events(
    world: *mut ThWorld,
    events: *mut ThEvent,
    capacity: u32,
    count: *mut u32,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let out = unsafe { OutArray::new(events, capacity, count)? };
        let mut texts = Vec::new();
        let plain: Vec<ThEvent> = world
            .sim
            .events()
            .iter()
            .map(|found| {
                let (mut plain, text) = event(found);
                if let Some(text) = text {
                    texts.push(text);
                    plain.text = texts.len() as u32;
                }
                plain
            })
            .collect();
        out.set(&plain)?;
        if !out.is_question() {
            world.sim.drain_events();
            world.texts = texts;
        }
        Ok(())
    })
}

/// The text of an event from the last successful call of `th_events`, UTF-8 without a zero at the end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_event_text(
    world: *mut ThWorld,
    text: u32,
    buffer: *mut u8,
    capacity: u32,
    length: *mut u32,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let out = unsafe { OutArray::new(buffer, capacity, length)? };
        let found = (text as usize).checked_sub(1).and_then(|index| world.texts.get(index));
        out.set(found.ok_or_else(|| Fault::not_found(format_args!("text {text}")))?.as_bytes())
    })
}
