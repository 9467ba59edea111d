//! A camera that follows the tour in steps of a centimetre: no frame lacks a cell that rays still hit.

#[path = "../../view/tests/support/oracle.rs"]
mod oracle;

use glam::{Vec2, Vec3};
use oracle::{Oracle, is_sliver, missing};
use rayon::prelude::*;
use serde::Deserialize;
use std::{fs, process::Command, sync::Arc};
use threshold_physics::{Scene, Sweeper, scene::camera, sweep::SweepInput};
use threshold_view::{FramePlan, Lens, Planner, Root, Viewer, camera::PIVOT_HEIGHT};
use threshold_world::{CellId, Frame, Library, Position, Quat, World, coords::block_offset, load_all};

/// Longest step of the camera in metres.
const STEP: f32 = 0.01;
/// Rays per frame, on a grid that moves from frame to frame.
const COLUMNS: usize = 4;
const ROWS: usize = 3;
/// Farther apart than this in one tick, the player was teleported.
const TELEPORT: f32 = 2.0;

/// What the test needs of a line of `tour.jsonl`.
#[derive(Deserialize)]
struct Tick {
    cell: CellId,
    origin: [f32; 3],
    rotation: Quat,
    viewer_cell: CellId,
}

impl Tick {
    /// The eye, in the block coordinates of its own cell.
    fn eye(&self) -> Position {
        let origin = Vec3::from(self.origin) + Vec3::new(0.0, 0.0, PIVOT_HEIGHT);
        let origin = origin - block_offset(self.cell, self.viewer_cell);
        Position::new(self.viewer_cell, Frame::new(origin, self.rotation))
    }
}

fn ticks() -> Vec<Tick> {
    let dir = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_threshold"))
        .args(["tour", "--out"])
        .arg(dir.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = fs::read_to_string(dir.path().join("tour.jsonl")).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn sample() -> World {
    let built = threshold_sample::build().unwrap();
    let source = built.source().unwrap();
    load_all(&Library::new(Arc::new(source))).unwrap().0
}

/// Frames and rays of a stretch of the way.
#[derive(Default)]
struct Seen {
    frames: usize,
    indoors: usize,
    rays: usize,
    slivers: usize,
}

/// A camera between two ticks.
struct Follower<'w> {
    world: &'w World,
    oracle: &'w Oracle<'w>,
    /// Doors stand open: what moves does not hide anything.
    scene: Scene,
    sweeper: Sweeper,
    planner: Planner,
    plan: FramePlan,
    lens: Lens,
}

impl<'w> Follower<'w> {
    fn new(world: &'w World, oracle: &'w Oracle<'w>) -> Self {
        Follower {
            world,
            oracle,
            scene: Scene::new(),
            sweeper: Sweeper::new(),
            planner: Planner::default(),
            plan: FramePlan::default(),
            lens: Lens::new(60f32.to_radians(), 640, 360).unwrap(),
        }
    }

    /// Looks from every centimetre between two ticks; the camera's cell is carried by its own sweep.
    fn follow(&mut self, from: &Tick, to: &Tick, number: usize, seen: &mut Seen) {
        let (mut at, end) = (from.eye(), to.eye());
        let whole = at.offset_to(&end);
        let steps = (whole.length() / STEP).ceil().max(1.0) as usize;
        for i in 0..steps {
            self.look(&at, number + i, seen);
            let part = (i + 1) as f32 / steps as f32;
            let rotation = from.rotation.interpolate(to.rotation, part);
            let mut next = at;
            next.frame = Frame::new(at.frame.origin + whole / steps as f32, rotation);
            let input = SweepInput::new(camera(), &at, &next);
            let swept = self.sweeper.sweep(self.world, &self.scene, input, None);
            let held =
                swept.ok().filter(|swept| swept.ok && swept.cell.is_some()).map(|swept| swept.position);
            // Where there is no room for the camera's sphere its point is seated, as for the tour's own eye.
            let held = held.or_else(|| self.world.reseat(&next, Vec3::ZERO));
            let held = held.unwrap_or_else(|| panic!("the camera was lost between {at} and {next}"));
            at = Position::new(held.cell, Frame::new(held.frame.origin, rotation));
        }
    }

    fn look(&mut self, at: &Position, number: usize, seen: &mut Seen) {
        let viewer = Viewer { position: *at, lens: self.lens, player_cell: at.cell };
        self.planner.plan(self.world, &(), &viewer, &mut self.plan);
        let plan = &self.plan;
        assert!(
            matches!(plan.root, Root::Outdoor(cell) | Root::Interior(cell) if cell == at.cell),
            "the root at {at} is {:?}",
            plan.root
        );
        seen.frames += 1;
        seen.indoors += usize::from(at.cell.is_interior());
        let size = plan.projection.unwrap().size;
        let tile = size / Vec2::new(COLUMNS as f32, ROWS as f32);
        let shift = Vec2::new((number % 53) as f32 / 53.0, (number % 47) as f32 / 47.0);
        for i in 0..COLUMNS * ROWS {
            let pixel = (Vec2::new((i % COLUMNS) as f32, (i / COLUMNS) as f32) + shift) * tile;
            let trace = self.oracle.trace(at.cell, &self.oracle.ray(plan, at.cell, pixel));
            seen.rays += 1;
            if let Some(what) = missing(plan, &trace, pixel) {
                assert!(is_sliver(plan, at.cell, &trace), "{what} is missing at {pixel} from {at}");
                seen.slivers += 1;
            }
        }
    }
}

#[test]
fn along_the_whole_tour_no_frame_lacks_what_rays_hit() {
    let (ticks, world) = (ticks(), sample());
    let oracle = Oracle::new(&world);
    let pairs: Vec<(usize, &[Tick])> = ticks.windows(2).enumerate().collect();
    let stretches = pairs.par_chunks(64).map(|pairs| {
        let mut follower = Follower::new(&world, &oracle);
        let mut seen = Seen::default();
        for (number, pair) in pairs {
            let apart = pair[0].eye().distance_to(&pair[1].eye());
            if apart < TELEPORT {
                follower.follow(&pair[0], &pair[1], *number, &mut seen);
            }
        }
        seen
    });
    let all = stretches.reduce(Seen::default, |a, b| Seen {
        frames: a.frames + b.frames,
        indoors: a.indoors + b.indoors,
        rays: a.rays + b.rays,
        slivers: a.slivers + b.slivers,
    });
    println!("{} frames, {} indoors, {} rays, {} slivers", all.frames, all.indoors, all.rays, all.slivers);
    assert!(all.frames > 50_000 && all.indoors > 10_000, "{} frames, {} indoors", all.frames, all.indoors);
    assert!(all.slivers * 1000 < all.rays, "too many excuses: {} of {}", all.slivers, all.rays);
}
