//! What must hold for any scenario and any capture.

use std::{cell::RefCell, sync::Arc};
use threshold_scenario::{Detached, Replay, Script, Setting, Tolerance, Walk};
use threshold_world::{Library, source::DatSource};

/// Steps and objects of a scenario that are played; what one of them does is the question, not how many there are.
const MAX_STEPS: usize = 40;
const MAX_ENTITIES: usize = 20;

fn setting(world: &str) -> Setting {
    let source = DatSource::open(threshold_golden::world_dir(world)).expect("a golden world");
    Setting::load(Library::new(Arc::new(source))).expect("it loads")
}

thread_local! {
    static SETTING: RefCell<Setting> = RefCell::new(setting("cottage"));
    /// The same house, and motion tables.
    static MOTIONS: RefCell<Setting> = RefCell::new(setting("motions"));
}

/// Plays any scenario: the mover is always somewhere finite, in a loaded cell or lost.
pub(crate) fn scenario(data: &[u8]) {
    let mut scenario = match Script::from_json(data) {
        Ok(Script::World(scenario)) => scenario,
        Ok(Script::Detached(mut scenario)) => {
            scenario.steps.truncate(MAX_STEPS);
            return MOTIONS.with_borrow(|setting| {
                let Ok(mut detached) = Detached::begin(&setting.library, scenario) else { return };
                while let Some(line) = detached.next_line() {
                    assert!(line.motion.is_some_and(|motion| motion.frame.is_finite()));
                }
            });
        }
        Err(_) => return,
    };
    scenario.steps.truncate(MAX_STEPS);
    scenario.entities.truncate(MAX_ENTITIES);
    let setting = if scenario.has_motion() { &MOTIONS } else { &SETTING };
    setting.with_borrow_mut(|setting| {
        let before = (setting.scene.len(), setting.world.version());
        if let Ok(mut walk) = Walk::begin(setting, scenario) {
            while let Some(Ok(line)) = walk.next_line() {
                assert!(line.origin.iter().chain(&line.velocity).all(|x| x.is_finite()), "{line:?}");
                // A placement that failed leaves the mover nowhere yet.
                let is_somewhere = walk.setting().world.cell(line.cell).is_some();
                assert!(line.lost || !line.ok || is_somewhere, "{line:?}");
            }
        }
        setting.reset();
        assert!(
            setting.scene.len() <= before.0 && setting.world.version() == before.1,
            "something stayed behind"
        );
    });
}

/// Re-runs any lines as recorded sweeps.
pub(crate) fn capture(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    SETTING.with_borrow_mut(|setting| {
        let mut replay = Replay::new(setting, Tolerance::default());
        for line in text.lines().take(MAX_ENTITIES) {
            if let Ok(replayed) = replay.line(line) {
                assert!(!replayed.origin_error.is_nan() || !replayed.differences.is_empty(), "{replayed:?}");
            }
        }
        for (_, entity) in setting.scene.entities() {
            assert!(entity.position.frame.is_finite() && entity.velocity.is_finite(), "{entity:?}");
        }
        setting.reset();
    });
}
