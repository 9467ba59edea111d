//! Descriptions of objects: creation, renewed descriptions, deletion. Spec: entities §1.4, §1.5.

use super::{Applied, Described};
use crate::{Event, Player, SimError, Simulation, Skills, travel::Journey};
use std::sync::Arc;
use threshold_dat::DatId;
use threshold_physics::{
    Admission, EntityKey, Placement, SceneError, Spawn, State,
    scene::{PartSwap, SCALES, check_position},
    update::{
        Appearance, AppearanceUpdate, GameObject, Hold, House, MovementUpdate, ObjectDescription,
        ParentUpdate, PickupUpdate, Pose, PositionUpdate, Stamps, StateUpdate, Update, VectorUpdate,
        is_newer,
    },
};
use threshold_world::{CellId, Frame, Position, Problem};

/// State of an object before its description is read. Spec: entities §1.5.
const NEW: State =
    State::EDGE_SLIDE.union(State::LIGHTING_ON).union(State::GRAVITY).union(State::REPORT_COLLISIONS);
/// First id of setups; an id without a type is one of them.
const SETUPS: u32 = 0x0200_0000;
const TYPE: u32 = 0xFF00_0000;

impl Simulation {
    /// Retail: `SmartBox::HandleCreateObject`.
    pub(super) fn create(
        &mut self,
        object: &ObjectDescription,
        update: &Update,
    ) -> Result<Applied, SimError> {
        match self.told.objects.get(&object.guid).map(|known| known.stamps.instance) {
            Some(life) if is_newer(object.stamps.instance, life) => Ok(if self.lacks_parent(object) {
                self.wait_for_parent(object, update)
            } else {
                Applied::Stale
            }),
            Some(life) if life == object.stamps.instance && !self.lacks_parent(object) => {
                self.describe_again(object)
            }
            _ => self.create_anew(object, update),
        }
    }

    /// As if nothing with its id had been there.
    pub(super) fn create_anew(
        &mut self,
        object: &ObjectDescription,
        update: &Update,
    ) -> Result<Applied, SimError> {
        if self.lacks_parent(object) {
            return Ok(self.wait_for_parent(object, update));
        }
        let new = self.prepare(object)?;
        if let Some(key) = self.scene.key_of(object.guid) {
            self.remove_from_world(key)?;
        }
        let state = new.state;
        let key = self.scene.spawn(&self.world, Spawn { state: NEW, ..new })?;
        let (held_by, updates) = self.told_mut().waiting.take(object.guid);
        self.told_mut().objects.insert(object.guid, Arc::new(Described::from(object)));
        self.furnish(key, object, state)?;
        self.reconsider_guests(&object.game);
        self.events.push(Event::Created(key));
        match object.parent.or(held_by.filter(|_| object.position.is_none())) {
            Some(hold) => self.take_into_hand(key, hold)?,
            None => self.enter_world(key, object)?,
        }
        for update in &updates {
            self.replay(update);
        }
        Ok(Applied::Done)
    }

    fn lacks_parent(&self, object: &ObjectDescription) -> bool {
        object.parent.is_some_and(|hold| self.find_described(hold.guid).is_none())
    }

    fn wait_for_parent(&mut self, object: &ObjectDescription, update: &Update) -> Applied {
        let parent = object.parent.map_or(object.guid, |hold| hold.guid);
        self.wait_for(parent, update)
    }

    /// Checks a description; nothing changes.
    fn prepare(&self, object: &ObjectDescription) -> Result<Spawn, SimError> {
        let mut state = State::from_bits_truncate(object.state);
        let mut setup = object.setup.unwrap_or_default();
        if setup.0 & TYPE == 0 {
            setup = DatId(setup.0 | SETUPS);
            state |= State::ETHEREAL | State::IGNORE_COLLISIONS;
        }
        for (field, is_usable) in [
            ("scale", SCALES.contains(&object.scale)),
            ("velocity", object.velocity.is_finite()),
            ("omega", object.omega.is_finite()),
            ("position", object.position.is_none_or(|position| position.frame.is_finite())),
        ] {
            if !is_usable {
                return Err(SceneError::NotFinite(field).into());
            }
        }
        if let Some(table) = object.motion_table {
            self.library.motion_table(table)?;
        }
        let frame = object.position.map_or(Frame::IDENTITY, |position| position.frame);
        Ok(Spawn {
            guid: Some(object.guid),
            model: self.model(setup)?,
            position: Position::new(CellId::NONE, frame),
            state,
            scale: object.scale,
            role: object.game.role(),
        })
    }

    /// Gives a new object what its description says. Retail: `CPhysicsObj::set_description`. Spec: entities §1.5.
    fn furnish(&mut self, key: EntityKey, object: &ObjectDescription, state: State) -> Result<(), SimError> {
        if self.told.own == Some(object.guid) {
            self.scene.set_skills(key, Some(Skills::default()))?;
        }
        if let Some(table) = object.motion_table {
            match self.library.motion_table(table)? {
                Some(table) => self.scene.set_motion_table(key, Some(table))?,
                None => {
                    let text = "there is no such motion table; the object does not move by itself".to_owned();
                    self.events.push(Event::Problem(Problem::new(table, text)));
                }
            }
        }
        if let Pose::Moving { order, autonomous } = &object.pose
            && let Err(error) = self.order(key, order, *autonomous)
        {
            self.events.push(Event::UpdateRefused { guid: object.guid, why: error.to_string() });
        }
        self.scene.set_state(key, state)?;
        if (0.0..=1.0).contains(&object.friction) {
            self.scene.set_friction(key, object.friction)?;
        }
        if !object.elasticity.is_nan() {
            self.scene.set_elasticity(key, object.elasticity)?;
        }
        self.scene.set_velocity(key, object.velocity)?;
        self.scene.set_omega(key, object.omega)?;
        self.wear(key, &object.appearance)?;
        for child in &object.children {
            let hold = Hold { guid: object.guid, location: child.location };
            match self.find_described(child.guid) {
                Some(child) => self.take_into_hand(child, hold)?,
                None => self.expect_held(child.guid, hold),
            }
        }
        Ok(())
    }

    /// Swaps parts as an appearance says; parts and meshes that do not exist are left out.
    pub(super) fn wear(&mut self, key: EntityKey, appearance: &Appearance) -> Result<(), SimError> {
        let mut swaps = Vec::with_capacity(appearance.parts.len());
        for change in &appearance.parts {
            let bare = self.library.model(change.mesh)?;
            let mesh = bare.as_ref().and_then(|model| model.parts.first()?.mesh.clone());
            match mesh {
                Some(mesh) => swaps.push(PartSwap { part: change.part.into(), mesh }),
                None => {
                    let text = "there is no such mesh to wear".to_owned();
                    self.events.push(Event::Problem(Problem::new(change.mesh, text)));
                }
            }
        }
        Ok(self.scene.swap_parts(key, &swaps)?)
    }

    /// Puts a new object where it is described to be. One for which there is no room there is in no cell until it is
    /// put somewhere else. Spec: entities §1.4.6.
    fn enter_world(&mut self, key: EntityKey, object: &ObjectDescription) -> Result<(), SimError> {
        let Some(position) = object.position else { return Ok(()) };
        if self.told.own == Some(object.guid) {
            return self.take_control(key, Some(position));
        }
        if self.is_nowhere(&position) {
            self.events.push(Event::NoSuchPlace { entity: key, at: position });
        } else if self.place(key, &position)? == Placement::Placed {
            self.scene.enter_world(key)?;
        }
        Ok(())
    }

    /// Whether these data files have no such cell, or it is not even a cell of the map.
    pub(super) fn is_nowhere(&self, position: &Position) -> bool {
        check_position(position).is_err() || !self.has_cell(position)
    }

    /// Brings an object that is known already up to its description. Spec: entities §1.4.5.
    fn describe_again(&mut self, object: &ObjectDescription) -> Result<Applied, SimError> {
        let guid = object.guid;
        let Some(key) = self.find_described(guid) else { return Ok(Applied::Stale) };
        let Stamps { position, state, vector, teleport, force_position, instance, .. } = object.stamps;
        let placement = if let Pose::Placed(placement) = object.pose { placement } else { 0 };
        self.receive_appearance(
            key,
            &AppearanceUpdate {
                guid,
                appearance: object.appearance.clone(),
                instance,
                appearance_stamp: object.stamps.appearance,
            },
        )?;
        if let Some(Hold { guid: parent, location }) = object.parent {
            let parent_instance = self.described(parent).map_or(0, |parent| parent.stamps.instance);
            let update = ParentUpdate {
                parent,
                child: guid,
                location,
                placement,
                parent_instance,
                position_stamp: position,
            };
            self.receive_parent(&update, &Update::Parent(update))?;
        } else if let Some(at) = object.position {
            let update = PositionUpdate {
                guid,
                position: at,
                contact: true,
                placement,
                instance,
                position_stamp: position,
                teleport,
                force_position,
            };
            self.receive_position(key, &update)?;
        } else {
            self.receive_pickup(key, &PickupUpdate { guid, instance, position_stamp: position })?;
        }
        if let Pose::Moving { order, autonomous } = &object.pose {
            let update = MovementUpdate {
                guid,
                instance,
                movement_stamp: object.stamps.movement,
                server_control: object.stamps.server_control,
                autonomous: *autonomous,
                order: (**order).clone(),
            };
            self.receive_movement(key, &update)?;
        }
        let update = StateUpdate { guid, state: object.state, instance, state_stamp: state };
        self.receive_state(key, &update)?;
        let (velocity, omega) = (object.velocity, object.omega);
        self.receive_vector(key, &VectorUpdate { guid, velocity, omega, instance, vector })?;
        let known = self.told_mut().objects.get_mut(&guid);
        let before =
            known.map(|known| std::mem::replace(&mut Arc::make_mut(known).game, object.game.clone()));
        self.scene.set_role(key, object.game.role())?;
        before.iter().chain([&object.game]).for_each(|game| self.reconsider_guests(game));
        self.reconsider_end(key, object.position.is_some());
        Ok(Applied::Done)
    }

    /// Takes a described object out for good. Retail: `CObjectMaint::DeleteObject`. Spec: entities §4.5.
    pub(super) fn delete_described(&mut self, guid: u32) -> Result<(), SimError> {
        let Some(key) = self.find_described(guid) else { return Ok(()) };
        self.told_mut().waiting.take(guid);
        self.remove_from_world(key)?;
        self.events.push(Event::Deleted(guid));
        Ok(())
    }

    /// What it carried stays, in no cell.
    fn remove_from_world(&mut self, key: EntityKey) -> Result<(), SimError> {
        self.scene.leave_world(key)?;
        self.despawn(key)
    }

    /// Says anew whom the keepers of houses let in, from what is known of them and of players, after an object has come,
    /// changed or gone.
    pub(super) fn reconsider_guests(&mut self, changed: &GameObject) {
        if changed.house.is_none() && !changed.is_player() {
            return;
        }
        let keepers: Vec<(u32, House)> = self
            .told
            .objects
            .iter()
            .filter_map(|(&guid, object)| Some((guid, object.game.house.clone()?)))
            .collect();
        for (guid, house) in keepers {
            let players = self.told.objects.iter().filter(|(_, object)| object.game.is_player());
            let admitted = players.filter(|(guid, player)| house.admits(**guid, player.game.monarch));
            let admission = match &house.guests {
                None => Admission::Everyone,
                Some(_) if house.admits(0, None) => Admission::Everyone,
                Some(_) => Admission::Only(admitted.map(|(guid, _)| *guid).collect()),
            };
            if let Some(key) = self.scene.key_of(guid) {
                // The keeper is there.
                let _ = self.scene.set_admission(key, admission);
            }
        }
    }

    /// Makes an object the player under control, and lets it enter the world as soon as what is around the place is
    /// loaded.
    pub(super) fn take_control(&mut self, key: EntityKey, to: Option<Position>) -> Result<(), SimError> {
        let at = to.map_or_else(|| self.position(key), Ok)?;
        self.scene.set_skills(key, Some(Skills::default()))?;
        let observer = self.observe(at)?;
        self.players.insert(key, Player::new(at, Skills::default(), observer));
        self.update_viewers();
        match to {
            Some(to) => self.depart(key, Journey::to(to)),
            None => Ok(()),
        }
    }
}
