//! What a server says of objects.

use crate::{
    argument::{Options, bytes, half, numbers, text, vector},
    error::Fault,
    position,
    types::{JsApplied, JsSaid},
    world::World,
};
use glam::Vec3;
use js_sys::{ArrayBuffer, Uint8Array};
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
use threshold_world::Position;
use wasm_bindgen::{JsCast, JsValue, prelude::wasm_bindgen};

/// Fields that an update must have.
impl Options {
    fn id(&mut self, name: &'static str) -> Result<u32, Fault> {
        self.maybe_whole(name)?.ok_or_else(|| Fault::Type(format!("{name} is missing")))
    }

    fn stamp(&mut self) -> Result<u16, Fault> {
        half("stamp", self.number("stamp")?.ok_or_else(|| Fault::Type("stamp is missing".into()))?)
    }

    fn position(&mut self, name: &'static str) -> Result<Position, Fault> {
        position::read(&self.required(name)?)
    }

    fn command(&mut self, name: &'static str, default: u16) -> Result<CommandIndex, Fault> {
        Ok(CommandIndex(self.half(name, default)?))
    }
}

fn update(value: &JsValue) -> Result<Update, Fault> {
    let mut fields = Options::new(value)?;
    let kind = text("kind", &fields.required("kind")?)?;
    let update = match &*kind {
        "own_player" => Update::OwnPlayer(fields.id("guid")?),
        "create" => create(&mut fields)?,
        "delete" => Update::Delete { guid: fields.id("guid")?, instance: fields.half("instance", 0)? },
        "position" => Update::Position(PositionUpdate {
            guid: fields.id("guid")?,
            position: fields.position("position")?,
            contact: fields.flag("contact", true)?,
            placement: fields.whole("placement", 0)?,
            instance: fields.half("instance", 0)?,
            position_stamp: fields.stamp()?,
            teleport: fields.half("teleport", 0)?,
            force_position: fields.half("forcePosition", 0)?,
        }),
        "movement" => movement(&mut fields)?,
        "move_to" => move_to(&mut fields)?,
        "turn_to" => turn_to(&mut fields)?,
        "state" => Update::State(StateUpdate {
            guid: fields.id("guid")?,
            state: fields.id("state")?,
            instance: fields.half("instance", 0)?,
            state_stamp: fields.stamp()?,
        }),
        "vector" => Update::Vector(VectorUpdate {
            guid: fields.id("guid")?,
            velocity: vector("velocity", &fields.required("velocity")?)?,
            omega: fields.get("omega")?.map_or(Ok(Vec3::ZERO), |omega| vector("omega", &omega))?,
            instance: fields.half("instance", 0)?,
            vector: fields.stamp()?,
        }),
        "parent" => Update::Parent(ParentUpdate {
            parent: fields.id("parent")?,
            child: fields.id("child")?,
            location: fields.id("location")?,
            placement: fields.whole("placement", 0)?,
            parent_instance: fields.half("parentInstance", 0)?,
            position_stamp: fields.stamp()?,
        }),
        "pickup" => Update::Pickup(PickupUpdate {
            guid: fields.id("guid")?,
            instance: fields.half("instance", 0)?,
            position_stamp: fields.stamp()?,
        }),
        "script" => Update::Script(ScriptUpdate {
            guid: fields.id("guid")?,
            script: ScriptChoice::Id(DatId(fields.id("script")?)),
        }),
        "sound" => Update::Sound(SoundUpdate {
            guid: fields.id("guid")?,
            sound: fields.id("sound")?,
            volume: fields.finite("volume", 1.0)?,
        }),
        "teleport" => Update::Teleport(fields.stamp()?),
        other => return Err(Fault::argument(format!("a server says nothing of kind '{other}'"))),
    };
    fields.end()?;
    Ok(update)
}

fn create(fields: &mut Options) -> Result<Update, Fault> {
    let game = GameObject {
        name: fields.get("name")?.map_or(Ok(String::new()), |name| text("name", &name))?,
        class: fields.whole("classId", 0)?,
        item_type: fields.whole("itemType", 0)?,
        description: fields.whole("description", 0)?,
        ..GameObject::default()
    };
    let stamps = fields.get("stamps")?.map_or(Ok([0.0; 9]), |stamps| numbers("stamps", &stamps))?;
    let mut checked = [0; 9];
    for (stamp, number) in checked.iter_mut().zip(stamps) {
        *stamp = half("stamps", number)?;
    }
    let [at, movement, state, vector, teleport, server_control, force_position, appearance, instance] =
        checked;
    let location = fields.whole("location", 0)?;
    let object = Box::new(ObjectDescription {
        guid: fields.id("guid")?,
        game,
        state: fields.whole("state", 0x408)?,
        pose: Pose::Placed(fields.whole("placement", 0)?),
        position: fields.get("position")?.map(|place| position::read(&place)).transpose()?,
        setup: Some(DatId(fields.id("setup")?)),
        motion_table: fields.maybe_whole("motionTable")?.map(DatId),
        parent: fields.maybe_whole("parent")?.map(|guid| Hold { guid, location }),
        scale: fields.finite("scale", 1.0)?,
        stamps: Stamps {
            position: at,
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
    Ok(match fields.flag("anew", false)? {
        true => Update::CreateAnew(object),
        false => Update::Create(object),
    })
}

fn movement(fields: &mut Options) -> Result<Update, Fault> {
    let style = fields.command("style", 0x3D)?;
    let kind = OrderKind::State(OrderedState {
        style,
        forward: fields.command("forward", 0x03)?,
        side: fields.command("side", 0)?,
        turn: fields.command("turn", 0)?,
        forward_speed: fields.finite("forwardSpeed", 1.0)?,
        side_speed: fields.finite("sideSpeed", 1.0)?,
        turn_speed: fields.finite("turnSpeed", 1.0)?,
        sticky: fields.maybe_whole("sticky")?,
        ..OrderedState::default()
    });
    let autonomous = fields.flag("autonomous", false)?;
    ordered(fields, MovementOrder { style, kind }, autonomous)
}

fn move_to(fields: &mut Options) -> Result<Update, Fault> {
    let usual = MovementParameters::default();
    let parameters = MovementParameters {
        bits: fields.maybe_whole("bits")?.unwrap_or(usual.bits),
        distance: fields.finite("distance", 0.6)?,
        speed: fields.finite("speed", 1.0)?,
        ..usual
    };
    let way = MoveOrder { to: fields.position("to")?, parameters, run_rate: fields.finite("runRate", 1.0)? };
    let kind = match fields.maybe_whole("target")? {
        Some(target) => OrderKind::MoveToObject(target, way),
        None => OrderKind::MoveToPosition(way),
    };
    ordered(fields, MovementOrder { style: CommandIndex::NON_COMBAT, kind }, false)
}

fn turn_to(fields: &mut Options) -> Result<Update, Fault> {
    fields.required("heading")?;
    let (heading, speed) = (fields.finite("heading", 0.0)?, fields.finite("speed", 1.0)?);
    let parameters = MovementParameters { heading, speed, ..MovementParameters::default() };
    let kind = match fields.maybe_whole("target")? {
        Some(target) => OrderKind::TurnToObject(target, heading, parameters),
        None => OrderKind::TurnToHeading(parameters),
    };
    ordered(fields, MovementOrder { style: CommandIndex::NON_COMBAT, kind }, false)
}

fn ordered(fields: &mut Options, order: MovementOrder, autonomous: bool) -> Result<Update, Fault> {
    Ok(Update::Movement(Box::new(MovementUpdate {
        guid: fields.id("guid")?,
        instance: fields.half("instance", 0)?,
        movement_stamp: fields.stamp()?,
        server_control: fields.half("serverControl", 0)?,
        autonomous,
        order,
    })))
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

#[wasm_bindgen]
impl World {
    /// Applies an update, or a server's message as it comes out of its fragments; `"nothing"` for messages about other
    /// things.
    pub fn apply(&self, said: &JsSaid) -> Result<JsApplied, Fault> {
        let applied = if said.is_instance_of::<Uint8Array>() || said.is_instance_of::<ArrayBuffer>() {
            let message = bytes("message", said)?;
            self.shared.with(|world| apply_message(&mut world.sim, &message))?
        } else {
            let update = update(said)?;
            self.shared.with(|world| Ok(name(world.sim.apply(&update)?)))?
        };
        Ok(JsValue::from(applied).unchecked_into())
    }

    /// Holds back everything that a server says until it has named the own player.
    #[wasm_bindgen(js_name = awaitOwnPlayer)]
    pub fn await_own_player(&self) -> Result<(), Fault> {
        self.shared.with(|world| {
            world.sim.await_own_player();
            Ok(())
        })
    }

    /// The own player's game id, once it was named.
    #[wasm_bindgen(getter, js_name = ownPlayer)]
    pub fn own_player(&self) -> Result<Option<u32>, Fault> {
        self.shared.with(|world| Ok(world.sim.own_player()))
    }

    /// Forgets everything that a server has said, and takes out the objects that it described.
    #[wasm_bindgen(js_name = forgetServer)]
    pub fn forget_server(&self) -> Result<(), Fault> {
        self.shared.with(|world| {
            world.sim.forget_server();
            Ok(())
        })
    }
}
