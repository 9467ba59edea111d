//! A move-to in progress: its nodes start, turn, move and end. Spec: motion §12.5, §12.6, §12.8.

use super::{
    MotionError, MoveFlags, MoveNode, MoveToKind, MovementParameters, TargetInfo, TargetStatus,
    move_to::{Sample, StickTo, has_passed, heading_difference},
    parameters::FAR,
};
use crate::{flags::Transient, scene::Entity};
use threshold_world::{EPSILON, heading_of, motion::Command};

/// Degrees off the heading within which nothing is corrected.
const HEADING_SLACK: f32 = 20.0;
/// Speed below which the time to the target says nothing.
const MIN_SPEED: f32 = 0.1;
/// Seconds by which the time to the target may change before the target is told.
const QUANTUM_SLACK: f32 = 1.0;

impl Entity {
    /// Begins what is next, or ends the move-to. Retail: `MoveToManager::BeginNextNode`. Spec: motion §12.5.
    pub(super) fn begin_next_node(&mut self, now: f64) {
        loop {
            let node = self.move_to().and_then(|move_to| move_to.nodes.front().copied());
            let goes_on = match node {
                None => return self.end_move_to(),
                Some(MoveNode::Move) => self.begin_move(now),
                Some(MoveNode::Turn(heading)) => self.begin_turn(heading),
            };
            if goes_on {
                return;
            }
            self.drop_node();
        }
    }

    fn drop_node(&mut self) {
        if let Some(move_to) = self.move_to_mut() {
            move_to.nodes.pop_front();
        }
    }

    /// There is nothing left to do.
    fn end_move_to(&mut self) {
        let Some(move_to) = self.move_to() else { return };
        let sticky = move_to.parameters.has(MoveFlags::STICKY);
        let radius = move_to.sought_radius;
        let object = move_to.object.filter(|_| sticky);
        self.note_end(MotionError(0));
        self.clean_up_move_to();
        self.perform_stop();
        if let Some(move_to) = self.move_to_mut() {
            move_to.sticks_to = object.map(|object| StickTo { object, radius });
        }
    }

    /// Begins to go; false when the target is near enough. Retail: `MoveToManager::BeginMoveForward`.
    fn begin_move(&mut self, now: f64) -> bool {
        let distance = self.distance_to_target();
        let Some(choice) = self.move_to().and_then(|move_to| move_to.parameters.choose(distance)) else {
            return false;
        };
        let parameters = MovementParameters { key: choice.key, ..self.command_parameters() };
        if let Err(code) = self.do_for_move_to(choice.command, &parameters) {
            self.cancel_move_to(code);
            return true;
        }
        if let Some(move_to) = self.move_to_mut() {
            move_to.command = choice.command;
            move_to.away = choice.away;
            move_to.parameters.key = choice.key;
            move_to.previous = Sample { distance, time: now };
            move_to.original = move_to.previous;
        }
        true
    }

    /// Begins to turn, unless motions wait for their end; false when the heading is right.
    /// Retail: `MoveToManager::BeginTurnToHeading`.
    fn begin_turn(&mut self, heading: f32) -> bool {
        if self.has_pending_commands() {
            return true;
        }
        let difference = heading_difference(heading, self.position.frame.heading(), Command::TURN_RIGHT);
        let Some(command) = turn_by(difference) else { return false };
        if let Err(code) = self.do_for_move_to(command, &self.command_parameters()) {
            self.cancel_move_to(code);
            return true;
        }
        if let Some(move_to) = self.move_to_mut() {
            move_to.command = command;
            move_to.previous_heading = difference;
        }
        true
    }

    /// Goes on. True when the object was turned on the spot. Retail: `MoveToManager::UseTime`. Spec: motion §12.6.
    pub(crate) fn tick_move_to(&mut self, now: f64) -> bool {
        let Some(move_to) = self.move_to() else { return false };
        let waits = move_to.object.is_some() && move_to.kind.is_some() && !move_to.initialized;
        if !self.has(Transient::CONTACT) || waits {
            return false;
        }
        match move_to.nodes.front() {
            None => false,
            Some(&MoveNode::Turn(heading)) => self.tick_turn(heading, now),
            Some(MoveNode::Move) => {
                self.tick_move(now);
                false
            }
        }
    }

    /// Retail: `MoveToManager::HandleTurnToHeading`.
    fn tick_turn(&mut self, heading: f32, now: f64) -> bool {
        let Some(command) = self.move_to().map(|move_to| move_to.command) else { return false };
        if !command.is_turn() {
            if !self.begin_turn(heading) {
                self.drop_node();
                self.begin_next_node(now);
            }
            return false;
        }
        let own = self.position.frame.heading();
        if !has_passed(own, heading, command) {
            if let Some(move_to) = self.move_to_mut() {
                move_to.previous_heading = own;
            }
            return false;
        }
        self.position.frame.set_heading(heading);
        self.drop_node();
        let parameters = self.command_parameters();
        let _ = self.stop_for_move_to(command, &parameters);
        if let Some(move_to) = self.move_to_mut() {
            move_to.command = Command::NONE;
        }
        self.begin_next_node(now);
        true
    }

    /// Retail: `MoveToManager::HandleMoveToPosition`.
    fn tick_move(&mut self, now: f64) {
        let parameters = self.command_parameters();
        if self.has_pending_commands() {
            self.stop_aux(&parameters);
        } else {
            self.correct_heading(&parameters);
        }
        let distance = self.distance_to_target();
        let position = self.position;
        let Some(move_to) = self.move_to_mut() else { return };
        if move_to.makes_progress(distance, now) {
            let limits = &move_to.parameters;
            let arrived = if move_to.away { distance >= limits.minimum } else { distance <= limits.distance };
            if arrived {
                let command = move_to.command;
                self.drop_node();
                let _ = self.stop_for_move_to(command, &parameters);
                if let Some(move_to) = self.move_to_mut() {
                    move_to.command = Command::NONE;
                }
                self.stop_aux(&parameters);
                self.begin_next_node(now);
            } else if move_to.start.distance_to(&position) > limits.fail_distance {
                self.cancel_move_to(MotionError::TOO_FAR);
            }
        }
        self.adjust_target_quantum(distance);
    }

    /// Turns a little while going. Spec: motion §12.6.
    fn correct_heading(&mut self, parameters: &MovementParameters) {
        let Some(move_to) = self.move_to() else { return };
        let turned_round = match move_to.command {
            Command::WALK_BACKWARDS => !move_to.away,
            _ => move_to.away,
        };
        let mut wanted = heading_of(self.position.offset_to(&move_to.target));
        if turned_round {
            wanted += 180.0;
        }
        if wanted >= 360.0 {
            wanted -= 360.0;
        }
        let off = heading_difference(wanted, self.position.frame.heading(), Command::TURN_RIGHT);
        let Some(command) = aux_turn(off) else { return self.stop_aux(parameters) };
        if command != move_to.aux {
            let _ = self.do_for_move_to(command, parameters);
            if let Some(move_to) = self.move_to_mut() {
                move_to.aux = command;
            }
        }
    }

    fn stop_aux(&mut self, parameters: &MovementParameters) {
        let Some(move_to) = self.move_to_mut() else { return };
        let aux = std::mem::replace(&mut move_to.aux, Command::NONE);
        if aux != Command::NONE {
            let _ = self.stop_for_move_to(aux, parameters);
        }
    }

    /// Asks for predictions as far ahead as the way takes.
    fn adjust_target_quantum(&mut self, distance: f32) {
        let has_target = self.move_to().is_some_and(|m| m.object.is_some() && m.kind.is_some());
        let speed = self.cached_velocity.length();
        if !has_target || speed <= MIN_SPEED {
            return;
        }
        let time = distance / speed;
        if let Some(target) = self.actor.as_deref_mut().and_then(|actor| actor.targets.target.as_mut())
            && (time - target.quantum).abs() > QUANTUM_SLACK
        {
            target.quantum = time;
        }
    }

    /// There is ground again. Retail: `MoveToManager::HitGround`. Spec: motion §12.8.
    pub(super) fn resume_move_to(&mut self) {
        if self.is_moving_to() {
            self.begin_next_node(self.last_update);
        }
    }

    /// Something is known of the target. Retail: `MoveToManager::HandleUpdateTarget`. Spec: motion §12.8.
    pub(super) fn move_to_target_update(&mut self, info: &TargetInfo, now: f64) {
        let Some(move_to) = self.move_to_mut() else { return };
        if move_to.object != Some(info.object) {
            return;
        }
        let is_ok = info.status == TargetStatus::Ok;
        match (move_to.initialized, is_ok) {
            (false, true) => self.begin_with_target(info, now),
            (false, false) => self.cancel_move_to(MotionError::NO_OBJECT),
            (true, true) => {
                if move_to.kind == Some(MoveToKind::Object) {
                    move_to.sought = info.predicted;
                    move_to.target = info.position;
                    move_to.previous = Sample { distance: FAR, time: now };
                    move_to.original = move_to.previous;
                }
            }
            (true, false) => self.cancel_move_to(MotionError::OBJECT_GONE),
        }
    }

    /// The first that is known of the target. Retail: `MoveToObject_Internal`, `TurnToObject_Internal`.
    fn begin_with_target(&mut self, info: &TargetInfo, now: f64) {
        let heading = heading_of(self.position.offset_to(&info.predicted));
        let Some(move_to) = self.move_to_mut() else { return };
        move_to.initialized = true;
        match move_to.kind {
            Some(MoveToKind::Object) => {
                move_to.sought = info.predicted;
                move_to.target = info.position;
                let distance = self.distance_to_target();
                let Some(move_to) = self.move_to_mut() else { return };
                let parameters = move_to.parameters;
                if parameters.choose(distance).is_some() {
                    move_to.nodes.extend([MoveNode::Turn(heading), MoveNode::Move]);
                }
                if parameters.has(MoveFlags::USE_FINAL_HEADING) {
                    let last = heading + parameters.heading;
                    move_to.nodes.push_back(MoveNode::Turn(if last >= 360.0 { last - 360.0 } else { last }));
                }
            }
            Some(MoveToKind::TurnToObject) => {
                let heading = heading_of(self.position.offset_to(&info.position));
                let Some(move_to) = self.move_to_mut() else { return };
                move_to.target = info.position;
                move_to.nodes.push_back(MoveNode::Turn(heading));
            }
            _ => return,
        }
        self.begin_next_node(now);
    }
}

/// The turn to a heading that is so many degrees to the right; `None` when that is too little. Spec: motion §12.5.
fn turn_by(degrees: f32) -> Option<Command> {
    if degrees <= 180.0 {
        (degrees > EPSILON).then_some(Command::TURN_RIGHT)
    } else {
        (degrees + EPSILON < 360.0).then_some(Command::TURN_LEFT)
    }
}

/// The turn that brings back an object that is so many degrees off. Spec: motion §12.6.
fn aux_turn(off: f32) -> Option<Command> {
    let is_off = off > HEADING_SLACK && off < 360.0 - HEADING_SLACK;
    is_off.then_some(if off < 180.0 { Command::TURN_RIGHT } else { Command::TURN_LEFT })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Spec: motion §16, example 24.
    #[test]
    fn turns_go_the_shorter_way() {
        for (heading, own, expected) in [
            (10.0, 350.0, Some(Command::TURN_RIGHT)),
            (350.0, 10.0, Some(Command::TURN_LEFT)),
            (180.0, 0.0, Some(Command::TURN_RIGHT)),
            (181.0, 0.0, Some(Command::TURN_LEFT)),
            (90.0, 90.0001, None),
        ] {
            let difference = heading_difference(heading, own, Command::TURN_RIGHT);
            assert_eq!(turn_by(difference), expected, "{heading} {own}");
        }
    }

    /// Spec: motion §16, example 28.
    #[test]
    fn headings_are_corrected_from_twenty_degrees_on() {
        assert_eq!(aux_turn(20.0), None);
        assert_eq!(aux_turn(20.1), Some(Command::TURN_RIGHT));
        assert_eq!(aux_turn(180.0), Some(Command::TURN_LEFT));
        assert_eq!(aux_turn(340.0), None);
    }
}
