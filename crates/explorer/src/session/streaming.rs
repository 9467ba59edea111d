//! What is loaded around the player or the flying eye, by background threads.

use crate::data::Data;
use std::{sync::Arc, thread, time::Duration};
use threshold_physics::Scene;
use threshold_world::{
    Library, Position, Problem, World,
    stream::{Observer, ObserverId, StreamConfig, StreamStatus, Streamer},
};

/// Keeps world and scene loaded around a place.
pub(super) struct Streaming {
    streamer: Streamer,
    /// The player or the flying eye.
    focus: ObserverId,
    library: Arc<Library>,
    pub(super) status: StreamStatus,
    pub(super) problems: Vec<Problem>,
}

impl Streaming {
    pub(super) fn new(data: &Data, config: StreamConfig) -> Streaming {
        let library = data.library.clone();
        let mut streamer = Streamer::new(library.clone(), config);
        Streaming {
            focus: streamer.add(Observer::Nowhere),
            streamer,
            library,
            status: StreamStatus::Holding,
            problems: Vec::new(),
        }
    }

    /// Takes over what the threads have finished; never waits for them.
    pub(super) fn update(&mut self, world: &mut World, scene: &mut Scene, focus: &Position) {
        self.streamer.set(self.focus, Observer::At(*focus));
        let report = self.streamer.tick(world);
        self.status = report.status;
        self.problems.extend(report.problems);
        let library = &self.library;
        scene.follow(world, &report.events, &mut |id| library.model(id).ok().flatten());
    }

    /// Waits until everything around a place is there.
    pub(super) fn settle(&mut self, world: &mut World, scene: &mut Scene, focus: &Position) -> bool {
        for _ in 0..60_000 {
            self.update(world, scene, focus);
            if self.status == StreamStatus::Settled {
                return true;
            }
            thread::sleep(Duration::from_millis(1));
        }
        false
    }
}
