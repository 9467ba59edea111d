//! An update of an object: velocity, gravity, friction, then a sweep. Spec: physics-objects §8.3, §8.5, §8.6.

use super::{
    Entity, EntityKey, MoveResult, Scene, SceneError, SweptStep, Watch, Watching,
    begin::Task,
    commit::FinishedSweep,
    viewers::{Proximity, Viewers},
};
use crate::flags::{State, Transient};
use glam::Vec3;
use threshold_world::{EPSILON, Frame, Position, Quat, World, coords::block_offset, heading_of};

/// A tick; a remainder not longer than this is carried over to the next update.
pub const MIN_QUANTUM: f64 = 1.0 / 30.0;
/// Longest single step.
pub const MAX_QUANTUM: f64 = 0.2;
/// Longer gaps are dropped.
pub const HUGE_QUANTUM: f64 = 2.0;
/// Acceleration of falling objects.
pub const GRAVITY: f32 = -9.8;
/// Maximum speed.
pub const MAX_SPEED: f32 = 50.0;
/// Squared speed below which movement ends.
const SMALL_SPEED_SQ: f32 = 0.0625;

impl Entity {
    /// Retail: `CPhysicsObj::set_velocity`.
    pub(crate) fn set_velocity(&mut self, velocity: Vec3) {
        if velocity != self.velocity {
            self.velocity = clamp_speed(velocity);
            self.velocity_changed = true;
        }
        self.set_active();
    }

    pub(crate) fn set_active(&mut self) {
        if !self.state.contains(State::STATIC) {
            self.transient |= Transient::ACTIVE;
        }
    }

    /// What stands on the ground and has no legs sleeps until something moves it.
    fn rest(&mut self) {
        let has_legs = self.role.is_creature() || self.has_movement_manager();
        if !has_legs && self.has(Transient::ON_WALKABLE) {
            self.transient -= Transient::ACTIVE;
        }
    }

    /// A missile that hit something flies no more.
    pub(super) fn end_flight(&mut self) {
        if self.state.contains(State::MISSILE) {
            self.state -= State::MISSILE | State::ALIGN_PATH | State::PATH_CLIPPED;
        }
    }

    /// Retail: `CPhysicsObj::calc_acceleration`. Spec: physics-objects §8.6.
    pub(super) fn update_acceleration(&mut self) {
        let grounded = self.stands();
        if grounded && !self.state.contains(State::SLEDDING) {
            self.acceleration = Vec3::ZERO;
            self.omega = Vec3::ZERO;
        } else if self.state.contains(State::GRAVITY) {
            self.acceleration = Vec3::new(0.0, 0.0, GRAVITY);
        } else {
            self.acceleration = Vec3::ZERO;
        }
    }

    /// Retail: `CPhysicsObj::calc_friction`. Spec: physics-objects §8.6.
    fn apply_friction(&mut self, quantum: f32, speed_sq: f32) {
        if !self.has(Transient::ON_WALKABLE) {
            return;
        }
        let normal = self.contact_plane.normal;
        let away = self.velocity.dot(normal);
        if away >= 0.25 {
            return;
        }
        self.velocity -= normal * away;
        let mut friction = self.friction;
        if self.state.contains(State::SLEDDING) {
            if speed_sq < 1.5625 {
                friction = 1.0;
            } else if speed_sq >= 6.25 && normal.z < 0.984_807_7 {
                friction = 0.2;
            }
        }
        self.velocity *= libm::powf(1.0 - friction, quantum);
    }

    /// What the legs add to a step: a stride only on walkable ground, a turn anywhere.
    /// Retail: the root motion in `CPhysicsObj::UpdatePositionInternal`. Spec: physics-objects §8.5.
    ///
    /// A motion table strides instead; what turns an object apart from its keys, such as a mouse, turns it in any case.
    fn walk(&self, quantum: f32, candidate: &mut Frame) {
        if !self.role.is_creature() {
            return;
        }
        let strides = self.motion.velocity != Vec3::ZERO && !self.has_motion_table();
        if strides && self.has(Transient::ON_WALKABLE) {
            candidate.origin += candidate.rotate(self.motion.velocity * (quantum * self.scale));
        }
        if self.motion.turn != 0.0 {
            let turned = candidate.rotation() * Quat::about_z(-self.motion.turn * quantum);
            candidate.set_rotation(turned);
        }
    }

    /// Retail: `CPhysicsObj::UpdatePhysicsInternal`. Spec: physics-objects §8.5.
    fn integrate(&mut self, quantum: f32, candidate: &mut Frame) {
        let mut speed_sq = self.velocity.length_squared();
        if speed_sq > 0.0 {
            if speed_sq > MAX_SPEED * MAX_SPEED {
                self.velocity = clamp_speed(self.velocity);
                speed_sq = MAX_SPEED * MAX_SPEED;
            }
            self.apply_friction(quantum, speed_sq);
            if speed_sq - SMALL_SPEED_SQ < EPSILON {
                self.velocity = Vec3::ZERO;
            }
            candidate.origin += self.velocity * quantum + self.acceleration * (0.5 * quantum * quantum);
        } else {
            self.rest();
        }
        self.velocity += self.acceleration * quantum;
        candidate.turn_globally(self.omega * quantum);
    }

    /// Length of the next step that is due; `None` when the object is up to date or not updated at all.
    #[inline]
    pub(super) fn next_quantum(&mut self, clock: Clock<'_>) -> Option<f32> {
        let Clock { now, viewers, is_first } = clock;
        if self.is_aside() {
            self.transient -= Transient::ACTIVE;
            return None;
        }
        if is_first {
            let proximity = viewers.proximity(&self.position);
            self.near_viewer = proximity == Proximity::Near;
            if proximity == Proximity::Far {
                self.transient -= Transient::ACTIVE;
            } else if !self.has(Transient::ACTIVE) {
                self.set_active();
                self.last_update = now;
            }
        }
        let rest = now - self.last_update;
        if is_first && (rest <= f64::from(EPSILON) || rest > HUGE_QUANTUM) {
            self.last_update = now;
            return None;
        }
        if rest > MAX_QUANTUM {
            self.last_update += MAX_QUANTUM;
            return Some(MAX_QUANTUM as f32);
        }
        // Only what is left over from longer steps has to be long enough.
        (is_first || rest > MIN_QUANTUM).then(|| {
            self.last_update = now;
            rest as f32
        })
    }

    /// What animation adds to a step, and what the position manager makes of it.
    /// Spec: physics-objects §8.5, motion §8.1.
    fn animate(&mut self, quantum: f32, sticky_target: Option<Position>) -> Frame {
        let mut offset = Frame::IDENTITY;
        let is_hidden = self.state.contains(State::HIDDEN);
        let factor = if self.has(Transient::ON_WALKABLE) { self.scale } else { 0.0 };
        if let Some(actor) = self.actor.as_deref_mut().filter(|_| !is_hidden) {
            // More frames than any motion has are as good as a great many.
            actor.animator.advance(f64::from(quantum), Some(&mut offset), &mut actor.hooks);
            offset.origin *= factor;
            if !offset.is_finite() {
                // Root frames that are not numbers move nothing.
                offset = Frame::IDENTITY;
            }
            self.walk(quantum, &mut offset);
        }
        self.adjust_offset(quantum, sticky_target, &mut offset);
        offset
    }

    /// Where legs, velocity and gravity bring the object in a step, before anything is in the way. `sticky_target` is
    /// where the object is that it sticks to. Retail: `CPhysicsObj::UpdatePositionInternal`. Spec: physics-objects §8.5.
    pub(super) fn take_candidate(&mut self, quantum: f32, sticky_target: Option<Position>) -> Frame {
        self.velocity_changed = false;
        let mut candidate = self.position.frame;
        let is_hidden = self.state.contains(State::HIDDEN);
        if self.actor.is_some() {
            candidate = candidate.compose(&self.animate(quantum, sticky_target));
        } else if !is_hidden {
            self.walk(quantum, &mut candidate);
        }
        if !is_hidden {
            self.integrate(quantum, &mut candidate);
        }
        candidate
    }

    /// The stride of a step that leaves the object's place, facing where it should.
    #[inline]
    pub(super) fn aim(&self, candidate: Frame, quantum: f32) -> Stride {
        let Position { cell, frame } = &self.position;
        let mut stride = Stride { start: frame.origin, to: Position::new(*cell, candidate), quantum };
        if self.state.contains(State::ALIGN_PATH) {
            stride.to.frame.face(stride.displacement());
        } else if self.state.contains(State::SLEDDING) && self.velocity != Vec3::ZERO {
            stride.to.frame.set_heading(heading_of(self.velocity));
        }
        stride
    }

    /// Begins the end of a step that does not leave the object's place.
    #[inline]
    pub(super) fn stay(&mut self) {
        if self.model.spheres.is_empty() {
            self.rest();
        }
    }

    /// Notes the velocity that a step amounted to.
    pub(super) fn note_progress(&mut self, stride: &Stride) {
        let Position { cell, frame } = &self.position;
        let way = frame.origin + block_offset(stride.to.cell, *cell) - stride.start;
        self.cached_velocity = way / stride.quantum;
    }

    /// Whether a step to a point needs a sweep; what has no spheres only turns.
    #[inline]
    pub(super) fn leaves_its_place(&self, to: Vec3) -> bool {
        let way = to - self.position.frame.origin;
        !self.model.spheres.is_empty() && way.abs().max_element() > EPSILON
    }
}

fn clamp_speed(velocity: Vec3) -> Vec3 {
    let speed = velocity.length();
    if speed > MAX_SPEED { velocity * (MAX_SPEED / speed) } else { velocity }
}

/// A step that has been integrated and now needs a sweep.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stride {
    /// Where it begins, in the same block's coordinates as its end.
    pub(super) start: Vec3,
    pub(super) to: Position,
    pub(super) quantum: f32,
}

/// What decides how long the next step of an object is.
#[derive(Clone, Copy)]
pub(super) struct Clock<'a> {
    pub(super) now: f64,
    pub(super) viewers: &'a Viewers,
    /// It is the first step of an update.
    pub(super) is_first: bool,
}

impl Stride {
    fn displacement(&self) -> Vec3 {
        self.to.frame.origin - self.start
    }
}

impl Scene {
    /// Brings an object up to the clock: as many steps as the original would take for the time since its last update
    /// ([`Scene::advance_clock`] has the rule). Retail: `CPhysicsObj::update_object`. Spec: physics-objects §8.3.
    pub fn update(&mut self, world: &World, key: EntityKey) -> Result<MoveResult, SceneError> {
        self.update_watched(world, key, &mut |_| {})
    }

    /// Like [`Scene::update`], and calls `watch` with every sweep right before it is committed.
    pub fn update_watched(
        &mut self,
        world: &World,
        key: EntityKey,
        watch: &mut Watch<'_>,
    ) -> Result<MoveResult, SceneError> {
        if !self.entities.contains_key(key) {
            return Err(SceneError::NoSuchEntity);
        }
        let mut watching = Watching::Everything(watch);
        let mut result = MoveResult::without_sweep(true);
        let mut is_first = true;
        while let Some(quantum) = self.next_quantum(key, is_first) {
            let earlier = result.cell_changed;
            result = self.step(world, key, quantum, &mut watching)?;
            result.cell_changed = match (earlier, result.cell_changed) {
                (Some((from, _)), Some((_, to))) => Some((from, to)).filter(|(from, to)| from != to),
                (earlier, later) => later.or(earlier),
            };
            is_first = false;
        }
        Ok(result)
    }

    /// Length of the next step that is due for an object; `None` when it is up to date or not updated at all.
    pub(super) fn next_quantum(&mut self, key: EntityKey, is_first: bool) -> Option<f32> {
        let clock = Clock { now: self.now, viewers: &self.viewers, is_first };
        self.entities.get_mut(key)?.next_quantum(clock)
    }

    /// One integration step. Retail: `CPhysicsObj::UpdateObjectInternal` (0x005156B0).
    pub(super) fn step(
        &mut self,
        world: &World,
        key: EntityKey,
        quantum: f32,
        watching: &mut Watching<'_>,
    ) -> Result<MoveResult, SceneError> {
        match self.take_candidate(world, key, quantum) {
            Some(candidate) => self.finish_step(world, key, candidate, quantum, watching),
            None => Ok(MoveResult::without_sweep(true)),
        }
    }

    /// The rest of a step, from where animation and velocity bring the object.
    pub(super) fn finish_step(
        &mut self,
        world: &World,
        key: EntityKey,
        candidate: Frame,
        quantum: f32,
        watching: &mut Watching<'_>,
    ) -> Result<MoveResult, SceneError> {
        match self.aim_step(world, key, candidate, quantum) {
            Task::Sweep(stride) => return self.sweep_step(world, key, &stride, watching),
            Task::Still(rotation) => self.end_still(world, key, rotation),
            _ => {}
        }
        Ok(MoveResult::without_sweep(true))
    }

    /// Sweeps a step and commits it.
    pub(super) fn sweep_step(
        &mut self,
        world: &World,
        key: EntityKey,
        stride: &Stride,
        watching: &mut Watching<'_>,
    ) -> Result<MoveResult, SceneError> {
        let mut sweeper = self.take_sweeper();
        let swept = self.sweep_entity(world, key, &stride.to, &mut sweeper, None);
        let result = swept.map(|()| self.end_step(world, key, stride, (&*sweeper).into(), watching));
        self.sweeper = Some(sweeper);
        self.tick_managers(world, key);
        result
    }

    /// Where a step would bring an object if nothing were in the way; `None` when it is not updated.
    pub(super) fn take_candidate(&mut self, world: &World, key: EntityKey, quantum: f32) -> Option<Frame> {
        let mut entity = self.entities.get(key)?;
        if !entity.has(Transient::ACTIVE) || entity.cell.is_none() {
            return None;
        }
        if entity.has(Transient::RECHECK_ETHEREAL) {
            self.become_solid(world, key);
            entity = self.entities.get(key)?;
        }
        let target = entity.sticky().and_then(|sticky| self.entities.get(sticky.object));
        let sticky_target = target.map(|target| target.position);
        Some(self.entities.get_mut(key)?.take_candidate(quantum, sticky_target))
    }

    /// Runs hooks and decides what is left of a step.
    #[inline(always)]
    pub(super) fn aim_step(&mut self, world: &World, key: EntityKey, candidate: Frame, quantum: f32) -> Task {
        self.run_hooks(world, key);
        let Some(entity) = self.entities.get_mut(key) else { return Task::Done };
        if entity.leaves_its_place(candidate.origin) {
            return Task::Sweep(entity.aim(candidate, quantum));
        }
        entity.stay();
        entity.cached_velocity = Vec3::ZERO;
        let rotation = candidate.rotation();
        let has_nothing_to_do = entity.actor.is_none() && entity.position.frame.rotation() == rotation;
        if has_nothing_to_do { Task::Done } else { Task::Still(rotation) }
    }

    /// The end of a step without a sweep.
    pub(super) fn end_still(&mut self, world: &World, key: EntityKey, rotation: Quat) {
        self.turn(key, rotation);
        self.tick_managers(world, key);
    }

    /// Commits the sweep of a step; one that failed still turns the object.
    pub(super) fn end_step(
        &mut self,
        world: &World,
        key: EntityKey,
        stride: &Stride,
        traces: FinishedSweep<'_>,
        watching: &mut Watching<'_>,
    ) -> MoveResult {
        if let Some(entity) = self.entities.get(key) {
            let FinishedSweep { outcome, cells, missing, touched } = traces;
            watching.show(&SweptStep { key, entity, target: &stride.to, outcome, cells, missing, touched });
        }
        let result = self.apply(world, key, traces);
        if let Some(entity) = self.entities.get_mut(key) {
            if result.ok {
                entity.note_progress(stride);
            } else {
                entity.cached_velocity = Vec3::ZERO;
                self.turn(key, stride.to.frame.rotation());
            }
        }
        result
    }

    /// Turns an object in place, without a sweep. Parts that animation moves go where it says even if it does not turn.
    pub(super) fn turn(&mut self, key: EntityKey, rotation: Quat) {
        let Some(entity) = self.entities.get_mut(key) else { return };
        let turns = entity.position.frame.rotation() != rotation;
        if turns {
            entity.position.frame.set_rotation(rotation);
        }
        if turns || entity.changes_pose() {
            entity.place_parts();
            self.carry_children(key);
        }
    }
}
