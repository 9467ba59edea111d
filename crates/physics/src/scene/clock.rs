//! The scene's clock, and the one rule about time.

use super::{Scene, SceneError};

impl Scene {
    /// Advances time. A negative amount counts as 0.
    ///
    /// The clock moves here and nowhere else; updating an object never moves it. The rule:
    ///
    /// - The owner of a scene runs it in fixed ticks of [`MIN_QUANTUM`](super::MIN_QUANTUM): it accumulates real time until
    ///   a tick fits, advances the clock once by a tick, and updates every object once, with [`Scene::update_all`] or one
    ///   by one with [`Scene::update`]. Shorter ticks are possible but unlike the original, which does nothing before a
    ///   thirtieth of a second has passed: in very short steps nothing ever begins to fall.
    /// - An update catches up with the clock: it makes the steps that the original makes for the time since that object's
    ///   own last update. Up to [`MAX_QUANTUM`](super::MAX_QUANTUM) that is one step. A longer time is cut into steps of
    ///   that length; a remainder of at most `MIN_QUANTUM` stays for the next update.
    /// - A gap of more than [`HUGE_QUANTUM`](super::HUGE_QUANTUM) is dropped: the object continues from now. So does one that
    ///   enters the world (again), or comes into the range of a viewer ([`Scene::set_viewers`]).
    ///
    /// Retail: `CPhysics::UseTime`, `CPhysicsObj::update_object`. Spec: physics-objects §8.3.
    pub fn advance_clock(&mut self, seconds: f64) -> Result<(), SceneError> {
        if !seconds.is_finite() {
            return Err(SceneError::NotFinite("time"));
        }
        self.now += seconds.max(0.0);
        self.locate_viewers();
        Ok(())
    }

    /// Seconds since the scene began.
    pub fn now(&self) -> f64 {
        self.now
    }
}
