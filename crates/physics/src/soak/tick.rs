//! A tick of everything, with every sweep watched on its way into the lists.

use super::run::Soak;
use crate::{
    State,
    cells::CellEntry,
    movement::Controls,
    random::Random,
    scene::{EntityKey, Scene},
    script::Stage,
};
use std::time::Instant;
use threshold_world::{CellId, Quat};

/// Seconds.
pub(super) const TICK: f64 = 1.0 / 30.0;
/// Ticks for which the same keys are held, on average.
const HOLD: usize = 12;

/// A committed sweep as the sweep itself reports it.
struct Report {
    key: EntityKey,
    cell: Option<CellId>,
    cells: Vec<CellEntry>,
    missing: Vec<CellId>,
}

impl Soak {
    pub(super) fn tick(&mut self) -> &'static str {
        let Stage { world, scene, .. } = &mut self.stage;
        for (&key, (controller, controls)) in &mut self.controllers {
            if self.random.once_in(HOLD) {
                *controls = random_keys(&mut self.random);
            }
            // The key is there.
            let jumped = controller.drive(scene, key, controls, TICK).unwrap_or(false);
            self.stats.jumps += u64::from(jumped);
        }
        let headings = headings(scene);
        let mut reports = Vec::new();
        let begin = Instant::now();
        let ticked = scene.tick_all_watched(world, TICK, &mut |sweep| {
            if sweep.outcome.ok {
                let (cells, missing) = (sweep.cells.to_vec(), sweep.missing.to_vec());
                reports.push(Report { key: sweep.entity, cell: sweep.outcome.cell, cells, missing });
            }
        });
        self.last_tick = begin.elapsed();
        self.stats.ticks += 1;
        self.stats.sweeps += ticked.map_or(0, |report| report.sweeps as u64);
        for Report { key, cell, cells, missing } in &reports {
            self.expected.swept(world, scene, *key, cells, missing);
            let lists_own = cell.is_none_or(|cell| cells.iter().any(|entry| entry.id == cell));
            if !(cells.is_empty() || lists_own) {
                let what =
                    format!("{key:?} is in {cell:?}, which is not among the cells of its sweep {cells:?}");
                self.fault.get_or_insert(what);
            }
        }
        // What turned without a sweep stays registered as it was.
        for (key, heading) in headings {
            let turned = scene.get(key).is_some_and(|e| e.position.frame.rotation() != heading);
            if turned && !reports.iter().any(|report| report.key == key) {
                self.expected.shape_changed(key);
            }
        }
        "tick"
    }
}

fn headings(scene: &Scene) -> Vec<(EntityKey, Quat)> {
    let moving = scene.entities().filter(|(_, entity)| !entity.state.contains(State::STATIC));
    moving.map(|(key, entity)| (key, entity.position.frame.rotation())).collect()
}

fn random_keys(random: &mut Random) -> Controls {
    let bits = random.next();
    let held = |bit: u32| bits >> bit & 1 == 1;
    Controls {
        forward: held(0) || held(1),
        back: held(2) && held(3),
        left: held(4) && held(5),
        right: held(6) && held(7),
        turn_left: held(8),
        turn_right: held(9),
        other_gait: held(10),
        jump: held(11),
    }
}
