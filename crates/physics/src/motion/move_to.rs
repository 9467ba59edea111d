//! Going to a place or after an object. Retail: `MoveToManager`. Spec: motion §12.

use super::{HoldKey, MotionError, MoveFlags, MovementParameters, Note, parameters::FAR};
use crate::scene::{Entity, EntityKey};
use glam::Vec3;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use threshold_world::{EPSILON, Position, heading_of, motion::Command};

/// The remaining steps.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub enum MoveNode {
    /// Turn to a heading in degrees.
    Turn(f32),
    /// Go.
    Move,
}

/// Kinds of move-to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub enum MoveToKind {
    /// Going to an object.
    Object,
    /// Going to a place.
    Position,
    /// Turning towards an object.
    TurnToObject,
    /// Turning to a heading.
    TurnToHeading,
}

impl MoveToKind {
    /// The stored number.
    pub fn number(self) -> u32 {
        match self {
            MoveToKind::Object => 6,
            MoveToKind::Position => 7,
            MoveToKind::TurnToObject => 8,
            MoveToKind::TurnToHeading => 9,
        }
    }
}

/// A distance and when it was measured.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub(super) struct Sample {
    pub(super) distance: f32,
    pub(super) time: f64,
}

impl Default for Sample {
    fn default() -> Self {
        Sample { distance: FAR, time: 0.0 }
    }
}

/// A move-to in progress.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct MoveTo {
    pub(super) kind: Option<MoveToKind>,
    pub(super) parameters: MovementParameters,
    pub(super) nodes: VecDeque<MoveNode>,
    /// Where it began.
    pub(super) start: Position,
    /// Where the target will be.
    pub(super) sought: Position,
    /// Where the target is, as far as it is known.
    pub(super) target: Position,
    pub(super) sought_radius: f32,
    pub(super) sought_height: f32,
    /// The target, or what carries it.
    pub(super) object: Option<EntityKey>,
    pub(super) initialized: bool,
    pub(super) command: Command,
    pub(super) aux: Command,
    pub(super) away: bool,
    pub(super) previous_heading: f32,
    pub(super) previous: Sample,
    pub(super) original: Sample,
    /// What to stick to, now that the way is over; the scene does it.
    pub(super) sticks_to: Option<StickTo>,
}

/// An object to stick to, and its size.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub(crate) struct StickTo {
    pub(crate) object: EntityKey,
    pub(crate) radius: f32,
}

impl Default for MoveTo {
    fn default() -> Self {
        let mut parameters = MovementParameters::default();
        parameters.reset();
        MoveTo {
            kind: None,
            parameters,
            nodes: VecDeque::new(),
            start: Position::default(),
            sought: Position::default(),
            target: Position::default(),
            sought_radius: 0.0,
            sought_height: 0.0,
            object: None,
            initialized: false,
            command: Command::NONE,
            aux: Command::NONE,
            away: false,
            previous_heading: 0.0,
            previous: Sample::default(),
            original: Sample::default(),
            sticks_to: None,
        }
    }
}

impl MoveTo {
    /// The kind of move-to, if there is one.
    pub fn kind(&self) -> Option<MoveToKind> {
        self.kind
    }

    /// The remaining steps.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = MoveNode> {
        self.nodes.iter().copied()
    }

    /// The current command.
    pub fn command(&self) -> Command {
        self.command
    }

    /// The turn that accompanies it.
    pub fn aux(&self) -> Command {
        self.aux
    }

    /// Whether it moves away from the target.
    pub fn is_away(&self) -> bool {
        self.away
    }

    /// Whether every number in it is in range.
    pub(super) fn is_sound(&self) -> bool {
        let numbers = [self.sought_radius, self.sought_height, self.previous_heading];
        let samples = [self.previous, self.original];
        let is_finite = |position: &Position| position.frame.is_finite();
        self.parameters.is_finite()
            && self.nodes.len() <= 3
            && self.nodes.iter().all(|node| !matches!(node, MoveNode::Turn(heading) if !heading.is_finite()))
            && [&self.start, &self.sought, &self.target].into_iter().all(is_finite)
            && numbers.iter().all(|number| number.is_finite())
            && samples.iter().all(|sample| sample.distance.is_finite() && sample.time.is_finite())
    }

    /// Retail: `MoveToManager::InitializeLocalVariables`.
    fn reset(&mut self) {
        self.kind = None;
        self.parameters.reset();
        self.nodes.clear();
        self.object = None;
        self.sought_radius = 0.0;
        self.sought_height = 0.0;
        self.sought = Position::default();
        self.target = Position::default();
        self.initialized = false;
        self.command = Command::NONE;
        self.aux = Command::NONE;
        self.away = false;
        self.previous = Sample::default();
        self.original = Sample::default();
        self.previous_heading = 0.0;
    }

    /// Whether it got ahead since the last sample, or not enough time has passed to tell.
    /// Retail: `MoveToManager::CheckProgressMade`. Spec: motion §12.7.
    pub(super) fn makes_progress(&mut self, distance: f32, now: f64) -> bool {
        let gained = |sample: &Sample| {
            let gain = if self.away { distance - sample.distance } else { sample.distance - distance };
            let elapsed = (now - sample.time) as f32;
            gain / elapsed >= MIN_PROGRESS
        };
        if now - self.previous.time <= PROGRESS_TIME {
            return true;
        }
        let (step, whole) = (gained(&self.previous), gained(&self.original));
        if !step {
            return false;
        }
        self.previous = Sample { distance, time: now };
        whole
    }
}

/// Seconds between two looks at the progress.
const PROGRESS_TIME: f64 = 1.0;
/// Metres per second that count as progress.
const MIN_PROGRESS: f32 = 0.25;

/// From one heading to another in degrees, clockwise or the other way round.
/// Retail: `heading_diff`. Spec: motion §12.5.
pub(super) fn heading_difference(to: f32, from: f32, direction: Command) -> f32 {
    let mut difference = to - from;
    if difference.abs() < EPSILON {
        difference = 0.0;
    }
    if difference < -EPSILON {
        difference += 360.0;
    }
    if difference > EPSILON && direction != Command::TURN_RIGHT {
        difference = 360.0 - difference;
    }
    difference
}

/// Whether a turn has gone past a heading. Retail: `heading_greater`. Spec: motion §12.6.
pub(super) fn has_passed(own: f32, heading: f32, direction: Command) -> bool {
    let is_right = if (own - heading).abs() <= 180.0 { own > heading } else { heading > own };
    is_right == (direction == Command::TURN_RIGHT)
}

/// An upright cylinder at a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CylinderShape {
    /// Radius.
    pub radius: f32,
    /// Height.
    pub height: f32,
}

/// Distance between two upright cylinders `offset` apart; negative when they overlap.
/// Retail: `Position::cylinder_distance`. Spec: motion §12.3.
pub fn cylinder_distance(from: CylinderShape, to: CylinderShape, offset: Vec3) -> f32 {
    let apart = offset.length() - (from.radius + to.radius);
    let gap = if offset.z >= 0.0 { offset.z - from.height } else { -offset.z - to.height };
    match (gap > 0.0, apart > 0.0) {
        (true, true) => (gap * gap + apart * apart).sqrt(),
        (true, false) => gap,
        (false, true) => apart,
        (false, false) => -(gap * gap + apart * apart).sqrt(),
    }
}

impl Entity {
    /// The object's move-to, if it ever had one.
    pub fn move_to(&self) -> Option<&MoveTo> {
        self.actor.as_ref()?.move_to.as_ref()
    }

    pub(super) fn move_to_mut(&mut self) -> Option<&mut MoveTo> {
        self.actor.as_mut()?.move_to.as_mut()
    }

    /// Whether a move-to is running.
    pub fn is_moving_to(&self) -> bool {
        self.move_to().is_some_and(|move_to| move_to.kind.is_some())
    }

    /// Its size as others measure it.
    pub(crate) fn cylinder(&self) -> CylinderShape {
        CylinderShape { radius: self.model.radius * self.scale, height: self.model.height * self.scale }
    }

    /// What to stick to, once.
    pub(crate) fn take_stick(&mut self) -> Option<StickTo> {
        self.move_to_mut()?.sticks_to.take()
    }

    /// Ends a move-to that something else takes the place of. Retail: the head of `MoveToManager::PerformMovement`.
    pub(crate) fn prepare_move_to(&mut self) {
        self.ensure_interpreter();
        self.cancel_move_to(MotionError::CANCELLED);
        self.unstick();
        self.actor_mut().move_to.get_or_insert_default();
    }

    /// Distance to the target. Retail: `MoveToManager::GetCurrentDistance`. Spec: motion §12.3.
    pub(super) fn distance_to_target(&self) -> f32 {
        let Some(move_to) = self.move_to() else { return 0.0 };
        let offset = self.position.offset_to(&move_to.target);
        if move_to.parameters.has(MoveFlags::USE_CYLINDERS) {
            let sought = CylinderShape { radius: move_to.sought_radius, height: move_to.sought_height };
            cylinder_distance(self.cylinder(), sought, offset)
        } else {
            offset.length()
        }
    }

    /// Begins to go to an object of a size; the scene then sets the target.
    /// Retail: `MoveToManager::MoveToObject`. Spec: motion §12.4.
    pub(crate) fn move_to_object(
        &mut self,
        object: EntityKey,
        size: CylinderShape,
        parameters: &MovementParameters,
    ) {
        self.perform_stop();
        self.begin_towards(MoveToKind::Object, object, size, parameters);
    }

    /// Retail: `MoveToManager::TurnToObject`.
    pub(crate) fn turn_to_object(
        &mut self,
        object: EntityKey,
        size: CylinderShape,
        parameters: &MovementParameters,
    ) {
        if parameters.has(MoveFlags::STOP_COMPLETELY) {
            self.perform_stop();
        }
        self.begin_towards(MoveToKind::TurnToObject, object, size, parameters);
    }

    fn begin_towards(
        &mut self,
        kind: MoveToKind,
        object: EntityKey,
        size: CylinderShape,
        parameters: &MovementParameters,
    ) {
        let start = self.position;
        let Some(move_to) = self.move_to_mut() else { return };
        move_to.kind = Some(kind);
        move_to.parameters = *parameters;
        move_to.start = start;
        move_to.object = Some(object);
        move_to.sought_radius = size.radius;
        move_to.sought_height = size.height;
        move_to.initialized = false;
    }

    /// Retail: `MoveToManager::MoveToPosition`. Spec: motion §12.4.
    pub(crate) fn move_to_position(&mut self, position: Position, parameters: &MovementParameters, now: f64) {
        self.perform_stop();
        let start = self.position;
        let Some(move_to) = self.move_to_mut() else { return };
        move_to.target = position;
        move_to.sought_radius = 0.0;
        // By the parameters of what was before: none.
        let distance = self.distance_to_target();
        let heading = heading_of(start.offset_to(&position));
        let Some(move_to) = self.move_to_mut() else { return };
        if parameters.choose(distance).is_some() {
            move_to.nodes.extend([MoveNode::Turn(heading), MoveNode::Move]);
        }
        if parameters.has(MoveFlags::USE_FINAL_HEADING) {
            move_to.nodes.push_back(MoveNode::Turn(parameters.heading));
        }
        move_to.sought = position;
        move_to.start = start;
        move_to.kind = Some(MoveToKind::Position);
        move_to.parameters = parameters.with(MoveFlags::STICKY, false);
        self.begin_next_node(now);
    }

    /// Retail: `MoveToManager::TurnToHeading`. Spec: motion §12.4.
    pub(crate) fn turn_to_heading(&mut self, parameters: &MovementParameters, now: f64) {
        if parameters.has(MoveFlags::STOP_COMPLETELY) {
            self.perform_stop();
        }
        let Some(move_to) = self.move_to_mut() else { return };
        move_to.parameters = parameters.with(MoveFlags::STICKY, false);
        move_to.kind = Some(MoveToKind::TurnToHeading);
        move_to.nodes.push_back(MoveNode::Turn(parameters.heading));
        self.begin_next_node(now);
    }

    /// The end of a move-to before its time. Retail: `MoveToManager::CancelMoveTo`. Spec: motion §12.9.
    pub(crate) fn cancel_move_to(&mut self, code: MotionError) {
        let Some(move_to) = self.move_to_mut().filter(|move_to| move_to.kind.is_some()) else { return };
        move_to.nodes.clear();
        self.note_end(code);
        self.clean_up_move_to();
        self.perform_stop();
    }

    pub(super) fn note_end(&mut self, code: MotionError) {
        self.actor_mut().notes.push(Note::MoveToEnded(code));
    }

    /// Stops what the move-to had begun and forgets it. Retail: `MoveToManager::CleanUp`.
    pub(crate) fn clean_up_move_to(&mut self) {
        let Some(move_to) = self.move_to() else { return };
        let (command, aux, has_target) = (move_to.command, move_to.aux, move_to.object.is_some());
        let parameters = self.command_parameters();
        for command in [command, aux] {
            if command != Command::NONE {
                let _ = self.stop_for_move_to(command, &parameters);
            }
        }
        if has_target {
            self.clear_target();
        }
        if let Some(move_to) = self.move_to_mut() {
            move_to.reset();
        }
    }

    /// How the commands of a move-to are given.
    pub(super) fn command_parameters(&self) -> MovementParameters {
        let (speed, key) =
            self.move_to().map_or((1.0, HoldKey::Unspecified), |m| (m.parameters.speed, m.parameters.key));
        MovementParameters { speed, key, ..MovementParameters::default() }
            .with(MoveFlags::CANCEL_MOVE_TO, false)
    }

    /// Retail: `MoveToManager::_DoMotion`.
    pub(super) fn do_for_move_to(
        &mut self,
        command: Command,
        parameters: &MovementParameters,
    ) -> Result<(), MotionError> {
        self.ensure_interpreter();
        let (command, speed) = self.adjust(command, parameters.speed, parameters.key);
        self.do_interpreted(command, &MovementParameters { speed, ..*parameters })
    }

    /// Retail: `MoveToManager::_StopMotion`.
    pub(super) fn stop_for_move_to(
        &mut self,
        command: Command,
        parameters: &MovementParameters,
    ) -> Result<(), MotionError> {
        self.ensure_interpreter();
        let (command, speed) = self.adjust(command, parameters.speed, parameters.key);
        self.stop_interpreted(command, &MovementParameters { speed, ..*parameters })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cylinder(radius: f32) -> CylinderShape {
        CylinderShape { radius, height: 2.0 }
    }

    /// Spec: motion §16, examples 24 and 28.
    #[test]
    fn differences_of_headings() {
        let right = |to, from| heading_difference(to, from, Command::TURN_RIGHT);
        assert_eq!(right(10.0, 350.0), 20.0);
        assert_eq!(right(350.0, 10.0), 340.0);
        assert_eq!(right(180.0, 0.0), 180.0);
        assert_eq!(right(90.0, 90.0001), 0.0);
        assert_eq!(heading_difference(350.0, 10.0, Command::TURN_LEFT), 20.0);
    }

    /// Spec: motion §16, example 25.
    #[test]
    fn turns_go_past_a_heading() {
        for (own, heading, direction, passed) in [
            (11.0, 10.0, Command::TURN_RIGHT, true),
            (359.0, 1.0, Command::TURN_RIGHT, false),
            (2.0, 1.0, Command::TURN_RIGHT, true),
            (1.0, 359.0, Command::TURN_LEFT, false),
            (358.0, 359.0, Command::TURN_LEFT, true),
            (10.0, 10.0, Command::TURN_RIGHT, false),
            (10.0, 10.0, Command::TURN_LEFT, true),
        ] {
            assert_eq!(has_passed(own, heading, direction), passed, "{own} {heading} {direction}");
        }
    }

    /// Spec: motion §16, example 26.
    #[test]
    fn distances_of_cylinders() {
        let near = |a: f32, b: f32| (a - b).abs() < 1e-4;
        let small = |x, y, z| cylinder_distance(cylinder(0.5), cylinder(0.5), Vec3::new(x, y, z));
        assert!(near(small(3.0, 0.0, 0.0), 2.0));
        assert!(near(small(3.0, 0.0, 5.0), 5.6867), "{}", small(3.0, 0.0, 5.0));
        assert!(near(small(0.5, 0.0, 0.0), -2.0616));
        assert!(near(cylinder_distance(cylinder(3.0), cylinder(3.0), Vec3::new(0.0, 0.0, 4.0)), 2.0));
    }

    /// Spec: motion §16, example 27.
    #[test]
    fn progress_is_a_quarter_of_a_metre_per_second() {
        let begin = |distance| {
            let sample = Sample { distance, time: 0.0 };
            MoveTo { previous: sample, original: sample, ..MoveTo::default() }
        };
        let mut lost = begin(10.0);
        assert!(!lost.makes_progress(9.8, 1.2));
        assert_eq!(lost.previous, Sample { distance: 10.0, time: 0.0 });
        let mut kept = begin(10.0);
        assert!(kept.makes_progress(9.6, 1.2));
        assert_eq!(kept.previous, Sample { distance: 9.6, time: 1.2 });
        assert!(begin(10.0).makes_progress(10.0, 1.0), "a second must have passed");
    }
}
