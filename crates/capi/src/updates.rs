//! What a server says of objects.

use crate::{
    fault::{Fault, ThStatus},
    handles::ThWorld,
    memory::{OptionalOut, Out, read, read_array, read_text},
    types::{ThPosition, ThVec3},
    world::with_world,
};
use bytemuck::AnyBitPattern;
use threshold_dat::DatId;
use threshold_physics::motion::MovementParameters;
use threshold_sim::{
    Applied, Simulation,
    update::{
        CommandIndex, GameObject, Hold, MoveOrder, MovementOrder, MovementUpdate, ObjectDescription,
        OrderKind, OrderedState, ParentUpdate, PickupUpdate, Pose, PositionUpdate, ScriptChoice,
        ScriptUpdate, SoundUpdate, Stamps, StateUpdate, Update, VectorUpdate,
    },
};
use threshold_wire::{Message, Side};

/// The result of an update.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ThApplied {
    /// It was applied.
    #[default]
    Done = 0,
    /// It is older than one that was already applied, or belongs to an earlier instance of the object.
    Stale = 1,
    /// It waits for the description of its object, or for the own player to be named.
    Queued = 2,
    /// The message does not concern the world.
    Nothing = 3,
}

/// Kinds of updates. All use `guid`; all except TH_UPDATE_KIND_OWN_PLAYER, TELEPORT, SCRIPT and SOUND also use `instance`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThUpdateKind {
    /// The recipient's own player is this object.
    OwnPlayer = 0,
    /// The object is deleted.
    Delete = 1,
    /// The object is at `position`: `contact`, `placement`, `stamp` (of positions), `teleport`, `force_position`.
    Position = 2,
    /// The object has the state word `value`: `stamp` (of states).
    State = 3,
    /// The object has `velocity` and `omega`: `stamp` (of vectors).
    Vector = 4,
    /// The object is held by `parent` at `location`: `placement`, `stamp` (of positions); `instance` is the holder's.
    Parent = 5,
    /// The object is taken out of the world, into a container: `stamp` (of positions).
    Pickup = 6,
    /// The object plays the script `value`, a record.
    Script = 7,
    /// The object plays the script that its table has for type `value` and intensity `amount`.
    ScriptType = 8,
    /// The object plays the sound `value` at volume `amount`.
    Sound = 9,
    /// The own player is about to be teleported: `teleport` is the number of the position that will follow.
    Teleport = 10,
}

/// A server's update of one aspect of an object.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, AnyBitPattern)]
pub struct ThUpdate {
    /// One of ThUpdateKind.
    pub kind: u32,
    /// The object's game id.
    pub guid: u32,
    /// Instance number of the object.
    pub instance: u16,
    /// Sequence number of the aspect.
    pub stamp: u16,
    /// Sequence number of teleports.
    pub teleport: u16,
    /// Sequence number of forced positions.
    pub force_position: u16,
    /// Where.
    pub position: ThPosition,
    /// Metres per second.
    pub velocity: ThVec3,
    /// Radians per second.
    pub omega: ThVec3,
    /// Meaning depends on the kind.
    pub value: u32,
    /// Meaning depends on the kind.
    pub amount: f32,
    /// 1 when it touches ground.
    pub contact: u32,
    /// The holder's game id.
    pub parent: u32,
    /// Holding location of the holder's setup.
    pub location: u32,
    /// Placement frame.
    pub placement: u32,
}

/// Kinds of movement orders.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThOrder {
    /// It performs the commands until the next order.
    State = 0,
    /// It moves to the object `target`, or to `to` if that is not known.
    MoveToObject = 6,
    /// It moves to `to`.
    MoveToPosition = 7,
    /// It turns towards the object `target`, or to `heading` if that is not known.
    TurnToObject = 8,
    /// It turns to `heading`.
    TurnToHeading = 9,
}

/// A server's movement order. Commands are given by the low half of their ids. An object without a motion
/// table does nothing.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, AnyBitPattern)]
pub struct ThMovement {
    /// One of ThOrder.
    pub order: u32,
    /// The object's game id.
    pub guid: u32,
    /// Instance number of the object.
    pub instance: u16,
    /// Sequence number of movements.
    pub stamp: u16,
    /// Sequence number of server-controlled movements.
    pub server_control: u16,
    /// Style; 0 for the peace style.
    pub style: u16,
    /// Forward or another substate; 0 for standing.
    pub forward: u16,
    /// To the right; 0 for none.
    pub side: u16,
    /// Clockwise; 0 for none.
    pub turn: u16,
    /// Padding: keeps the size the same on all platforms.
    pub reserved: u16,
    /// Speed of the forward command; 0 for 1.
    pub forward_speed: f32,
    /// Negative to the left; 0 for 1.
    pub side_speed: f32,
    /// Negative counter-clockwise; 0 for 1.
    pub turn_speed: f32,
    /// Game id of an object to stick to; 0 for none.
    pub sticky: u32,
    /// 1 when the object's own player decided it.
    pub autonomous: u32,
    /// Game id of the target.
    pub target: u32,
    /// Where to.
    pub to: ThPosition,
    /// Movement parameter bits of the game; 0 for the usual ones.
    pub bits: u32,
    /// Distance that counts as arrived, in metres; 0 for 0.6.
    pub distance: f32,
    /// Degrees clockwise from north.
    pub heading: f32,
    /// Speed of the movement; 0 for 1.
    pub speed: f32,
    /// New run rate; 0 for 1.
    pub run_rate: f32,
}

impl ThMovement {
    fn check(self) -> Result<Update, Fault> {
        let or = |value: f32, usual: f32| if value == 0.0 { usual } else { value };
        let index = |value: u16, usual: CommandIndex| if value == 0 { usual } else { CommandIndex(value) };
        let usual = MovementParameters::default();
        let parameters = MovementParameters {
            bits: if self.bits == 0 { usual.bits } else { self.bits },
            distance: or(self.distance, usual.distance),
            heading: self.heading,
            speed: or(self.speed, usual.speed),
            ..usual
        };
        let numbers = [self.forward_speed, self.side_speed, self.turn_speed, self.run_rate];
        let are_numbers = numbers.iter().all(|number| number.is_finite());
        if !are_numbers
            || ![parameters.distance, parameters.heading, parameters.speed].iter().all(|n| n.is_finite())
        {
            return Err(Fault::argument("a speed, distance or heading is NaN, infinite or out of range"));
        }
        let way = || -> Result<MoveOrder, Fault> {
            Ok(MoveOrder { to: self.to.check()?, parameters, run_rate: or(self.run_rate, 1.0) })
        };
        let style = index(self.style, CommandIndex::NON_COMBAT);
        let kind = match self.order {
            0 => OrderKind::State(OrderedState {
                style,
                forward: index(self.forward, CommandIndex::READY),
                side: CommandIndex(self.side),
                turn: CommandIndex(self.turn),
                forward_speed: or(self.forward_speed, 1.0),
                side_speed: or(self.side_speed, 1.0),
                turn_speed: or(self.turn_speed, 1.0),
                sticky: (self.sticky != 0).then_some(self.sticky),
                ..OrderedState::default()
            }),
            6 => OrderKind::MoveToObject(self.target, way()?),
            7 => OrderKind::MoveToPosition(way()?),
            8 => OrderKind::TurnToObject(self.target, self.heading, parameters),
            9 => OrderKind::TurnToHeading(parameters),
            other => return Err(Fault::argument(format!("unknown kind of movement {other}"))),
        };
        if self.autonomous > 1 {
            return Err(Fault::argument(format!("autonomous must be 0 or 1, not {}", self.autonomous)));
        }
        Ok(Update::Movement(Box::new(MovementUpdate {
            guid: self.guid,
            instance: self.instance,
            movement_stamp: self.stamp,
            server_control: self.server_control,
            autonomous: self.autonomous == 1,
            order: MovementOrder { style, kind },
        })))
    }
}

/// A server's full description of an object.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, AnyBitPattern)]
pub struct ThDescription {
    /// The object's game id.
    pub guid: u32,
    /// 1 to replace an object with the same id, else 0.
    pub anew: u32,
    /// Setup; 0 for none.
    pub setup: u32,
    /// Motion table; 0 for none.
    pub motion_table: u32,
    /// Sound table; 0 for none.
    pub sound_table: u32,
    /// Script table; 0 for none.
    pub script_table: u32,
    /// State word.
    pub state: u32,
    /// Placement frame.
    pub placement: u32,
    /// Its position; cell 0 if it is in a container or held.
    pub position: ThPosition,
    /// Metres per second.
    pub velocity: ThVec3,
    /// Radians per second.
    pub omega: ThVec3,
    /// Scale; 0 means 1.
    pub scale: f32,
    /// Friction; 0 for the usual 0.95.
    pub friction: f32,
    /// Elasticity; 0 for the usual 0.05.
    pub elasticity: f32,
    /// 0 opaque to 1 invisible.
    pub translucency: f32,
    /// Number of its class.
    pub class_id: u32,
    /// Kind of item, as bits: 0x10 for creatures.
    pub item_type: u32,
    /// What it is, as bits of the game: 8 a player, 0x1000 a door, 0x40000 a portal.
    pub description: u32,
    /// Metres from which it can be used; 0 if unknown.
    pub use_radius: f32,
    /// The container it is in; 0 for none.
    pub container: u32,
    /// The object that wields it; 0 for none.
    pub wielder: u32,
    /// The object that holds it; 0 for none.
    pub parent: u32,
    /// Holding location of the holder's setup.
    pub location: u32,
    /// Sequence numbers: positions, movements, states, vectors, teleports, server control, forced positions, appearances,
    /// instances.
    pub stamps: [u16; 9],
    /// Padding: keeps the size the same on all platforms.
    pub reserved: u16,
}

impl From<Applied> for ThApplied {
    fn from(applied: Applied) -> ThApplied {
        match applied {
            Applied::Done => ThApplied::Done,
            Applied::Stale => ThApplied::Stale,
            Applied::Queued => ThApplied::Queued,
        }
    }
}

impl ThUpdate {
    fn check(self) -> Result<Update, Fault> {
        let ThUpdate { guid, instance, stamp, teleport, force_position, value, amount, .. } = self;
        let script = |script| Update::Script(ScriptUpdate { guid, script });
        if self.contact > 1 {
            return Err(Fault::argument(format!("contact must be 0 or 1, not {}", self.contact)));
        }
        Ok(match self.kind {
            0 => Update::OwnPlayer(guid),
            1 => Update::Delete { guid, instance },
            2 => Update::Position(PositionUpdate {
                guid,
                position: self.position.check()?,
                contact: self.contact == 1,
                placement: self.placement,
                instance,
                position_stamp: stamp,
                teleport,
                force_position,
            }),
            3 => Update::State(StateUpdate { guid, state: value, instance, state_stamp: stamp }),
            4 => Update::Vector(VectorUpdate {
                guid,
                velocity: self.velocity.into(),
                omega: self.omega.into(),
                instance,
                vector: stamp,
            }),
            5 => Update::Parent(ParentUpdate {
                parent: self.parent,
                child: guid,
                location: self.location,
                placement: self.placement,
                parent_instance: instance,
                position_stamp: stamp,
            }),
            6 => Update::Pickup(PickupUpdate { guid, instance, position_stamp: stamp }),
            7 => script(ScriptChoice::Id(DatId(value))),
            8 => script(ScriptChoice::Type(value, amount)),
            9 => Update::Sound(SoundUpdate { guid, sound: value, volume: amount }),
            10 => Update::Teleport(teleport),
            other => return Err(Fault::argument(format!("unknown kind of update {other}"))),
        })
    }
}

impl ThDescription {
    fn check(self, name: String) -> Result<Update, Fault> {
        let some = |number: u32| (number != 0).then_some(number);
        let record = |number: u32| some(number).map(DatId);
        let or = |value: f32, usual: f32| if value == 0.0 { usual } else { value };
        let [
            position,
            movement,
            state,
            vector,
            teleport,
            server_control,
            force_position,
            appearance,
            instance,
        ] = self.stamps;
        let object = Box::new(ObjectDescription {
            guid: self.guid,
            game: GameObject {
                name,
                class: self.class_id,
                item_type: self.item_type,
                description: self.description,
                use_radius: (self.use_radius != 0.0).then_some(self.use_radius),
                container: some(self.container),
                wielder: some(self.wielder),
                ..GameObject::default()
            },
            state: self.state,
            pose: Pose::Placed(self.placement),
            position: if self.position.cell == 0 { None } else { Some(self.position.check()?) },
            setup: record(self.setup),
            motion_table: record(self.motion_table),
            sound_table: record(self.sound_table),
            script_table: record(self.script_table),
            parent: some(self.parent).map(|guid| Hold { guid, location: self.location }),
            scale: or(self.scale, 1.0),
            friction: or(self.friction, 0.95),
            elasticity: or(self.elasticity, 0.05),
            translucency: self.translucency,
            velocity: self.velocity.into(),
            omega: self.omega.into(),
            stamps: Stamps {
                position,
                movement,
                state,
                vector,
                teleport,
                server_control,
                force_position,
                appearance,
                instance,
            },
            ..ObjectDescription::default()
        });
        match self.anew {
            0 => Ok(Update::Create(object)),
            1 => Ok(Update::CreateAnew(object)),
            other => Err(Fault::argument(format!("anew must be 0 or 1, not {other}"))),
        }
    }
}

/// Applies the updates of a message; if one is not applied, its result is returned.
fn apply_message(sim: &mut Simulation, bytes: &[u8]) -> Result<ThApplied, Fault> {
    let message = Message::decode(Side::Server, bytes)
        .map_err(|error| Fault::argument(format!("the bytes are not a message: {error}")))?;
    let mut applied = ThApplied::Nothing;
    for update in message.updates() {
        let this = sim.apply(&update)?.into();
        if matches!(applied, ThApplied::Nothing | ThApplied::Done) {
            applied = this;
        }
    }
    Ok(applied)
}

/// Applies a server's update of one aspect of an object, with the original's sequence numbers; it takes effect in the next tick.
/// `applied` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_apply(
    world: *mut ThWorld,
    update: *const ThUpdate,
    applied: *mut ThApplied,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let (update, out) = unsafe { (read(update, "update")?, OptionalOut::new(applied)) };
        out.set(world.sim.apply(&update.check()?)?.into());
        Ok(())
    })
}

/// Applies a server's movement order. `applied` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_apply_movement(
    world: *mut ThWorld,
    movement: *const ThMovement,
    applied: *mut ThApplied,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let (movement, out) = unsafe { (read(movement, "movement")?, OptionalOut::new(applied)) };
        out.set(world.sim.apply(&movement.check()?)?.into());
        Ok(())
    })
}

/// Applies a server's description of an object, creating or updating it. `name` is UTF-8 and may be null with a
/// length of 0; `applied` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_describe(
    world: *mut ThWorld,
    object: *const ThDescription,
    name: *const u8,
    name_length: u32,
    applied: *mut ThApplied,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let (object, name, out) = unsafe {
            (read(object, "object")?, read_text(name, name_length, "name")?, OptionalOut::new(applied))
        };
        out.set(world.sim.apply(&object.check(name)?)?.into());
        Ok(())
    })
}

/// Applies a server's message reassembled from its fragments, starting with the opcode. `applied` may be null; it is
/// TH_APPLIED_NOTHING for messages that are not about objects.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_apply_message(
    world: *mut ThWorld,
    bytes: *const u8,
    count: u32,
    applied: *mut ThApplied,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let (bytes, out) = unsafe { (read_array(bytes, count, "bytes")?, OptionalOut::new(applied)) };
        out.set(apply_message(&mut world.sim, &bytes)?);
        Ok(())
    })
}

/// Holds back all server updates until one names the own player, as the original client does.
#[unsafe(no_mangle)]
pub extern "C" fn th_await_own_player(world: *mut ThWorld) -> ThStatus {
    with_world(world, |world| {
        world.sim.await_own_player();
        Ok(())
    })
}

/// The own player's game id. TH_STATUS_NOT_FOUND until it is named.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_own_player(world: *mut ThWorld, guid: *mut u32) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let out = unsafe { Out::new(guid, "guid")? };
        out.set(world.sim.own_player().ok_or_else(|| Fault::not_found("own player yet"))?);
        Ok(())
    })
}

/// Forgets all server updates, and removes the objects they described: call it when the connection ends.
#[unsafe(no_mangle)]
pub extern "C" fn th_forget_server(world: *mut ThWorld) -> ThStatus {
    with_world(world, |world| {
        world.sim.forget_server();
        Ok(())
    })
}
