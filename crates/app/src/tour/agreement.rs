//! What is planned for somebody who only asks, and what is drawn: the same objects, everywhere on the tour.

use super::{SAMPLE_ROUTE, Tour};
use std::collections::{BTreeMap, BTreeSet};
use threshold_sim::{Simulation, SimulationView};
use threshold_view::{FramePlan, Lens, Step};

/// Ticks from one comparison to the next.
const EVERY: usize = 10;

/// Objects that the steps of a plan draw.
fn drawn(plan: &FramePlan) -> BTreeSet<u32> {
    let lists = plan.steps.iter().filter_map(|step| match step {
        Step::Objects { parts, .. } => Some(&plan.parts[parts.range()]),
        _ => None,
    });
    lists.flatten().map(|part| part.object).collect()
}

#[test]
fn view_and_render_agree_on_every_object_of_the_tour() {
    let lens = Lens::new(60f32.to_radians(), 96, 54).unwrap();
    let mut tour = Tour::begin(Simulation::sample().unwrap(), lens).unwrap();
    let mut view = SimulationView::new(&tour.sim);
    let (mut plan, mut tick, mut frames, mut seen) = (FramePlan::default(), 0, 0, 0);
    let mut ladders = 0;
    for leg in SAMPLE_ROUTE {
        tour.walk(leg).unwrap();
        view.follow(&tour.sim);
        let stage = &view.studio.stage;
        let keys: Vec<_> = tour.sim.scene().entities().map(|(key, _)| key).collect();
        let numbers: BTreeMap<u32, u32> =
            keys.iter().filter_map(|key| Some((stage.object_of(key.id())?, key.number()))).collect();
        while let Some(line) = tour.lines.get(tick) {
            let player = line.player();
            let viewer = tour.viewer_of(&player);
            tour.sim.plan(&viewer, &mut plan);
            view.frame(&tour.sim, &viewer, &player);
            let planned = drawn(&plan);
            // Particles are the stage's own.
            let shown = drawn(view.studio.plan());
            let shown: BTreeSet<u32> = shown.iter().filter_map(|id| numbers.get(id).copied()).collect();
            let model = |number: &u32| {
                let key = keys.iter().find(|key| key.number() == *number);
                key.and_then(|key| tour.sim.scene().get(*key)).map(|entity| entity.model.id)
            };
            let only = |a: &BTreeSet<u32>, b: &BTreeSet<u32>| a.difference(b).map(model).collect::<Vec<_>>();
            assert!(
                planned == shown,
                "tick {tick} at {player}: only view has {:?}, only render has {:?}",
                only(&planned, &shown),
                only(&shown, &planned)
            );
            let houses = |plan: &FramePlan| -> Vec<_> {
                plan.buildings.iter().map(|house| (house.cell, house.index, house.mesh)).collect()
            };
            assert_eq!(houses(&plan), houses(view.studio.plan()), "tick {tick} at {player}");
            frames += 1;
            seen += shown.len();
            tick += EVERY;
        }
        let has_ladder = |key: &&threshold_sim::EntityKey| {
            let parts = tour.sim.scene().get(**key).map(|entity| entity.model.parts.iter());
            parts.into_iter().flatten().any(|part| part.mesh.as_ref().is_some_and(|m| m.ladder.is_some()))
        };
        ladders = ladders.max(keys.iter().filter(has_ladder).count());
    }
    assert!(frames > 300 && seen > 20 * frames, "{seen} objects in {frames} frames");
    assert!(ladders > 20, "{ladders} objects look different from afar");
}
