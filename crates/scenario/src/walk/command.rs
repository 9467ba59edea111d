//! Performs commands.

use super::super::{
    error::ScenarioError,
    format::{ConstrainSpec, Goal, MotionSpec, MotionType, MovementSpec, ObjectCommand, StopSpec},
};
use super::Walk;
use threshold_physics::{
    motion::{InterpretedState, MotionError, Movement, MovementState, ServerAction},
    scene::{EntityKey, SceneError},
};
use threshold_world::motion::Command;

impl Walk<'_> {
    /// Gives a command to an object; the code of its refusal, or 0.
    pub(super) fn command(
        &mut self,
        key: EntityKey,
        command: &ObjectCommand,
        number: i64,
    ) -> Result<u32, ScenarioError> {
        let field = || format!("steps[{number}].{}", name_of(command));
        let object = |id| self.object(id, field);
        let target = match command {
            ObjectCommand::MoveTo(spec) => match spec.goal {
                Goal::Entity(id) => Some(object(id)?),
                Goal::Place(_) => None,
            },
            ObjectCommand::TurnTo(spec) => spec.entity.map(object).transpose()?,
            ObjectCommand::StickTo(id) => Some(object(*id)?),
            ObjectCommand::Movement(spec) => spec.sticky.map(object).transpose()?,
            _ => None,
        };
        match self.obey(key, command, target) {
            Ok(()) => Ok(0),
            Err(SceneError::Motion(MotionError(code))) => Ok(code),
            Err(source) => Err(ScenarioError::Scene { field: field(), source }),
        }
    }

    fn obey(
        &mut self,
        key: EntityKey,
        command: &ObjectCommand,
        target: Option<EntityKey>,
    ) -> Result<(), SceneError> {
        let scene = self.scene_mut();
        match command {
            ObjectCommand::Motion(motion) => scene.perform(key, &begin(motion)),
            ObjectCommand::Stop(StopSpec::All(_)) => scene.perform(key, &Movement::StopCompletely),
            ObjectCommand::Stop(StopSpec::One(motion)) => scene.perform(key, &end(motion)),
            ObjectCommand::HoldKey(hold) => scene.set_hold_key(key, *hold),
            ObjectCommand::Charge => scene.charge_jump(key),
            ObjectCommand::Jump(power) => scene.jump_with_power(key, *power),
            ObjectCommand::Movement(movement) => scene.apply_movement(key, &state(movement), target),
            ObjectCommand::MoveTo(spec) => {
                if let Some(rate) = spec.run_rate {
                    scene.set_run_rate(key, rate)?;
                }
                let parameters = spec.parameters.into();
                match (&spec.goal, target) {
                    (Goal::Place(place), _) => {
                        scene.perform(key, &Movement::MoveToPosition(place.position(), parameters))
                    }
                    (Goal::Entity(_), Some(target)) => {
                        scene.perform(key, &Movement::MoveToObject(target, parameters))
                    }
                    (Goal::Entity(_), None) => Err(SceneError::NoSuchEntity),
                }
            }
            ObjectCommand::TurnTo(spec) => {
                let parameters = spec.parameters.into();
                let movement = match target {
                    Some(target) => Movement::TurnToObject(target, parameters),
                    None => Movement::TurnToHeading(parameters),
                };
                scene.perform(key, &movement)
            }
            ObjectCommand::CancelMoveTo(code) => scene.cancel_move_to(key, MotionError(*code)),
            ObjectCommand::InterpolateTo(spec) => {
                scene.interpolate_to(key, &spec.place.position(), spec.keep_heading)
            }
            ObjectCommand::StopInterpolating => scene.stop_interpolating(key),
            ObjectCommand::StickTo(_) => scene.stick_to(key, target.ok_or(SceneError::NoSuchEntity)?),
            ObjectCommand::Unstick => scene.unstick(key),
            ObjectCommand::Constrain(ConstrainSpec::Own(_)) => scene.constrain_to(key, None),
            ObjectCommand::Constrain(ConstrainSpec::Place(place)) => {
                scene.constrain_to(key, Some(&place.position()))
            }
            ObjectCommand::Unconstrain => scene.unconstrain(key),
        }
    }
}

fn begin(motion: &MotionSpec) -> Movement {
    let (command, parameters) = (motion.command.0, motion.parameters.into());
    match motion.kind {
        MotionType::Raw => Movement::Do(command, parameters),
        MotionType::Interpreted => Movement::DoInterpreted(command, parameters),
    }
}

fn end(motion: &MotionSpec) -> Movement {
    let (command, parameters) = (motion.command.0, motion.parameters.into());
    match motion.kind {
        MotionType::Raw => Movement::Stop(command, parameters),
        MotionType::Interpreted => Movement::StopInterpreted(command, parameters),
    }
}

fn state(spec: &MovementSpec) -> MovementState {
    let command = |word: Option<super::super::format::CommandWord>, default| word.map_or(default, |w| w.0);
    let actions = spec.actions.iter().map(|action| ServerAction {
        command: action.command.0,
        stamp: action.stamp,
        speed: action.speed,
        autonomous: action.autonomous,
    });
    MovementState {
        state: InterpretedState {
            style: command(spec.style, Command::NON_COMBAT),
            forward: command(spec.forward, Command::READY),
            forward_speed: spec.forward_speed,
            side: command(spec.side, Command::NONE),
            side_speed: spec.side_speed,
            turn: command(spec.turn, Command::NONE),
            turn_speed: spec.turn_speed,
            ..InterpretedState::default()
        },
        actions: actions.collect(),
        standing_long_jump: spec.long_jump,
    }
}

/// The key of a command.
fn name_of(command: &ObjectCommand) -> &'static str {
    match command {
        ObjectCommand::Motion(_) => "motion",
        ObjectCommand::Stop(_) => "stop",
        ObjectCommand::HoldKey(_) => "hold_key",
        ObjectCommand::Charge => "charge",
        ObjectCommand::Jump(_) => "jump",
        ObjectCommand::Movement(_) => "movement",
        ObjectCommand::MoveTo(_) => "move_to",
        ObjectCommand::TurnTo(_) => "turn_to",
        ObjectCommand::CancelMoveTo(_) => "cancel_move_to",
        ObjectCommand::InterpolateTo(_) => "interpolate_to",
        ObjectCommand::StopInterpolating => "stop_interpolating",
        ObjectCommand::StickTo(_) => "stick_to",
        ObjectCommand::Unstick => "unstick",
        ObjectCommand::Constrain(_) => "constrain",
        ObjectCommand::Unconstrain => "unconstrain",
    }
}
