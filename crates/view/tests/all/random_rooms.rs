//! Random houses of convex rooms, both ways: what a ray meets is planned, and what is planned a ray meets.
//! Spec: visibility §16, example 60.

use crate::{houses, oracle, sanity, support};
use houses::house_plan;
use oracle::{Oracle, is_sliver, missing};
use proptest::prelude::*;
use sanity::assert_sane;
use support::*;
use threshold_view::{Options, Viewer, camera::orientation};
use threshold_world::{Frame, Position};

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn plans_and_rays_agree(
        plan in house_plan(),
        root in any::<prop::sample::Index>(),
        (px, py, pz) in (0.02f32..0.98, 0.02f32..0.98, 0.1f32..2.9),
        (yaw, pitch) in (0.0f32..360.0, -25.0f32..25.0),
    ) {
        let world = block(plan.rooms()).world();
        let boxes = plan.boxes();
        let index = root.index(boxes.len());
        let [west, east, south, north] = boxes[index];
        let eye = plan.frame().apply(v(west + (east - west) * px, south + (north - south) * py, pz));
        let cell = id(R0 + index as u16);
        let position = Position::new(cell, Frame::new(eye, orientation(yaw, pitch)));
        let seen = plan_with(Options::REPAIRED, &world, &Viewer { position, lens: square_lens(), player_cell: cell });
        assert_sane(&seen);
        prop_assert!(!seen.truncated, "a well-formed house needs no guard");
        let oracle = Oracle::new(&world);

        for n in 0..400 {
            let pixel = Vec2::new((n % 20) as f32 * 30.0 + 15.0 + px, (n / 20) as f32 * 30.0 + 15.0 + py);
            let trace = oracle.trace(cell, &oracle.ray(&seen, cell, pixel));
            if let Some(what) = missing(&seen, &trace, pixel) {
                prop_assert!(is_sliver(&seen, cell, &trace), "{} at {}: {:?}", what, pixel, trace.inside);
            }
        }
        for planned in seen.interior_cells() {
            for view in seen.views(planned.views) {
                let corners = seen.pixels(view);
                let center = corners.iter().sum::<Vec2>() / corners.len() as f32;
                // Up to two pixels from the corners: what is stored is exact to one.
                for &corner in corners.iter().filter(|corner| corner.distance(center) > 4.0) {
                    let pixel = corner + (center - corner).normalize() * 3.0;
                    if !oracle::contains(corners, pixel, -1.5) {
                        continue;
                    }
                    let trace = oracle.trace(cell, &oracle.ray(&seen, cell, pixel));
                    prop_assert!(trace.inside.contains(&planned.id), "{} is not seen at {}", planned.id, pixel);
                }
            }
        }
        // Drawing order: a cell stands before those seen through it.
        let place = |low: u16| draw(&seen).iter().position(|&l| l == low);
        for planned in seen.interior_cells() {
            for view in seen.views(planned.views) {
                if let threshold_view::Via::Cell { cell: through, .. } = view.via {
                    prop_assert!(place(through.low()) < place(planned.id.low()), "{} through {}", planned.id, through);
                }
            }
        }
    }
}
