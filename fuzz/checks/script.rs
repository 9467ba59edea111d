//! What must hold for any scenario and any capture.

use std::{cell::RefCell, sync::Arc};
use threshold_scenario::{Replay, Scenario, Stage, Tolerance, Walk};
use threshold_world::{Library, source::DatSource};

/// Steps and objects of a scenario that are played; what one of them does is the question, not how many there are.
const MAX_STEPS: usize = 40;
const MAX_ENTITIES: usize = 20;

fn stage() -> Stage {
    let source = DatSource::open(threshold_golden::world_dir("cottage")).expect("a golden world");
    Stage::load(Library::new(Arc::new(source))).expect("it loads")
}

thread_local! {
    static STAGE: RefCell<Stage> = RefCell::new(stage());
}

/// Plays any scenario: the mover is always somewhere finite, in a loaded cell or lost.
pub(crate) fn scenario(data: &[u8]) {
    let Ok(mut scenario) = serde_json::from_slice::<Scenario>(data) else { return };
    scenario.steps.truncate(MAX_STEPS);
    scenario.entities.truncate(MAX_ENTITIES);
    STAGE.with_borrow_mut(|stage| {
        let before = (stage.scene.len(), stage.world.version());
        if let Ok(mut walk) = Walk::begin(stage, scenario) {
            while let Some(Ok(line)) = walk.next_line() {
                assert!(line.origin.iter().chain(&line.velocity).all(|x| x.is_finite()), "{line:?}");
                // A placement that failed leaves the mover nowhere yet.
                let is_somewhere = walk.stage().world.cell(line.cell).is_some();
                assert!(line.lost || !line.ok || is_somewhere, "{line:?}");
            }
        }
        stage.reset();
        assert!(
            stage.scene.len() <= before.0 && stage.world.version() == before.1,
            "something stayed behind"
        );
    });
}

/// Re-runs any lines as recorded sweeps.
pub(crate) fn capture(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    STAGE.with_borrow_mut(|stage| {
        let mut replay = Replay::new(stage, Tolerance::default());
        for line in text.lines().take(MAX_ENTITIES) {
            if let Ok(replayed) = replay.line(line) {
                assert!(!replayed.origin_error.is_nan() || !replayed.differences.is_empty(), "{replayed:?}");
            }
        }
        for (_, entity) in stage.scene.entities() {
            assert!(entity.position.frame.is_finite() && entity.velocity.is_finite(), "{entity:?}");
        }
        stage.reset();
    });
}
