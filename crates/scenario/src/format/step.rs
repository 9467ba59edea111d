//! The steps of a scenario.

use super::{
    ConstrainSpec, InterpolateSpec, MotionSpec, MoveToSpec, MovementSpec, ObjectCommand, PlaceSpec,
    StateWord, StopSpec, TurnToSpec,
    fields::{finite_option, number_option, rotation_option, seconds_option},
};
use serde::{Deserialize, de::IgnoredAny};
use threshold_physics::motion::HoldKey;
use threshold_world::Quat;

/// A new state for an object, or for the mover.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct SetState {
    /// The object; `None` for the mover.
    pub entity: Option<u32>,
    /// State word.
    pub state: StateWord,
}

/// A new place for an object.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct PlaceEntity {
    /// The object.
    pub entity: u32,
    /// Where.
    #[serde(flatten)]
    pub place: PlaceSpec,
}

/// An object to remove.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct RemoveEntity {
    /// The object.
    pub entity: u32,
}

/// A step as it is written: every key may be there or not.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawStep {
    #[serde(rename = "move", default, deserialize_with = "finite_option")]
    offset: Option<[f32; 3]>,
    #[serde(default, deserialize_with = "rotation_option")]
    rotate: Option<Quat>,
    object: Option<u32>,
    teleport: Option<PlaceSpec>,
    set_state: Option<SetState>,
    place_entity: Option<PlaceEntity>,
    remove_entity: Option<RemoveEntity>,
    #[serde(default, deserialize_with = "seconds_option")]
    tick: Option<f32>,
    #[serde(default, deserialize_with = "finite_option")]
    velocity: Option<[f32; 3]>,
    motion: Option<MotionSpec>,
    stop: Option<StopSpec>,
    hold_key: Option<u32>,
    #[serde(default)]
    charge: bool,
    #[serde(default, deserialize_with = "number_option")]
    jump: Option<f32>,
    movement: Option<MovementSpec>,
    move_to: Option<MoveToSpec>,
    turn_to: Option<TurnToSpec>,
    cancel_move_to: Option<u32>,
    interpolate_to: Option<InterpolateSpec>,
    #[serde(default)]
    stop_interpolating: bool,
    stick_to: Option<u32>,
    #[serde(default)]
    unstick: bool,
    constrain: Option<ConstrainSpec>,
    #[serde(default)]
    unconstrain: bool,
    #[serde(rename = "note")]
    _note: Option<IgnoredAny>,
}

impl RawStep {
    /// The one command among the keys, if there is any.
    fn take_command(&mut self) -> Result<Option<ObjectCommand>, &'static str> {
        let key = |number| match HoldKey::from_number(number) {
            Some(key) if key != HoldKey::Unspecified => Ok(ObjectCommand::HoldKey(key)),
            _ => Err("`hold_key` is 1 (none) or 2 (run)"),
        };
        let constrain = self.constrain.take().filter(|from| *from != ConstrainSpec::Own(false));
        let commands = [
            self.motion.take().map(ObjectCommand::Motion),
            self.stop.take().map(ObjectCommand::Stop),
            self.hold_key.map(key).transpose()?,
            self.charge.then_some(ObjectCommand::Charge),
            self.jump.map(ObjectCommand::Jump),
            self.movement.take().map(ObjectCommand::Movement),
            self.move_to.take().map(ObjectCommand::MoveTo),
            self.turn_to.take().map(ObjectCommand::TurnTo),
            self.cancel_move_to.map(ObjectCommand::CancelMoveTo),
            self.interpolate_to.take().map(ObjectCommand::InterpolateTo),
            self.stop_interpolating.then_some(ObjectCommand::StopInterpolating),
            self.stick_to.map(ObjectCommand::StickTo),
            self.unstick.then_some(ObjectCommand::Unstick),
            constrain.map(ObjectCommand::Constrain),
            self.unconstrain.then_some(ObjectCommand::Unconstrain),
        ];
        let mut commands = commands.into_iter().flatten();
        match (commands.next(), commands.next()) {
            (command, None) => Ok(command),
            _ => Err("a step has at most one command"),
        }
    }
}

/// One step of a scenario: a velocity, a command, one of the changes, a tick, in this order. A sweep (`move`, `rotate`)
/// goes with a velocity only.
#[derive(Clone, Debug, PartialEq, Default, Deserialize)]
#[serde(try_from = "RawStep")]
pub struct Step {
    /// Displacement in the current block's frame.
    pub offset: Option<[f32; 3]>,
    /// New orientation.
    pub rotate: Option<Quat>,
    /// The object for velocity, command and teleport; 0 is the mover.
    pub object: u32,
    /// Its command.
    pub command: Option<ObjectCommand>,
    /// Placement elsewhere.
    pub teleport: Option<PlaceSpec>,
    /// State change.
    pub set_state: Option<SetState>,
    /// An object put elsewhere.
    pub place_entity: Option<PlaceEntity>,
    /// Removes an object.
    pub remove_entity: Option<RemoveEntity>,
    /// Seconds of physics.
    pub tick: Option<f32>,
    /// Velocity to set first.
    pub velocity: Option<[f32; 3]>,
}

impl TryFrom<RawStep> for Step {
    type Error = &'static str;

    fn try_from(mut raw: RawStep) -> Result<Step, &'static str> {
        Ok(Step {
            command: raw.take_command()?,
            offset: raw.offset,
            rotate: raw.rotate,
            object: raw.object.unwrap_or(0),
            teleport: raw.teleport,
            set_state: raw.set_state,
            place_entity: raw.place_entity,
            remove_entity: raw.remove_entity,
            tick: raw.tick,
            velocity: raw.velocity,
        })
    }
}

impl Step {
    /// Whether the step is a sweep.
    pub(crate) fn is_sweep(&self) -> bool {
        self.offset.is_some() || self.rotate.is_some()
    }

    /// How many changes to objects the step makes.
    pub(crate) fn changes(&self) -> usize {
        let changes = [
            self.teleport.is_some(),
            self.set_state.is_some(),
            self.place_entity.is_some(),
            self.remove_entity.is_some(),
        ];
        changes.iter().filter(|&&present| present).count()
    }

    /// Why the step cannot be played, if so.
    pub(crate) fn problem(&self) -> Option<&'static str> {
        let lives = self.command.is_some() || self.tick.is_some();
        match (self.is_sweep(), self.changes()) {
            (true, 1..) => Some("the step does several things; only move and rotate go together"),
            (true, 0) if lives => Some("the step does several things; only move and rotate go together"),
            (false, 2..) => Some("the step does several things; it may change one object, then tick"),
            (false, 0) if !lives && self.velocity.is_none() => Some("the step does nothing"),
            _ => None,
        }
    }
}
