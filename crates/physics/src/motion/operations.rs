//! Commands are begun and ended. Retail: `CMotionInterp`. Spec: motion §10.3.

use super::{
    Actor, HoldKey, MotionError, MoveFlags, MovementParameters, Note, PendingCommand,
    jump::motion_forbids_jump,
};
use crate::scene::Entity;
use threshold_world::motion::{Command, Refusal};

/// Actions that may wait before no more are taken.
const MAX_WAITING_ACTIONS: usize = 6;

impl From<Refusal> for MotionError {
    fn from(refusal: Refusal) -> MotionError {
        match refusal {
            Refusal::NoTable => MotionError::NO_TABLE,
            Refusal::NoMotion => MotionError::NO_DATA,
        }
    }
}

impl Entity {
    pub(crate) fn actor_mut(&mut self) -> &mut Actor {
        self.actor.get_or_insert_default()
    }

    pub(super) fn interpreter_mut(&mut self) -> Option<&mut super::Interpreter> {
        self.actor.as_mut()?.interpreter.as_mut()
    }

    /// Makes the interpreter, in its default state, unless it is there. The original enters that state twice: once
    /// when it makes the interpreter and once when it has made it. Retail: `MovementManager::EnterDefaultState`.
    pub(crate) fn ensure_interpreter(&mut self) {
        if self.interpreter().is_none() {
            self.make_interpreter();
        }
    }

    /// Makes the interpreter, or brings it back to its beginning.
    pub(crate) fn make_interpreter(&mut self) {
        self.enter_default_state();
        self.enter_default_state();
    }

    /// Forgets all commands and begins where the motion table does. Retail: `CMotionInterp::enter_default_state`.
    /// Spec: motion §10.3.9.
    fn enter_default_state(&mut self) {
        let actor = self.actor_mut();
        let interpreter = actor.interpreter.get_or_insert_default();
        interpreter.raw = super::RawState::default();
        interpreter.interpreted = super::InterpretedState::default();
        interpreter.initialized = true;
        interpreter.push(PendingCommand { context: 0, motion: Command::READY, jump: None });
        actor.animator.initialize();
        self.leave_ground();
    }

    /// A player's command. Retail: `CMotionInterp::DoMotion`. Spec: motion §10.3.1.
    pub(crate) fn do_motion(
        &mut self,
        command: Command,
        parameters: &MovementParameters,
    ) -> Result<(), MotionError> {
        if parameters.has(MoveFlags::CANCEL_MOVE_TO) {
            self.cancel_move_to(MotionError::CANCELLED);
        }
        if parameters.has(MoveFlags::SET_HOLD_KEY) {
            self.set_hold_key(parameters.key, parameters.has(MoveFlags::CANCEL_MOVE_TO));
        }
        let (adjusted, speed) = self.adjust(command, parameters.speed, parameters.key);
        let Some(interpreter) = self.interpreter() else { return Err(MotionError::GENERAL) };
        let state = &interpreter.interpreted;
        if state.style != Command::NON_COMBAT {
            match command {
                Command::CROUCH => return Err(MotionError::NO_CROUCHING),
                Command::SITTING => return Err(MotionError::NO_SITTING),
                Command::SLEEPING => return Err(MotionError::NO_SLEEPING),
                _ if command.is_chat_emote() => return Err(MotionError::NO_EMOTES),
                _ => {}
            }
        }
        if command.is_action() && state.actions.len() >= MAX_WAITING_ACTIONS {
            return Err(MotionError::TOO_MANY_ACTIONS);
        }
        self.do_interpreted(adjusted, &MovementParameters { speed, ..*parameters })?;
        if parameters.has(MoveFlags::MODIFY_RAW)
            && let Some(interpreter) = self.interpreter_mut()
        {
            interpreter.raw.apply(command, parameters);
        }
        Ok(())
    }

    /// Whether a command is only remembered, because the object is in the air or about to jump.
    fn is_only_remembered(&self, command: Command) -> bool {
        let long_jump = self.interpreter().is_some_and(|interpreter| interpreter.standing_long_jump);
        let moves =
            matches!(command, Command::WALK_FORWARD | Command::RUN_FORWARD | Command::SIDE_STEP_RIGHT);
        !self.contact_allows(command) || long_jump && moves
    }

    /// A command that the motion table knows. Retail: `CMotionInterp::DoInterpretedMotion`. Spec: motion §10.3.2.
    pub(crate) fn do_interpreted(
        &mut self,
        command: Command,
        parameters: &MovementParameters,
    ) -> Result<(), MotionError> {
        let result = if self.is_only_remembered(command) {
            if !self.contact_allows(command) && command.is_action() {
                Err(MotionError::NOT_IN_CONTACT)
            } else {
                self.remember(command, parameters);
                Ok(())
            }
        } else {
            self.begin_motion(command, parameters)
        };
        self.drop_links_without_cell();
        result
    }

    fn begin_motion(&mut self, command: Command, parameters: &MovementParameters) -> Result<(), MotionError> {
        if command == Command::DEAD {
            self.drop_links();
        }
        self.make_room();
        let Some(actor) = self.actor.as_deref_mut() else { return Err(MotionError::NO_TABLE) };
        actor.animator.request(command, parameters.speed)?;
        if let Some(interpreter) = &mut actor.interpreter {
            let jump = if parameters.has(MoveFlags::NO_JUMP_DURING_LINK) {
                Some(MotionError::NOT_FROM_HERE)
            } else {
                let forward = Some(interpreter.interpreted.forward).filter(|_| !command.is_action());
                motion_forbids_jump(command).or_else(|| forward.and_then(motion_forbids_jump))
            };
            interpreter.push(PendingCommand { context: parameters.context, motion: command, jump });
        }
        self.remember(command, parameters);
        Ok(())
    }

    fn remember(&mut self, command: Command, parameters: &MovementParameters) {
        if parameters.has(MoveFlags::MODIFY_INTERPRETED)
            && let Some(interpreter) = self.interpreter_mut()
        {
            interpreter.interpreted.apply(command, parameters);
        }
    }

    /// The end of a command that the motion table knows. Retail: `CMotionInterp::StopInterpretedMotion`.
    /// Spec: motion §10.3.3.
    pub(crate) fn stop_interpreted(
        &mut self,
        command: Command,
        parameters: &MovementParameters,
    ) -> Result<(), MotionError> {
        let mut result = Ok(());
        if !self.is_only_remembered(command) {
            result = self.stop_motion_of_table(command, parameters.context);
        }
        if result.is_ok()
            && parameters.has(MoveFlags::MODIFY_INTERPRETED)
            && let Some(interpreter) = self.interpreter_mut()
        {
            interpreter.interpreted.remove(command);
        }
        self.drop_links_without_cell();
        result
    }

    /// Ends a motion whatever the object stands on.
    pub(super) fn stop_motion_of_table(&mut self, command: Command, context: u32) -> Result<(), MotionError> {
        self.make_room();
        let Some(actor) = self.actor.as_deref_mut() else { return Err(MotionError::NO_TABLE) };
        actor.animator.stop(command)?;
        if let Some(interpreter) = &mut actor.interpreter {
            interpreter.push(PendingCommand { context, motion: Command::READY, jump: None });
        }
        Ok(())
    }

    /// The end of a player's command. Retail: `CMotionInterp::StopMotion`. Spec: motion §10.3.4.
    pub(crate) fn stop_motion(
        &mut self,
        command: Command,
        parameters: &MovementParameters,
    ) -> Result<(), MotionError> {
        if parameters.has(MoveFlags::CANCEL_MOVE_TO) {
            self.cancel_move_to(MotionError::CANCELLED);
        }
        let (adjusted, speed) = self.adjust(command, parameters.speed, parameters.key);
        self.stop_interpreted(adjusted, &MovementParameters { speed, ..*parameters })?;
        if parameters.has(MoveFlags::MODIFY_RAW)
            && let Some(interpreter) = self.interpreter_mut()
        {
            interpreter.raw.remove(command);
        }
        Ok(())
    }

    /// The end of everything. Retail: `CMotionInterp::StopCompletely`. Spec: motion §10.3.5.
    fn stop_completely(&mut self) {
        self.cancel_move_to(MotionError::CANCELLED);
        self.make_room();
        let Some(actor) = self.actor.as_deref_mut() else { return };
        let Some(interpreter) = &mut actor.interpreter else { return };
        let jump = motion_forbids_jump(interpreter.interpreted.forward);
        let raw = &mut interpreter.raw;
        raw.forward.command = Command::READY;
        raw.forward.speed = 1.0;
        raw.side.command = Command::NONE;
        raw.turn.command = Command::NONE;
        let state = &mut interpreter.interpreted;
        (state.forward, state.forward_speed) = (Command::READY, 1.0);
        state.side = Command::NONE;
        state.turn = Command::NONE;
        // Without a motion table there is nothing to stop.
        let _ = actor.animator.stop_completely();
        interpreter.push(PendingCommand { context: 0, motion: Command::READY, jump });
        self.drop_links_without_cell();
    }

    /// As [`Entity::stop_completely`], as a movement of its own (type 5): motions that have nothing to wait for are over
    /// with it. Retail: `CPhysicsObj::StopCompletely`. Spec: motion §10.1.5, §11.
    pub(crate) fn perform_stop(&mut self) {
        self.set_active();
        self.ensure_interpreter();
        self.stop_completely();
        self.finish_completed_motions();
    }

    /// Presses or lets go the run key. Retail: `CMotionInterp::set_hold_run`. Spec: motion §10.3.10.
    pub(crate) fn set_hold_key(&mut self, key: HoldKey, cancel: bool) {
        let Some(interpreter) = self.interpreter_mut() else { return };
        let held = interpreter.raw.hold_key;
        let changes = match key {
            HoldKey::None => held == HoldKey::Run,
            HoldKey::Run => held != HoldKey::Run,
            HoldKey::Unspecified => false,
        };
        if changes {
            interpreter.raw.hold_key = key;
            self.apply_current(cancel, false);
        }
    }

    /// Removes the animations that lead to the one that repeats; what waits for them has failed.
    /// Retail: `CPartArray::HandleEnterWorld`. Spec: motion §5.7.
    pub(crate) fn drop_links(&mut self) {
        let Some(actor) = self.actor.as_deref_mut() else { return };
        actor.animator.remove_links();
        self.fail_pending_motions();
    }

    /// Retail: `CPartArray::HandleExitWorld`.
    pub(crate) fn fail_pending_motions(&mut self) {
        while self.actor.as_ref().is_some_and(|actor| !actor.animator.pending().is_empty()) {
            self.animation_done(false);
        }
    }

    /// Has everything that waits fail when no more can wait, as if the object entered the world. The original has no such
    /// limit. One that is far from every viewer plays nothing and can be told what to do for hours.
    fn make_room(&mut self) {
        if self.actor.as_ref().is_some_and(|actor| !actor.animator.has_room()) {
            self.drop_links();
        }
    }

    fn drop_links_without_cell(&mut self) {
        if self.cell.is_none() {
            self.drop_links();
        }
    }

    /// An animation has ended. Retail: `MotionTableManager::AnimationDone`. Spec: motion §5.4.
    pub(crate) fn animation_done(&mut self, success: bool) {
        if !self.actor.as_deref_mut().is_some_and(|actor| actor.animator.count_done()) {
            return;
        }
        while let Some(motion) = self.actor.as_deref_mut().and_then(|actor| actor.animator.next_over()) {
            self.motion_done(motion, success);
        }
        if let Some(actor) = self.actor.as_deref_mut() {
            actor.animator.settle();
        }
    }

    /// Takes off the motions that have nothing to wait for. Retail: `MotionTableManager::CheckForCompletedMotions`.
    /// Spec: motion §5.5.
    pub(crate) fn finish_completed_motions(&mut self) {
        while let Some(motion) = self.actor.as_deref_mut().and_then(|actor| actor.animator.next_completed()) {
            self.motion_done(motion, true);
        }
    }

    /// The oldest motion is over. Retail: `CMotionInterp::MotionDone`. Spec: motion §10.3.11.
    fn motion_done(&mut self, motion: Command, success: bool) {
        if let Some(actor) = self.actor.as_deref_mut() {
            actor.notes.push(Note::MotionDone { motion, success });
        }
        let oldest = self.interpreter_mut().and_then(|interpreter| interpreter.pending.pop_front());
        if oldest.is_some_and(|command| command.motion.is_action()) {
            self.unstick();
            if let Some(interpreter) = self.interpreter_mut() {
                interpreter.interpreted.actions.pop_front();
                interpreter.raw.actions.pop_front();
            }
        }
        if let Some(actor) = self.actor.as_deref_mut() {
            actor.animator.retire();
        }
    }
}
