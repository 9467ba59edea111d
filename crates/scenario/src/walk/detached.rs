//! Playing a motion table without a world.

use super::super::{
    error::ScenarioError,
    format::{CommandWord, DetachedCommand, DetachedScenario, DetachedStep},
};
use super::columns::{MotionColumn, PlainFrame, plain};
use serde::Serialize;
use threshold_physics::motion::MotionError;
use threshold_world::{
    Frame, Library,
    motion::{Animator, QueuedHook, Refusal},
};

/// The line that `walk` prints for a step of a detached scenario.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DetachedReport {
    /// Number of the step; −1 for the default state.
    pub step: i64,
    /// Always.
    pub ok: bool,
    /// Code of the command; 0 when it was obeyed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<u32>,
    /// State of the motion table.
    pub motion: Option<MotionColumn>,
    /// Types of the hooks that were run.
    pub hooks: Vec<u32>,
    /// Motions that ended, and whether they were completed.
    pub done: Vec<(CommandWord, bool)>,
    /// The object's movement.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<PlainFrame>,
}

/// A detached scenario being played.
pub struct Detached {
    animator: Animator,
    steps: std::vec::IntoIter<DetachedStep>,
    next: i64,
}

/// What a step did besides changing the animator.
#[derive(Default)]
struct Done {
    result: Option<u32>,
    hooks: Vec<u32>,
    done: Vec<(CommandWord, bool)>,
    offset: Option<PlainFrame>,
}

impl Detached {
    /// Finds the motion table and begins in its default state.
    pub fn begin(library: &Library, scenario: DetachedScenario) -> Result<Detached, ScenarioError> {
        let id = scenario.mover.motion_table;
        let table = library.motion_table(id)?;
        let table = table.ok_or_else(|| ScenarioError::NoMotionTable { field: "mover".into(), id })?;
        Ok(Detached { animator: Animator::with_table(table), steps: scenario.steps.into_iter(), next: -1 })
    }

    /// Plays the default state or the next step; `None` at the end.
    pub fn next_line(&mut self) -> Option<DetachedReport> {
        let step = self.next;
        let done = if step < 0 {
            Done::default()
        } else {
            let step = self.steps.next()?;
            self.play(&step.command)
        };
        self.next += 1;
        let Done { result, hooks, done, offset } = done;
        let motion = MotionColumn::of(&self.animator);
        Some(DetachedReport { step, ok: true, result, motion, hooks, done, offset })
    }

    fn play(&mut self, command: &DetachedCommand) -> Done {
        let mut done = Done::default();
        let code = |result: Result<(), Refusal>| {
            Some(result.map_or_else(|refusal| MotionError::from(refusal).0, |()| 0))
        };
        match command {
            DetachedCommand::Request(request) => {
                done.result = code(self.animator.request(request.command.0, request.speed));
            }
            DetachedCommand::Stop(stop) => done.result = code(self.animator.stop(stop.command.0)),
            DetachedCommand::StopAll => done.result = code(self.animator.stop_completely()),
            DetachedCommand::Reset => {
                self.animator.initialize();
                done.result = Some(0);
            }
            DetachedCommand::DropLinks => {
                self.animator.remove_links();
                while !self.animator.pending().is_empty() {
                    self.animation_done(false, &mut done);
                }
                done.result = Some(0);
            }
            &DetachedCommand::Advance(seconds) => {
                let (mut offset, mut hooks) = (Frame::IDENTITY, Vec::new());
                self.animator.advance(seconds.into(), Some(&mut offset), &mut hooks);
                for hook in hooks {
                    done.hooks.push(hook.code());
                    if hook == QueuedHook::AnimationDone {
                        self.animation_done(true, &mut done);
                    }
                }
                while let Some(motion) = self.animator.next_completed() {
                    done.done.push((CommandWord(motion), true));
                    self.animator.retire();
                }
                done.offset = Some(plain(&offset));
            }
        }
        done
    }

    fn animation_done(&mut self, success: bool, done: &mut Done) {
        if !self.animator.count_done() {
            return;
        }
        while let Some(motion) = self.animator.next_over() {
            done.done.push((CommandWord(motion), success));
            self.animator.retire();
        }
        self.animator.settle();
    }
}
