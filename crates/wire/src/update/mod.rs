//! Messages as updates of objects, plain data that a simulation applies, and back.
//!
//! The result of [`Message::updates`] does not depend on the wire format. Spec: entities §1, §2.

mod game;
mod movement;
mod object;
mod report;

use crate::{
    Guid,
    messages::{self, Message, ObjectStamps, PackedPosition},
};
use glam::Vec3;
use threshold_physics::update::{
    AppearanceUpdate, ParentUpdate, PickupUpdate, PositionUpdate, ScriptChoice, ScriptUpdate, SoundUpdate,
    Stamps, StateUpdate, Update, VectorUpdate,
};
use threshold_world::{Frame, Position, Quat};

/// A rotation whose length is below this says nothing about an orientation.
const SHORTEST_ROTATION: f32 = 0.1;

impl Message<'_> {
    /// The message's updates of objects, in order; empty for messages about anything else.
    pub fn updates(&self) -> impl Iterator<Item = Update> {
        let (first, second) = self.to_updates();
        first.into_iter().chain(second)
    }

    fn to_updates(&self) -> (Option<Update>, Option<Update>) {
        let update = match self {
            Message::CreatePlayer(player) => Update::OwnPlayer(player.guid.0),
            Message::CreateObject(object) => Update::Create(Box::new(object.as_ref().into())),
            Message::UpdateObject(object) => Update::CreateAnew(Box::new(object.as_ref().into())),
            Message::DeleteObject(deleted) => {
                Update::Delete { guid: deleted.guid.0, instance: deleted.instance }
            }
            Message::UpdatePosition(update) => position(update.guid, &update.position),
            Message::SetState(change) => Update::State(StateUpdate {
                guid: change.guid.0,
                state: change.state,
                instance: change.instance,
                state_stamp: change.state_stamp,
            }),
            Message::VectorUpdate(update) => Update::Vector(VectorUpdate {
                guid: update.guid.0,
                velocity: update.velocity.into(),
                omega: update.omega.into(),
                instance: update.instance,
                vector: update.vector,
            }),
            Message::Parent(event) => Update::Parent(ParentUpdate {
                parent: event.parent.0,
                child: event.child.0,
                location: event.location,
                placement: event.placement,
                parent_instance: event.parent_instance,
                position_stamp: event.position,
            }),
            Message::Pickup(event) => Update::Pickup(PickupUpdate {
                guid: event.guid.0,
                instance: event.instance,
                position_stamp: event.position,
            }),
            Message::Appearance(change) => Update::Appearance(Box::new(AppearanceUpdate {
                guid: change.guid.0,
                appearance: (&change.appearance).into(),
                instance: change.instance,
                appearance_stamp: change.appearance_stamp,
            })),
            Message::Sound(sound) => {
                Update::Sound(SoundUpdate { guid: sound.guid.0, sound: sound.sound, volume: sound.volume })
            }
            Message::PlayScriptId(script) => {
                let choice = ScriptChoice::Id(threshold_dat::DatId(script.script));
                Update::Script(ScriptUpdate { guid: script.guid.0, script: choice })
            }
            Message::PlayScriptType(script) => {
                let choice = ScriptChoice::Type(script.script_type, script.intensity);
                Update::Script(ScriptUpdate { guid: script.guid.0, script: choice })
            }
            Message::PlayerTeleport(teleport) => Update::Teleport(teleport.teleport),
            Message::Movement(update) => movement::movement(update.guid, update.instance, &update.motion),
            Message::PositionAndMovement(update) => {
                let instance = update.position.stamps.instance;
                return (
                    Some(position(update.guid, &update.position)),
                    Some(movement::movement(update.guid, instance, &update.motion)),
                );
            }
            Message::GameEvent(_) | Message::GameAction { .. } | Message::Other { .. } => {
                return (None, None);
            }
        };
        (Some(update), None)
    }
}

fn position(guid: Guid, packed: &PackedPosition) -> Update {
    Update::Position(PositionUpdate {
        guid: guid.0,
        position: place(&packed.position),
        contact: packed.contact,
        placement: packed.placement.unwrap_or(0),
        instance: packed.stamps.instance,
        position_stamp: packed.stamps.position,
        teleport: packed.stamps.teleport,
        force_position: packed.stamps.force_position,
    })
}

/// A place as the engine has it: a rotation is brought to unit length, and one too short to have a direction is left out.
pub(crate) fn place(sent: &messages::Position) -> Position {
    let [w, x, y, z] = sent.rotation;
    let rotation = Quat { w, v: Vec3::new(x, y, z) };
    let length = (w * w + x * x + y * y + z * z).sqrt();
    let rotation = if length < SHORTEST_ROTATION { Quat::IDENTITY } else { rotation };
    Position::new(sent.cell, Frame::new(sent.origin.into(), rotation))
}

impl From<&ObjectStamps> for Stamps {
    fn from(sent: &ObjectStamps) -> Stamps {
        let ObjectStamps {
            position,
            movement,
            state,
            vector,
            teleport,
            server_control,
            force_position,
            appearance,
            instance,
        } = *sent;
        Stamps {
            position,
            movement,
            state,
            vector,
            teleport,
            server_control,
            force_position,
            appearance,
            instance,
        }
    }
}
