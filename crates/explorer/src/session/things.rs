//! What things are called, what there is to say about them, and using them.

use super::Session;
use anyhow::Result;
use glam::Vec3;
use threshold_sim::{Door, DoorChange, EntityKey, SimError};
use threshold_world::placed::ObjectKind;

/// How near a door must be to be opened without pointing at it.
const ARM: f32 = 4.5;

impl Session {
    /// The name of an object for people.
    pub fn name(&self, key: EntityKey) -> String {
        let Some(entity) = self.scene().get(key) else { return "nothing".into() };
        if let Some(name) = self.told_name(key) {
            return name;
        }
        match self.sim.placed(key) {
            Some(placed) => placed.name.clone(),
            None if key == self.player => "the player".into(),
            None => format!("object {}", entity.model.id),
        }
    }

    /// What there is to say about an object.
    pub fn describe(&self, key: EntityKey) -> String {
        let Some(entity) = self.scene().get(key) else { return "It is gone.".into() };
        if let Some(name) = self.told_name(key) {
            return name;
        }
        match self.sim.placed(key).map(|placed| (placed.kind, placed)) {
            Some((ObjectKind::Door, door)) => {
                let open = self.sim.door(key).is_some_and(|door| door.open);
                format!("{}: {}", door.name, if open { "open" } else { "closed" })
            }
            Some((ObjectKind::Chest, chest)) => format!("{}: a chest, locked", chest.name),
            Some((ObjectKind::Sign, sign)) => format!("{}: a sign to read the way by", sign.name),
            Some((ObjectKind::Person, person)) => format!("{}, who lives here", person.name),
            Some((ObjectKind::Creature, beast)) => format!("{}: a beast, best left alone", beast.name),
            Some((ObjectKind::Portal, portal)) => {
                let to = portal.destination.map(|to| to.cell.to_string()).unwrap_or_default();
                format!("{}: leads to {to}", portal.name)
            }
            Some((ObjectKind::Other, thing)) => thing.name.clone(),
            None => format!("an object of the landscape, model {}", entity.model.id),
        }
    }

    /// Whether an object is a door.
    pub fn is_door(&self, key: EntityKey) -> bool {
        self.sim.door(key).is_some()
    }

    /// The nearest door before the player that is within reach.
    pub fn door_ahead(&self) -> Option<EntityKey> {
        let player = self.position();
        let facing = player.frame.rotate(Vec3::Y);
        let reach = |door: &Door| {
            let way = player.offset_to(&self.scene().get(door.key)?.position);
            let distance = way.truncate().length();
            let ahead = facing.dot(way.with_z(0.0)) >= -0.2 * distance || distance < 1.0;
            (distance <= ARM && way.z.abs() < ARM && ahead).then_some((distance, door.key))
        };
        self.sim.doors().filter_map(reach).min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, key)| key)
    }

    /// Uses an object: opens or closes a door, looks at anything else.
    pub fn use_entity(&mut self, key: EntityKey) -> Result<()> {
        let change = match self.sim.use_object_by(self.player, key) {
            Err(error @ SimError::OutOfReach { .. }) => {
                self.note(format!("{}: {error}", self.name(key)));
                return Ok(());
            }
            change => change?,
        };
        // The line below says it better than the event that doors close by themselves with.
        self.sim.drain_events();
        let name = self.name(key);
        self.note(match change {
            Some(DoorChange::Opened) => format!("{name} opens"),
            Some(DoorChange::Closed) => format!("{name} closes"),
            Some(DoorChange::Blocked) => format!("{name} cannot close: something stands in it"),
            None => self.describe(key),
        });
        Ok(())
    }
}
