//! Why a command was refused, or a move-to ended. Spec: motion §10.1.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use std::fmt;

/// A code of the original. Retail: `WeenieError`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct MotionError(pub u32);

impl MotionError {
    /// The object has no motion table.
    pub const NO_TABLE: MotionError = MotionError(7);
    /// It does not stand on the ground.
    pub const NOT_IN_CONTACT: MotionError = MotionError(36);
    /// Another motion was started.
    pub const CANCELLED: MotionError = MotionError(54);
    /// The target has gone.
    pub const OBJECT_GONE: MotionError = MotionError(55);
    /// There never was a target.
    pub const NO_OBJECT: MotionError = MotionError(56);
    /// It was teleported.
    pub const TELEPORTED: MotionError = MotionError(60);
    /// It went farther than it was allowed to.
    pub const TOO_FAR: MotionError = MotionError(61);
    /// No crouching in combat.
    pub const NO_CROUCHING: MotionError = MotionError(63);
    /// No sitting in combat.
    pub const NO_SITTING: MotionError = MotionError(64);
    /// No sleeping in combat.
    pub const NO_SLEEPING: MotionError = MotionError(65);
    /// No gestures in combat.
    pub const NO_EMOTES: MotionError = MotionError(66);
    /// The motion table has nothing for it.
    pub const NO_DATA: MotionError = MotionError(67);
    /// Too many actions wait already.
    pub const TOO_MANY_ACTIONS: MotionError = MotionError(69);
    /// It cannot be done.
    pub const GENERAL: MotionError = MotionError(71);
    /// It cannot be done from this position.
    pub const NOT_FROM_HERE: MotionError = MotionError(72);
    /// It carries too much.
    pub const TOO_LOADED: MotionError = MotionError(73);
}

impl fmt::Display for MotionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match *self {
            Self::NO_TABLE => "the object has no motion table",
            Self::NOT_IN_CONTACT => "the object does not stand on the ground",
            Self::CANCELLED => "something else was begun",
            Self::OBJECT_GONE => "the target has gone",
            Self::NO_OBJECT => "there is no target",
            Self::TELEPORTED => "the object was teleported",
            Self::TOO_FAR => "the object went too far",
            Self::NO_CROUCHING => "no crouching in combat",
            Self::NO_SITTING => "no sitting in combat",
            Self::NO_SLEEPING => "no sleeping in combat",
            Self::NO_EMOTES => "no gestures in combat",
            Self::NO_DATA => "the motion table has nothing for it",
            Self::TOO_MANY_ACTIONS => "too many actions wait already",
            Self::NOT_FROM_HERE => "it cannot be done from this position",
            Self::TOO_LOADED => "the object carries too much",
            other => return write!(f, "the motion was refused with code {}", other.0),
        })
    }
}

impl std::error::Error for MotionError {}
