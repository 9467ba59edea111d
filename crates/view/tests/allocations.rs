//! A planner that has seen its worst frame allocates nothing.

mod support;
use std::sync::Arc;
use support::*;
use threshold_golden::world_dir;
use threshold_view::{Candidate, Contents, FramePlan, Options, Planner, Viewer};
use threshold_world::{
    CellId, Frame, Library, Position, Quat, World, geometry::Sphere, load_all, source::DatSource,
};

/// An object in every cell.
struct Somebody;

impl Contents for Somebody {
    fn parts(&self, cell: CellId, visit: &mut dyn FnMut(Candidate)) {
        for part in 0..3 {
            let center = v(90.0, 90.0, 20.0);
            visit(Candidate {
                object: cell.0,
                part,
                sphere: Some(Sphere { center, radius: 100.0 }),
                sort_center: center,
                origin: center,
                emitter: false,
            });
        }
    }
}

fn viewpoints(world: &World) -> Vec<Viewer> {
    let mut viewers = Vec::new();
    for id in world.block_ids() {
        let block = world.block_data(id).unwrap();
        let inside = block.env_cells.iter().flatten().map(|cell| {
            let bounds = cell.structure.bounds;
            (cell.id(), cell.position.frame.apply((bounds.min + bounds.max) / 2.0))
        });
        for (cell, eye) in inside.chain([(id.cell(0x13), v(60.0, 60.0, 30.0))]) {
            for yaw in [0.0, 80.0, 160.0, 240.0, 320.0] {
                let position = Position::new(cell, Frame::new(eye, Quat::from_heading(yaw)));
                viewers.push(Viewer { position, lens: square_lens(), player_cell: cell });
            }
        }
    }
    viewers
}

#[test]
fn a_warm_planner_does_not_allocate() {
    for name in ["cottage", "seam", "dungeon", "hostile"] {
        let source = DatSource::open(world_dir(name)).unwrap();
        let (world, _) = load_all(&Library::new(Arc::new(source))).unwrap();
        let viewers = viewpoints(&world);
        assert!(viewers.len() > 20);
        for options in [Options::RETAIL, Options::REPAIRED] {
            let mut planner = Planner::new(options);
            let mut plan = FramePlan::default();
            let mut tour = || {
                for viewer in &viewers {
                    planner.plan(&world, &Somebody, viewer, &mut plan);
                    assert!(!plan.steps.is_empty());
                }
            };
            tour();
            let warm = allocation_counter::measure(tour);
            assert_eq!(warm.count_total, 0, "{name}");
        }
    }
}
