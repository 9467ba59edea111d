//! Objects that move on their own: commands, and their managers at the end of a step.
//! Spec: motion §8, §11, §13, entities §3.

use super::{Entity, EntityKey, Event, PlaceOptions, Placement, Scene, SceneError, spawn::check_position};
use crate::{
    motion::{
        Actor, HoldKey, MotionError, Movement, MovementParameters, MovementState, Note, Order,
        TARGET_INTERVAL, TARGET_TIMEOUT, TargetInfo, TargetStatus,
    },
    movement::Skills,
};
use glam::Vec3;
use std::sync::Arc;
use threshold_world::{
    Position, World,
    motion::{Animation, Animator, Command, MotionTable},
};

impl Order {
    /// Numbers that nothing can be done with are refused before anything is changed.
    fn check(&self) -> Result<(), SceneError> {
        match self {
            Order::State { movement, .. } => {
                let mut speeds = movement.actions.iter().map(|action| action.speed);
                let is_finite = movement.state.is_finite() && speeds.all(f32::is_finite);
                if is_finite { Ok(()) } else { Err(SceneError::NotFinite("speed")) }
            }
            Order::Perform { run_rate: Some(rate), .. } if !rate.is_finite() => {
                Err(SceneError::NotFinite("run rate"))
            }
            Order::Perform { movement, .. } => check_movement(movement),
        }
    }
}

/// How near a target must come to where it was for its watchers to hear nothing new.
const TARGET_RADIUS: f32 = 0.5;
/// Seconds that one who sticks looks ahead.
const STICKY_QUANTUM: f32 = 0.5;

impl Scene {
    /// Gives an object a motion table, in its default state, or takes it away.
    /// Retail: `CPhysicsObj::SetMotionTableID`. Spec: motion §10.3.9.
    pub fn set_motion_table(
        &mut self,
        key: EntityKey,
        table: Option<Arc<MotionTable>>,
    ) -> Result<(), SceneError> {
        let entity = self.entity_mut(key)?;
        let has_table = table.is_some();
        entity.actor_mut().animator.set_table(table);
        if has_table {
            entity.make_interpreter();
        }
        entity.place_parts();
        self.settle_motion(key);
        self.note_static_motion(key);
        Ok(())
    }

    /// Makes an object without a motion table repeat one animation. Spec: motion §7.
    pub fn set_default_animation(
        &mut self,
        key: EntityKey,
        animation: Arc<Animation>,
    ) -> Result<(), SceneError> {
        let entity = self.entity_mut(key)?;
        entity.actor_mut().animator = Animator::repeating(animation);
        entity.place_parts();
        self.note_static_motion(key);
        Ok(())
    }

    /// Sets the skills of a locally controlled player; `None` for an object that is controlled elsewhere.
    pub fn set_skills(&mut self, key: EntityKey, skills: Option<Skills>) -> Result<(), SceneError> {
        if skills.is_some_and(|skills| !skills.burden.is_finite()) {
            return Err(SceneError::NotFinite("burden"));
        }
        let actor = self.entity_mut(key)?.actor_mut();
        actor.skills = skills;
        actor.last_move_autonomous = skills.is_some();
        Ok(())
    }

    /// Says whether the last movement of an object was its player's own doing.
    pub fn set_last_move_autonomous(&mut self, key: EntityKey, autonomous: bool) -> Result<(), SceneError> {
        self.entity_mut(key)?.actor_mut().last_move_autonomous = autonomous;
        Ok(())
    }

    /// Performs a movement. Retail: `MovementManager::PerformMovement`. Spec: motion §11.
    pub fn perform(&mut self, key: EntityKey, movement: &Movement) -> Result<(), SceneError> {
        check_movement(movement)?;
        let now = self.now;
        let entity = self.entity_mut(key)?;
        entity.set_active();
        let result = match movement {
            Movement::Do(..)
            | Movement::DoInterpreted(..)
            | Movement::Stop(..)
            | Movement::StopInterpreted(..)
            | Movement::StopCompletely => entity.interpret(movement),
            Movement::MoveToPosition(position, parameters) => {
                entity.prepare_move_to();
                entity.move_to_position(*position, parameters, now);
                Ok(())
            }
            Movement::TurnToHeading(parameters) => {
                entity.prepare_move_to();
                entity.turn_to_heading(parameters, now);
                Ok(())
            }
            Movement::MoveToObject(target, parameters) => {
                entity.prepare_move_to();
                self.move_towards(key, *target, parameters, Entity::move_to_object)?;
                Ok(())
            }
            Movement::TurnToObject(target, parameters) => {
                entity.prepare_move_to();
                self.move_towards(key, *target, parameters, Entity::turn_to_object)?;
                Ok(())
            }
        };
        self.settle_motion(key);
        Ok(result?)
    }

    fn move_towards(
        &mut self,
        key: EntityKey,
        target: EntityKey,
        parameters: &MovementParameters,
        begin: impl FnOnce(&mut Entity, EntityKey, crate::motion::CylinderShape, &MovementParameters),
    ) -> Result<(), SceneError> {
        let size = self.get(target).ok_or(SceneError::NoSuchEntity)?.cylinder();
        let top = self.carrier_of(target);
        let entity = self.entity_mut(key)?;
        begin(entity, top, size, parameters);
        if target == key {
            entity.clean_up_move_to();
            entity.perform_stop();
        } else {
            self.watch_target(key, top, TARGET_RADIUS, 0.0);
        }
        Ok(())
    }

    /// Presses or releases the run key. Retail: `CMotionInterp::set_hold_run`.
    pub fn set_hold_key(&mut self, key: EntityKey, hold: HoldKey) -> Result<(), SceneError> {
        let entity = self.entity_mut(key)?;
        entity.ensure_interpreter();
        entity.set_hold_key(hold, true);
        entity.finish_completed_motions();
        self.settle_motion(key);
        Ok(())
    }

    /// Begins to charge a jump. Retail: `CMotionInterp::charge_jump`. Spec: motion §10.2.4.
    pub fn charge_jump(&mut self, key: EntityKey) -> Result<(), SceneError> {
        let result = self.entity_mut(key)?.charge_jump();
        self.settle_motion(key);
        Ok(result?)
    }

    /// Makes an object jump with a power between 0 and 1, if its interpreter allows it. Retail: `CMotionInterp::jump`.
    /// Spec: motion §10.3.12.
    pub fn jump_with_power(&mut self, key: EntityKey, power: f32) -> Result<(), SceneError> {
        if !power.is_finite() {
            return Err(SceneError::NotFinite("jump"));
        }
        let result = self.entity_mut(key)?.begin_jump(power);
        if result.is_ok() {
            self.set_on_walkable(key, false, 0.0);
        }
        self.settle_motion(key);
        Ok(result?)
    }

    /// Applies a server's movement state, including the object to stick to. Spec: entities §2.5.4.
    pub fn apply_movement(
        &mut self,
        key: EntityKey,
        movement: &MovementState,
        sticky: Option<EntityKey>,
    ) -> Result<(), SceneError> {
        self.obey(key, movement.state.style, &Order::State { movement: movement.clone(), sticky })
    }

    /// Performs a server's order, in a style. An object without a motion table does nothing.
    /// Retail: `MovementManager::unpack_movement`. Spec: entities §2.5.3–5.
    pub fn obey(&mut self, key: EntityKey, style: Command, order: &Order) -> Result<(), SceneError> {
        order.check()?;
        let can_follow = self.entity_mut(key)?.begin_order(style);
        self.settle_motion(key);
        if !can_follow {
            return Ok(());
        }
        match order {
            Order::State { movement, sticky } => {
                self.entity_mut(key)?.apply_movement_state(movement);
                if let Some(target) = sticky {
                    self.stick_to(key, *target)?;
                }
                self.settle_motion(key);
                Ok(())
            }
            Order::Perform { movement, run_rate } => {
                if let Some(rate) = run_rate {
                    self.set_run_rate(key, *rate)?;
                }
                match self.perform(key, movement) {
                    // A server is not told what an object cannot do.
                    Err(SceneError::Motion(_)) => Ok(()),
                    result => result,
                }
            }
        }
    }

    /// Sets the run rate of an object without skills. Spec: entities §2.5.5.
    pub fn set_run_rate(&mut self, key: EntityKey, rate: f32) -> Result<(), SceneError> {
        if !rate.is_finite() {
            return Err(SceneError::NotFinite("run rate"));
        }
        let entity = self.entity_mut(key)?;
        entity.ensure_interpreter();
        if let Some(interpreter) = entity.actor_mut().interpreter.as_mut() {
            interpreter.run_rate = rate;
        }
        self.settle_motion(key);
        Ok(())
    }

    /// Ends a move-to. Retail: `MoveToManager::CancelMoveTo`.
    pub fn cancel_move_to(&mut self, key: EntityKey, code: MotionError) -> Result<(), SceneError> {
        self.entity_mut(key)?.cancel_move_to(code);
        self.settle_motion(key);
        Ok(())
    }

    /// Makes an object follow a position that a server reports. Retail: `PositionManager::InterpolateTo`.
    /// Spec: entities §3.2.
    pub fn interpolate_to(
        &mut self,
        key: EntityKey,
        position: &Position,
        keep_heading: bool,
    ) -> Result<(), SceneError> {
        check_position(position)?;
        let entity = self.entity_mut(key)?;
        if entity.interpolate_to(position, keep_heading) {
            entity.place_parts();
            self.carry_children(key);
        }
        Ok(())
    }

    /// Forgets the positions that an object follows.
    pub fn stop_interpolating(&mut self, key: EntityKey) -> Result<(), SceneError> {
        self.entity_mut(key)?.stop_interpolating();
        Ok(())
    }

    /// Makes an object stay close to another, or to its parent, for a second. Retail: `PositionManager::StickTo`.
    /// Spec: entities §3.3.
    pub fn stick_to(&mut self, key: EntityKey, target: EntityKey) -> Result<(), SceneError> {
        let top = self.carrier_of(target);
        let radius = self.get(top).ok_or(SceneError::NoSuchEntity)?.cylinder().radius;
        self.entity_mut(key)?;
        self.begin_to_stick(key, top, radius);
        self.settle_motion(key);
        Ok(())
    }

    fn begin_to_stick(&mut self, key: EntityKey, target: EntityKey, radius: f32) {
        let now = self.now;
        if let Some(entity) = self.entities.get_mut(key) {
            entity.begin_to_stick(target, radius, now);
        }
        self.watch_target(key, target, TARGET_RADIUS, STICKY_QUANTUM);
    }

    /// Stops an object from sticking to another.
    pub fn unstick(&mut self, key: EntityKey) -> Result<(), SceneError> {
        self.entity_mut(key)?.unstick();
        self.settle_motion(key);
        Ok(())
    }

    /// Limits how far an object moves until the next server position; `None` measures from its current position.
    /// Retail: `PositionManager::ConstrainTo`. Spec: entities §3.4.
    pub fn constrain_to(&mut self, key: EntityKey, position: Option<&Position>) -> Result<(), SceneError> {
        if let Some(position) = position {
            check_position(position)?;
        }
        let entity = self.entity_mut(key)?;
        let own = entity.position;
        entity.constrain_to(position.unwrap_or(&own));
        Ok(())
    }

    /// Removes the limit of [`Scene::constrain_to`].
    pub fn unconstrain(&mut self, key: EntityKey) -> Result<(), SceneError> {
        self.entity_mut(key)?.unconstrain();
        Ok(())
    }

    /// Prepares an object for a teleport. Retail: `CPhysicsObj::teleport_hook`. Spec: entities §3.5.
    pub fn prepare_teleport(&mut self, key: EntityKey) -> Result<(), SceneError> {
        let entity = self.entity_mut(key)?;
        entity.cancel_move_to(MotionError::TELEPORTED);
        entity.unstick();
        entity.stop_interpolating();
        entity.unconstrain();
        entity.clear_target();
        self.settle_motion(key);
        self.tell_watchers(key, TargetStatus::Teleported);
        self.end_collisions(key);
        Ok(())
    }

    /// Completes the entry of an object into the world. Spec: entities §1.4.6.
    pub fn enter_world(&mut self, key: EntityKey) -> Result<(), SceneError> {
        let entity = self.entity_mut(key)?;
        entity.set_active();
        entity.drop_links();
        self.settle_motion(key);
        Ok(())
    }

    /// What must happen before an object leaves for good. Retail: `CPhysicsObj::exit_world`. Spec: entities §4.5.2.
    pub(super) fn exit_world(&mut self, key: EntityKey) {
        if self.entities.get(key).is_none_or(|entity| entity.actor.is_none()) {
            return;
        }
        if let Some(entity) = self.entities.get_mut(key) {
            entity.fail_pending_motions();
            entity.unstick();
            entity.clear_target();
        }
        self.settle_motion(key);
        self.tell_watchers(key, TargetStatus::LeftWorld);
    }

    pub(crate) fn entity_mut(&mut self, key: EntityKey) -> Result<&mut Entity, SceneError> {
        self.entities.get_mut(key).ok_or(SceneError::NoSuchEntity)
    }

    /// Passes on what has happened to an object's motion since the last time.
    #[inline]
    pub(super) fn settle_motion(&mut self, key: EntityKey) {
        let actor = self.entities.get(key).and_then(|entity| entity.actor.as_deref());
        if actor.is_some_and(Actor::has_news) {
            self.pass_on_news(key);
        }
    }

    fn pass_on_news(&mut self, key: EntityKey) {
        let Some(entity) = self.entities.get_mut(key) else { return };
        let Some(actor) = entity.actor.as_deref_mut() else { return };
        self.events.extend(actor.notes.drain(..).map(|note| match note {
            Note::MotionDone { motion, success } => Event::MotionDone { entity: key, motion, success },
            Note::Hook(hook) => Event::HookRun { entity: key, hook },
            Note::MoveToEnded(code) => Event::MoveToEnded { entity: key, code },
        }));
        if let Some(stick) = entity.take_stick() {
            self.begin_to_stick(key, stick.object, stick.radius);
            self.settle_motion(key);
        }
    }

    /// What makes an object move by itself is asked, at the end of a step. Spec: physics-objects §8.3.5, motion §8.1.
    pub(super) fn tick_managers(&mut self, world: &World, key: EntityKey) {
        let Some(entity) = self.entities.get(key) else { return };
        if entity.actor.as_deref().is_none_or(Actor::is_idle) {
            return;
        }
        let now = entity.last_update;
        self.tick_targets(key, now);
        let Some(entity) = self.entities.get_mut(key) else { return };
        if entity.tick_move_to(now) {
            entity.place_parts();
            self.carry_children(key);
        }
        self.settle_motion(key);
        let Some(entity) = self.entities.get_mut(key) else { return };
        entity.finish_completed_motions();
        let jump = entity.position_manager().and_then(|position| position.interpolation.jump_target());
        if let Some(target) = jump {
            let from = entity.position;
            let placed = self.place(world, key, &target, PlaceOptions::default());
            if matches!(placed, Ok((Placement::Placed, _))) {
                let _ = self.stop_interpolating(key);
                self.events.push(Event::GaveUpFollowing { entity: key, from });
            }
        }
        if let Some(entity) = self.entities.get_mut(key) {
            entity.tick_sticky(now);
        }
        self.settle_motion(key);
    }

    /// Lets one object keep an eye on another. Retail: `TargetManager::SetTarget`. Spec: motion §13.1.
    fn watch_target(&mut self, key: EntityKey, target: EntityKey, radius: f32, quantum: f32) {
        let now = self.now;
        let Some(watched) = self.entities.get_mut(target) else { return };
        let position = watched.position;
        let watchers = &mut watched.actor_mut().targets.begin().watchers;
        if !watchers.contains(&key) {
            watchers.push(key);
        }
        let Some(entity) = self.entities.get_mut(key) else { return };
        entity.actor_mut().targets.begin().target = Some(TargetInfo {
            object: target,
            status: TargetStatus::Unknown,
            position,
            predicted: position,
            velocity: Vec3::ZERO,
            radius,
            quantum,
            last_sent: position,
            updated: now,
        });
        self.send_update(target, key, TargetStatus::Ok, position);
    }

    /// Tells one that keeps an eye on an object how it is. Retail: `TargetManager::SendVoyeurUpdate`.
    fn send_update(&mut self, key: EntityKey, watcher: EntityKey, status: TargetStatus, last_sent: Position) {
        let Some(entity) = self.entities.get(key) else { return };
        let Some(known) = self.entities.get(watcher).and_then(Entity::target_info) else { return };
        let info = TargetInfo {
            status,
            position: entity.position,
            predicted: entity.predict(known.quantum),
            velocity: entity.cached_velocity,
            last_sent,
            updated: self.now,
            ..*known
        };
        let now = self.now;
        if let Some(watcher) = self.entities.get_mut(watcher) {
            watcher.receive_target_update(info, now);
        }
        self.settle_motion(watcher);
    }

    /// Those who keep an eye on an object, one by one; those who no longer do are forgotten.
    fn next_watcher(&mut self, key: EntityKey, at: usize) -> Option<EntityKey> {
        loop {
            let watcher = *self.entities.get(key)?.actor.as_ref()?.targets.watchers.get(at)?;
            let target = self.entities.get(watcher).and_then(Entity::target_info);
            if target.is_some_and(|target| target.object == key) {
                return Some(watcher);
            }
            self.entities.get_mut(key)?.actor.as_mut()?.targets.watchers.remove(at);
        }
    }

    /// Retail: `TargetManager::NotifyVoyeurOfEvent`.
    pub(super) fn tell_watchers(&mut self, key: EntityKey, status: TargetStatus) {
        let mut at = 0;
        while let Some(watcher) = self.next_watcher(key, at) {
            let Some(position) = self.entities.get(key).map(|entity| entity.position) else { return };
            self.send_update(key, watcher, status, position);
            at += 1;
        }
    }

    /// Retail: `TargetManager::HandleTargetting`. Spec: motion §13.2–3.
    fn tick_targets(&mut self, key: EntityKey, now: f64) {
        let actor = self.entities.get(key).and_then(|entity| entity.actor.as_deref());
        let checked = actor.and_then(|actor| actor.targets.checked);
        if checked.is_none_or(|checked| now - checked < TARGET_INTERVAL) {
            return;
        }
        let Some(actor) = self.entities.get_mut(key).and_then(|entity| entity.actor.as_deref_mut()) else {
            return;
        };
        let targets = &mut actor.targets;
        targets.checked = Some(now);
        if let Some(target) = targets.target
            && target.status == TargetStatus::Unknown
            && now - target.updated > TARGET_TIMEOUT
        {
            let info = TargetInfo { status: TargetStatus::TimedOut, ..target };
            if let Some(entity) = self.entities.get_mut(key) {
                entity.receive_target_update(info, now);
            }
            self.settle_motion(key);
        }
        let mut at = 0;
        while let Some(watcher) = self.next_watcher(key, at) {
            let known = self.entities.get(watcher).and_then(Entity::target_info).copied();
            if let (Some(known), Some(entity)) = (known, self.entities.get(key)) {
                let predicted = entity.predict(known.quantum);
                if predicted.distance_to(&known.last_sent) > known.radius {
                    self.send_update(key, watcher, TargetStatus::Ok, predicted);
                }
            }
            at += 1;
        }
    }
}

impl Entity {
    /// Types 1 to 5 of a movement.
    fn interpret(&mut self, movement: &Movement) -> Result<(), MotionError> {
        self.ensure_interpreter();
        let result = match movement {
            Movement::Do(command, parameters) => self.do_motion(*command, parameters),
            Movement::DoInterpreted(command, parameters) => self.do_interpreted(*command, parameters),
            Movement::Stop(command, parameters) => self.stop_motion(*command, parameters),
            Movement::StopInterpreted(command, parameters) => self.stop_interpreted(*command, parameters),
            _ => {
                self.perform_stop();
                Ok(())
            }
        };
        self.finish_completed_motions();
        result
    }
}

/// Numbers that nothing can be done with are refused before anything is changed.
fn check_movement(movement: &Movement) -> Result<(), SceneError> {
    let parameters = match movement {
        Movement::Do(_, parameters)
        | Movement::DoInterpreted(_, parameters)
        | Movement::Stop(_, parameters)
        | Movement::StopInterpreted(_, parameters)
        | Movement::MoveToObject(_, parameters)
        | Movement::TurnToObject(_, parameters)
        | Movement::TurnToHeading(parameters) => parameters,
        Movement::MoveToPosition(position, parameters) => {
            check_position(position)?;
            parameters
        }
        Movement::StopCompletely => return Ok(()),
    };
    if parameters.is_finite() { Ok(()) } else { Err(SceneError::NotFinite("movement parameters")) }
}
