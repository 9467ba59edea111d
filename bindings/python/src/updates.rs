//! Updates of objects from a server.

use crate::{error::Fault, position::Position, world::World};
use pyo3::prelude::*;
use threshold_dat::DatId;
use threshold_physics::motion::MovementParameters;
use threshold_sim::{
    Applied, Simulation,
    update::{
        self, CommandIndex, GameObject, Hold, MoveOrder, MovementOrder, MovementUpdate, ObjectDescription,
        OrderKind, OrderedState, ParentUpdate, PickupUpdate, Pose, PositionUpdate, ScriptChoice,
        ScriptUpdate, SoundUpdate, Stamps, StateUpdate, VectorUpdate,
    },
};
use threshold_wire::{Message, Side};

/// A server's update of an object.
#[pyclass(frozen, module = "threshold", from_py_object)]
#[derive(Clone)]
pub(crate) struct Update(update::Update);

#[pymethods]
impl Update {
    /// The recipient's own player is this object.
    #[staticmethod]
    fn own_player(guid: u32) -> Update {
        Update(update::Update::OwnPlayer(guid))
    }

    /// Creates an object or describes it again; `anew` replaces an existing one.
    #[staticmethod]
    #[pyo3(signature = (guid, setup, position = None, *, name = String::new(), state = 0x408, scale = 1.0, class_id = 0, item_type = 0, description = 0, motion_table = None, placement = 0, parent = None, location = 0, stamps = [0; 9], anew = false))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn create(
        guid: u32,
        setup: u32,
        position: Option<Position>,
        name: String,
        state: u32,
        scale: f32,
        class_id: u32,
        item_type: u32,
        description: u32,
        motion_table: Option<u32>,
        placement: u32,
        parent: Option<u32>,
        location: u32,
        stamps: [u16; 9],
        anew: bool,
    ) -> Update {
        let [
            at,
            movement,
            state_stamp,
            vector,
            teleport,
            server_control,
            force_position,
            appearance,
            instance,
        ] = stamps;
        let object = Box::new(ObjectDescription {
            guid,
            game: GameObject { name, class: class_id, item_type, description, ..GameObject::default() },
            state,
            pose: Pose::Placed(placement),
            position: position.map(|position| position.0),
            setup: Some(DatId(setup)),
            motion_table: motion_table.map(DatId),
            parent: parent.map(|guid| Hold { guid, location }),
            scale,
            stamps: Stamps {
                position: at,
                movement,
                state: state_stamp,
                vector,
                teleport,
                server_control,
                force_position,
                appearance,
                instance,
            },
            ..ObjectDescription::default()
        });
        Update(match anew {
            true => update::Update::CreateAnew(object),
            false => update::Update::Create(object),
        })
    }

    /// An object is deleted.
    #[staticmethod]
    #[pyo3(signature = (guid, instance = 0))]
    fn delete(guid: u32, instance: u16) -> Update {
        Update(update::Update::Delete { guid, instance })
    }

    /// An object has a new position.
    #[staticmethod]
    #[pyo3(signature = (guid, position, *, stamp, instance = 0, teleport = 0, force_position = 0, contact = true, placement = 0))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn position(
        guid: u32,
        position: Position,
        stamp: u16,
        instance: u16,
        teleport: u16,
        force_position: u16,
        contact: bool,
        placement: u32,
    ) -> Update {
        Update(update::Update::Position(PositionUpdate {
            guid,
            position: position.0,
            contact,
            placement,
            instance,
            position_stamp: stamp,
            teleport,
            force_position,
        }))
    }

    /// An object performs commands, given by the low halves of their ids, until the next update.
    #[staticmethod]
    #[pyo3(signature = (guid, forward = 0x03, *, stamp, side = 0, turn = 0, forward_speed = 1.0, side_speed = 1.0, turn_speed = 1.0, style = 0x3D, sticky = None, instance = 0, server_control = 0, autonomous = false))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn movement(
        guid: u32,
        forward: u16,
        stamp: u16,
        side: u16,
        turn: u16,
        forward_speed: f32,
        side_speed: f32,
        turn_speed: f32,
        style: u16,
        sticky: Option<u32>,
        instance: u16,
        server_control: u16,
        autonomous: bool,
    ) -> PyResult<Update> {
        check_numbers(&[forward_speed, side_speed, turn_speed])?;
        let kind = OrderKind::State(OrderedState {
            style: CommandIndex(style),
            forward: CommandIndex(forward),
            side: CommandIndex(side),
            turn: CommandIndex(turn),
            forward_speed,
            side_speed,
            turn_speed,
            sticky,
            ..OrderedState::default()
        });
        let order = MovementOrder { style: CommandIndex(style), kind };
        Ok(moving(MovementUpdate {
            guid,
            instance,
            movement_stamp: stamp,
            server_control,
            autonomous,
            order,
        }))
    }

    /// An object moves to a place, or to an object if that is known.
    #[staticmethod]
    #[pyo3(signature = (guid, to, *, stamp, target = None, distance = 0.6, speed = 1.0, run_rate = 1.0, bits = None, instance = 0, server_control = 0))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn move_to(
        guid: u32,
        to: Position,
        stamp: u16,
        target: Option<u32>,
        distance: f32,
        speed: f32,
        run_rate: f32,
        bits: Option<u32>,
        instance: u16,
        server_control: u16,
    ) -> PyResult<Update> {
        check_numbers(&[distance, speed, run_rate])?;
        let usual = MovementParameters::default();
        let parameters = MovementParameters { bits: bits.unwrap_or(usual.bits), distance, speed, ..usual };
        let way = MoveOrder { to: to.0, parameters, run_rate };
        let kind = match target {
            Some(target) => OrderKind::MoveToObject(target, way),
            None => OrderKind::MoveToPosition(way),
        };
        Ok(ordered(guid, kind, stamp, instance, server_control))
    }

    /// An object turns to a heading in degrees, or towards an object if that is known.
    #[staticmethod]
    #[pyo3(signature = (guid, heading, *, stamp, target = None, speed = 1.0, instance = 0, server_control = 0))]
    fn turn_to(
        guid: u32,
        heading: f32,
        stamp: u16,
        target: Option<u32>,
        speed: f32,
        instance: u16,
        server_control: u16,
    ) -> PyResult<Update> {
        check_numbers(&[heading, speed])?;
        let parameters = MovementParameters { heading, speed, ..MovementParameters::default() };
        let kind = match target {
            Some(target) => OrderKind::TurnToObject(target, heading, parameters),
            None => OrderKind::TurnToHeading(parameters),
        };
        Ok(ordered(guid, kind, stamp, instance, server_control))
    }

    /// An object has a new state.
    #[staticmethod]
    #[pyo3(signature = (guid, state, *, stamp, instance = 0))]
    fn state(guid: u32, state: u32, stamp: u16, instance: u16) -> Update {
        Update(update::Update::State(StateUpdate { guid, state, instance, state_stamp: stamp }))
    }

    /// An object has a new velocity and spin.
    #[staticmethod]
    #[pyo3(signature = (guid, velocity, omega = (0.0, 0.0, 0.0), *, stamp, instance = 0))]
    fn vector(
        guid: u32,
        velocity: (f32, f32, f32),
        omega: (f32, f32, f32),
        stamp: u16,
        instance: u16,
    ) -> Update {
        Update(update::Update::Vector(VectorUpdate {
            guid,
            velocity: velocity.into(),
            omega: omega.into(),
            instance,
            vector: stamp,
        }))
    }

    /// An object is held by another one.
    #[staticmethod]
    #[pyo3(signature = (child, parent, location, *, stamp, placement = 0, parent_instance = 0))]
    fn parent(
        child: u32,
        parent: u32,
        location: u32,
        stamp: u16,
        placement: u32,
        parent_instance: u16,
    ) -> Update {
        Update(update::Update::Parent(ParentUpdate {
            parent,
            child,
            location,
            placement,
            parent_instance,
            position_stamp: stamp,
        }))
    }

    /// An object is taken out of the world, into a container.
    #[staticmethod]
    #[pyo3(signature = (guid, *, stamp, instance = 0))]
    fn pickup(guid: u32, stamp: u16, instance: u16) -> Update {
        Update(update::Update::Pickup(PickupUpdate { guid, instance, position_stamp: stamp }))
    }

    /// An object plays a script, a record.
    #[staticmethod]
    fn script(guid: u32, script: u32) -> Update {
        let script = ScriptChoice::Id(DatId(script));
        Update(update::Update::Script(ScriptUpdate { guid, script }))
    }

    /// An object plays a sound.
    #[staticmethod]
    #[pyo3(signature = (guid, sound, volume = 1.0))]
    fn sound(guid: u32, sound: u32, volume: f32) -> Update {
        Update(update::Update::Sound(SoundUpdate { guid, sound, volume }))
    }

    /// The own player is about to be teleported.
    #[staticmethod]
    fn teleport(stamp: u16) -> Update {
        Update(update::Update::Teleport(stamp))
    }

    fn __repr__(&self) -> String {
        format!("<threshold.Update {:?}>", self.0)
    }
}

fn check_numbers(numbers: &[f32]) -> Result<(), Fault> {
    let are_finite = numbers.iter().all(|number| number.is_finite());
    are_finite
        .then_some(())
        .ok_or_else(|| Fault::argument("a speed, distance or heading is NaN, infinite or out of range"))
}

fn moving(movement: MovementUpdate) -> Update {
    Update(update::Update::Movement(Box::new(movement)))
}

fn ordered(guid: u32, kind: OrderKind, stamp: u16, instance: u16, server_control: u16) -> Update {
    let order = MovementOrder { style: CommandIndex::NON_COMBAT, kind };
    moving(MovementUpdate { guid, instance, movement_stamp: stamp, server_control, autonomous: false, order })
}

/// An update, or a server's message reassembled from its fragments.
#[derive(FromPyObject)]
pub(crate) enum SaidArg {
    Update(Update),
    Message(Vec<u8>),
}

fn name(applied: Applied) -> &'static str {
    match applied {
        Applied::Done => "done",
        Applied::Stale => "stale",
        Applied::Queued => "queued",
    }
}

/// Applies what a message says; of several updates the first that is not done counts.
fn apply_message(sim: &mut Simulation, bytes: &[u8]) -> Result<&'static str, Fault> {
    let message = Message::decode(Side::Server, bytes)
        .map_err(|error| Fault::argument(format!("the bytes are not a message: {error}")))?;
    let mut applied = "nothing";
    for update in message.updates() {
        let this = name(sim.apply(&update)?);
        if matches!(applied, "nothing" | "done") {
            applied = this;
        }
    }
    Ok(applied)
}

#[pymethods]
impl World {
    /// Applies a server's update: `'done'`, `'stale'`, `'queued'`, or `'nothing'` for messages about other things.
    fn apply(&self, said: SaidArg) -> PyResult<&'static str> {
        self.shared.with(|world| match said {
            SaidArg::Update(update) => Ok(name(world.sim.apply(&update.0)?)),
            SaidArg::Message(bytes) => apply_message(&mut world.sim, &bytes),
        })
    }

    /// Holds back all server updates until one names the own player.
    fn await_own_player(&self) -> PyResult<()> {
        self.shared.with(|world| {
            world.sim.await_own_player();
            Ok(())
        })
    }

    /// The own player's game id, once it is named.
    #[getter]
    fn own_player(&self) -> PyResult<Option<u32>> {
        self.shared.with(|world| Ok(world.sim.own_player()))
    }

    /// Forgets all server updates, and removes the objects they described.
    fn forget_server(&self) -> PyResult<()> {
        self.shared.with(|world| {
            world.sim.forget_server();
            Ok(())
        })
    }
}
