//! Everything that makes an object move on its own.

use super::{HookRun, Interpreter, MotionError, MoveTo, PositionManager, ScaleChange, Targets};
use crate::{movement::Skills, scene::Entity};
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use threshold_world::motion::{Animator, Command, QueuedHook, SavedAnimator};

/// An event of an object's motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Note {
    /// A motion is over.
    MotionDone {
        /// Which.
        motion: Command,
        /// False when it was cut short.
        success: bool,
    },
    /// A hook was run.
    Hook(HookRun),
    /// A move-to has ended; with code 0 when it had nothing left to do.
    MoveToEnded(MotionError),
}

/// Everything that makes an object move on its own. Created when first needed.
#[derive(Clone, Debug, Default)]
pub struct Actor {
    /// The animator.
    pub animator: Animator,
    pub(crate) interpreter: Option<Interpreter>,
    pub(crate) move_to: Option<MoveTo>,
    pub(crate) position: Option<PositionManager>,
    pub(crate) targets: Targets,
    /// What the body of a player that is controlled here can do. Nobody can tell for others.
    pub(crate) skills: Option<Skills>,
    /// Whether the last movement was the player's own doing.
    pub(crate) last_move_autonomous: bool,
    /// Newest last.
    pub(crate) scale_changes: Vec<ScaleChange>,
    /// Hooks of the step under way.
    pub(crate) hooks: Vec<QueuedHook>,
    /// What the scene is yet to be told.
    pub(crate) notes: Vec<Note>,
}

/// An [`Actor`] as plain data.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub(crate) struct ActorState {
    pub(crate) animator: SavedAnimator,
    interpreter: Option<Interpreter>,
    move_to: Option<MoveTo>,
    position: Option<PositionManager>,
    targets: Targets,
    skills: Option<Skills>,
    last_move_autonomous: bool,
    scale_changes: Vec<ScaleChange>,
}

impl Actor {
    /// Whether there is something to tell the scene, or for the scene to do.
    #[inline]
    pub(crate) fn has_news(&self) -> bool {
        !self.notes.is_empty() || self.move_to.as_ref().is_some_and(|move_to| move_to.sticks_to.is_some())
    }

    /// Whether there is nothing to ask it at the end of a step.
    #[inline]
    pub(crate) fn is_idle(&self) -> bool {
        self.move_to.is_none()
            && self.position.is_none()
            && self.targets.checked.is_none()
            && self.notes.is_empty()
            && self.animator.pending().motions().len() == 0
    }

    /// Whether too little of the way is left to jump.
    pub(super) fn is_fully_constrained(&self) -> bool {
        self.position.as_ref().is_some_and(|position| position.constraint.is_full())
    }

    /// Skills of a locally controlled player.
    pub fn skills(&self) -> Option<&Skills> {
        self.skills.as_ref()
    }

    pub(crate) fn save(&self) -> ActorState {
        // Every field by name, so that none is forgotten.
        let Actor {
            animator,
            interpreter,
            move_to,
            position,
            targets,
            skills,
            last_move_autonomous,
            scale_changes,
            // Empty between updates.
            hooks: _,
            notes: _,
        } = self;
        ActorState {
            animator: animator.save(),
            interpreter: interpreter.clone(),
            move_to: move_to.clone(),
            position: position.clone(),
            targets: targets.clone(),
            skills: *skills,
            last_move_autonomous: *last_move_autonomous,
            scale_changes: scale_changes.clone(),
        }
    }
}

impl ActorState {
    /// The actor again, with the animator that was restored for it.
    pub(crate) fn actor(&self, animator: Animator) -> Actor {
        Actor {
            animator,
            interpreter: self.interpreter.clone(),
            move_to: self.move_to.clone(),
            position: self.position.clone(),
            targets: self.targets.clone(),
            skills: self.skills,
            last_move_autonomous: self.last_move_autonomous,
            scale_changes: self.scale_changes.clone(),
            hooks: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Whether every number in it is in range.
    pub(crate) fn is_sound(&self) -> bool {
        let change = |change: &ScaleChange| {
            let sizes = [change.start, change.end, change.seconds];
            sizes.iter().all(|size| size.is_finite()) && change.begun.is_finite()
        };
        self.interpreter.as_ref().is_none_or(Interpreter::is_sound)
            && self.move_to.as_ref().is_none_or(MoveTo::is_sound)
            && self.position.as_ref().is_none_or(PositionManager::is_sound)
            && self.targets.is_sound()
            && self.skills.is_none_or(|skills| skills.burden.is_finite())
            && self.scale_changes.iter().all(change)
    }
}

impl Entity {
    /// The object's actor, if it ever needed one.
    pub fn actor(&self) -> Option<&Actor> {
        self.actor.as_deref()
    }

    /// Whether it moves by a motion table.
    pub fn has_motion_table(&self) -> bool {
        self.actor.as_ref().is_some_and(|actor| actor.animator.table().is_some())
    }

    /// Whether an animation says where its parts are.
    pub(crate) fn is_animated(&self) -> bool {
        self.actor.as_ref().is_some_and(|actor| !actor.animator.sequence().is_empty())
    }

    /// Whether an animation says that its parts are to be elsewhere than they are shown.
    pub(crate) fn changes_pose(&self) -> bool {
        self.is_animated() && self.actor.as_ref().is_some_and(|actor| !actor.animator.is_shown())
    }

    /// Whether it has an interpreter or a move-to. Retail: `CPhysicsObj::movement_manager`.
    pub(crate) fn has_movement_manager(&self) -> bool {
        self.actor.as_ref().is_some_and(|actor| actor.interpreter.is_some() || actor.move_to.is_some())
    }
}
