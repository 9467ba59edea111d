//! Steps, told apart before they are played.

use super::super::format::Step;
use glam::Vec3;
use std::sync::Arc;
use threshold_world::Quat;

/// A step, told apart once.
pub(super) enum Planned {
    /// A sweep of the mover and nothing else.
    Sweep(Way),
    /// Seconds of physics and nothing else.
    Tick(f32),
    Other(Arc<Step>),
}

impl From<Step> for Planned {
    fn from(step: Step) -> Planned {
        let is_alone = step.object == 0 && step.velocity.is_none() && step.problem().is_none();
        match (Way::of(&step), step.tick) {
            (Some(way), _) if is_alone => Planned::Sweep(way),
            (None, Some(seconds)) if is_alone && step.command.is_none() && step.changes() == 0 => {
                Planned::Tick(seconds)
            }
            _ => Planned::Other(Arc::new(step)),
        }
    }
}

/// Where a sweep goes from where its mover is.
#[derive(Clone, Copy)]
pub(super) struct Way {
    pub(super) offset: Vec3,
    pub(super) rotation: Option<Quat>,
}

impl Way {
    /// The way of a step that is a sweep.
    pub(super) fn of(step: &Step) -> Option<Way> {
        let Step { offset, rotate: rotation, .. } = *step;
        let is_sweep = offset.is_some() || rotation.is_some();
        is_sweep.then(|| Way { offset: offset.unwrap_or_default().into(), rotation })
    }
}
