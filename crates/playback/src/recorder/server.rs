//! Messages of the server.

use super::{OBJECTS, PARCEL, PLAYER, RecordError, Stage, client::place};
use std::collections::BTreeMap;
use threshold_dat::{
    DatId, IdScheme,
    records::{DatRecord as _, Setup, Text},
};
use threshold_sim::{
    PLAYER_SETUP, PLAYER_STATE, Position, State, motion::MovementParameters, update::Stamps,
};
use threshold_wire::{
    Guid, Message,
    messages::{
        Attachment, Deleted, InterpretedState, Motion, MotionUpdate, MoveTo, Movement, MovementKind,
        ObjectDescription, Origin, PackedPosition, Parented, PhysicsDescription, PickedUp, Pose,
        PositionStamps, PositionUpdate, StateChange, Teleport, WeenieDescription, WeenieFields,
    },
};
use threshold_world::{
    motion::Command,
    placed::{ObjectKind, PlacedObject},
};

/// Bits of what an object is.
const IS_PLAYER: u32 = 0x8;
const IS_ATTACKABLE: u32 = 0x10;
const IS_STUCK: u32 = 0x4;
const IS_DOOR: u32 = 0x1000;
const IS_PORTAL: u32 = 0x4_0000;
/// Kinds of items, as bits.
const CREATURE: u32 = 0x10;
const MISC: u32 = 0x80;
const CONTAINER: u32 = 0x200;
const PORTAL: u32 = 0x1_0000;
/// The right hand.
const RIGHT_HAND: u32 = 1;

/// Which way a door swings.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Swing {
    Open,
    Closed,
}

/// Where the sequence numbers of the objects stand.
#[derive(Default)]
pub(super) struct Server(BTreeMap<u32, Stamps>);

impl Server {
    pub(super) fn stamps(&self, guid: u32) -> Stamps {
        self.0.get(&guid).copied().unwrap_or_default()
    }

    /// The next numbers of an object.
    fn next(&mut self, guid: u32, count: impl FnOnce(&mut Stamps)) -> Stamps {
        let stamps = self.0.entry(guid).or_default();
        count(stamps);
        *stamps
    }
}

impl Stage<'_> {
    /// The motion table that the original would send for a setup.
    fn motion_table(&self, setup: DatId) -> Result<Option<DatId>, RecordError> {
        let bytes = self.session.library.source().record(IdScheme::Portal, setup)?;
        let Some(bytes) = bytes else { return Err(RecordError::Missing(format!("setup {setup}"))) };
        let table = Setup::load(setup, &bytes).map_err(threshold_dat::Error::from)?.defaults.motion_table;
        Ok((table != DatId(0)).then_some(table))
    }

    fn create(
        &mut self,
        guid: u32,
        physics: PhysicsDescription,
        weenie: WeenieDescription,
    ) -> Result<(), RecordError> {
        let object = ObjectDescription { guid: Guid(guid), physics, weenie, ..ObjectDescription::default() };
        self.say(&Message::CreateObject(Box::new(object)))
    }

    pub(super) fn describe_player(&mut self, at: Position) -> Result<(), RecordError> {
        let physics = PhysicsDescription {
            state: PLAYER_STATE.bits(),
            pose: standing(Command::READY),
            position: Some(place(&at)),
            motion_table: self.motion_table(PLAYER_SETUP)?,
            setup: Some(PLAYER_SETUP),
            ..PhysicsDescription::default()
        };
        self.create(PLAYER, physics, weenie("Wayfarer", CREATURE, IS_PLAYER | IS_ATTACKABLE | IS_STUCK))
    }

    pub(super) fn describe(&mut self, placed: &PlacedObject) -> Result<(), RecordError> {
        let (item_type, description, motion) = match placed.kind {
            ObjectKind::Door => (MISC, IS_DOOR | IS_ATTACKABLE | IS_STUCK, Command::OFF),
            ObjectKind::Person => (CREATURE, IS_STUCK, Command::READY),
            ObjectKind::Creature => (CREATURE, IS_ATTACKABLE | IS_STUCK, Command::READY),
            ObjectKind::Chest => (CONTAINER, IS_STUCK, Command::READY),
            ObjectKind::Portal => (PORTAL, IS_PORTAL | IS_STUCK, Command::READY),
            ObjectKind::Sign | ObjectKind::Other => (MISC, IS_STUCK, Command::READY),
        };
        let motion_table = self.motion_table(placed.setup)?;
        let physics = PhysicsDescription {
            state: placed.state,
            pose: if motion_table.is_some() { standing(motion) } else { Pose::Unsaid },
            position: Some(place(&placed.position())),
            motion_table,
            setup: Some(placed.setup),
            scale: (placed.scale != 1.0).then_some(placed.scale),
            ..PhysicsDescription::default()
        };
        self.create(OBJECTS + placed.id, physics, weenie(&placed.name, item_type, description))
    }

    /// Something that one of the villagers holds.
    pub(super) fn describe_parcel(&mut self, holder: u32) -> Result<(), RecordError> {
        let setup = self.object("Cottage Chest")?.setup;
        let physics = PhysicsDescription {
            state: State::REPORT_COLLISIONS.bits(),
            setup: Some(setup),
            scale: Some(0.25),
            parent: Some(Attachment { guid: Guid(holder), location: RIGHT_HAND }),
            ..PhysicsDescription::default()
        };
        self.create(PARCEL, physics, weenie("Parcel", MISC, 0))
    }

    /// The parcel goes to somebody else.
    pub(super) fn pass_parcel(&mut self, to: u32) -> Result<(), RecordError> {
        let stamps = self.server.next(PARCEL, |stamps| stamps.position += 1);
        let parented = Parented {
            parent: Guid(to),
            child: Guid(PARCEL),
            location: RIGHT_HAND,
            placement: 0,
            parent_instance: self.server.stamps(to).instance,
            position: stamps.position,
        };
        self.say(&Message::Parent(parented))
    }

    pub(super) fn pick_up_parcel(&mut self) -> Result<(), RecordError> {
        let stamps = self.server.next(PARCEL, |stamps| stamps.position += 1);
        let guid = Guid(PARCEL);
        self.say(&Message::Pickup(PickedUp { guid, instance: stamps.instance, position: stamps.position }))
    }

    /// A door swings: first the motion, then the state.
    pub(super) fn swing_door(&mut self, name: &str, swing: Swing) -> Result<(), RecordError> {
        let door = self.object(name)?;
        let (guid, solid) = (OBJECTS + door.id, State::from_bits_truncate(door.state));
        let (command, state) = match swing {
            Swing::Open => (Command::ON, solid | State::ETHEREAL),
            Swing::Closed => (Command::OFF, solid),
        };
        self.order(guid, interpreted(command, 1.0))?;
        let stamps = self.server.next(guid, |stamps| stamps.state += 1);
        let change = StateChange {
            guid: Guid(guid),
            state: state.bits(),
            instance: stamps.instance,
            state_stamp: stamps.state,
        };
        self.say(&Message::SetState(change))
    }

    /// An object walks to a place, and its positions are told from now on.
    pub(super) fn order_walk(&mut self, guid: u32, to: &Position) -> Result<(), RecordError> {
        let usual = MovementParameters::default();
        let to = MoveTo {
            to: Origin { cell: to.cell, origin: to.frame.origin.into() },
            parameters: usual.bits,
            distance: usual.distance,
            min_distance: usual.minimum,
            fail_distance: usual.fail_distance,
            speed: usual.speed,
            walk_run_threshold: usual.threshold,
            heading: usual.heading,
            run_rate: 1.0,
        };
        self.walkers.push(guid);
        self.order(guid, MovementKind::MoveToPosition(to))
    }

    pub(super) fn order_run(&mut self, guid: u32, speed: f32) -> Result<(), RecordError> {
        self.walkers.push(guid);
        self.order(guid, interpreted(Command::RUN_FORWARD, speed))
    }

    pub(super) fn order_stop(&mut self, guid: u32) -> Result<(), RecordError> {
        self.walkers.retain(|walker| *walker != guid);
        self.order(guid, interpreted(Command::READY, 1.0))
    }

    fn order(&mut self, guid: u32, kind: MovementKind) -> Result<(), RecordError> {
        let stamps = self.server.next(guid, |stamps| {
            stamps.movement += 1;
            stamps.server_control += 1;
        });
        let motion = Motion {
            movement_stamp: stamps.movement,
            server_control: stamps.server_control,
            autonomous: false,
            movement: movement(kind),
        };
        let update = MotionUpdate { guid: Guid(guid), instance: stamps.instance, motion };
        self.say(&Message::Movement(Box::new(update)))
    }

    /// The server tells where an object is.
    pub(super) fn tell_position(&mut self, guid: u32) -> Result<(), RecordError> {
        let Some(key) = self.sim.find(guid) else { return Ok(()) };
        let entity = self.sim.entity(key)?;
        let (at, contact) = (entity.position, entity.stands());
        let stamps = self.server.next(guid, |stamps| stamps.position += 1);
        self.say(&positioned(guid, &at, contact, stamps))
    }

    /// The server says that an object is somewhere else, as if it had walked there.
    pub(super) fn displace(&mut self, guid: u32, to: Position) -> Result<(), RecordError> {
        let stamps = self.server.next(guid, |stamps| stamps.position += 1);
        self.say(&positioned(guid, &to, true, stamps))
    }

    /// The player is taken to another place.
    pub(super) fn teleport(&mut self, to: Position) -> Result<(), RecordError> {
        let stamps = self.server.next(PLAYER, |stamps| {
            stamps.position += 1;
            stamps.teleport += 1;
        });
        self.say(&Message::PlayerTeleport(Teleport { teleport: stamps.teleport }))?;
        self.say(&positioned(PLAYER, &to, true, stamps))
    }

    pub(super) fn delete(&mut self, guid: u32) -> Result<(), RecordError> {
        let instance = self.server.stamps(guid).instance;
        self.say(&Message::DeleteObject(Deleted { guid: Guid(guid), instance }))
    }
}

fn weenie(name: &str, item_type: u32, description: u32) -> WeenieDescription {
    WeenieDescription {
        name: Text(name.as_bytes().to_vec()),
        class: 1,
        icon: DatId(0x0600_0001),
        item_type,
        description,
        fields: WeenieFields { use_radius: Some(2.0), ..WeenieFields::default() },
    }
}

fn movement(kind: MovementKind) -> Movement {
    Movement { style: Command::NON_COMBAT.index(), options: 0, kind }
}

fn interpreted(forward: Command, speed: f32) -> MovementKind {
    let state = InterpretedState {
        forward: Some(forward.index()),
        forward_speed: (speed != 1.0).then_some(speed),
        ..InterpretedState::default()
    };
    MovementKind::Interpreted(state, None)
}

fn standing(command: Command) -> Pose {
    Pose::Moving(Some((movement(interpreted(command, 1.0)), false)))
}

fn positioned(guid: u32, at: &Position, contact: bool, stamps: Stamps) -> Message<'static> {
    let position = PackedPosition {
        position: place(at),
        velocity: None,
        placement: None,
        contact,
        stamps: PositionStamps {
            instance: stamps.instance,
            position: stamps.position,
            teleport: stamps.teleport,
            force_position: stamps.force_position,
        },
    };
    Message::UpdatePosition(PositionUpdate { guid: Guid(guid), position })
}
