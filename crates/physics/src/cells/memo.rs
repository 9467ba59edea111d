//! Sets that need not be built again.
//!
//! A set depends on comparisons of distances with thresholds. While one is built, the smallest distance to any
//! threshold is recorded: as long as no sphere has moved farther than that, every comparison would have the same result,
//! and the set would be the same. A mover that settles, confirms and steps on in the middle of a room therefore
//! builds its set once. Distances along an axis are recorded separately: a mover on a level floor is always very close
//! to the cell below it, and a mover along a border to the cell behind it.

use super::{CellSet, Touched};
use glam::{Vec3, Vec4};
use threshold_world::{CellId, World, geometry::Sphere};

/// Most spheres a memo holds.
const MAX_SPHERES: usize = 2;

/// How far the spheres may move before the set may change.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slack {
    any_way: f32,
    along: Vec3,
}

/// The smaller one; written so that a NaN ends all slack.
#[inline]
fn narrowed(slack: f32, distance: f32) -> f32 {
    if distance.abs() >= slack { slack } else { distance.abs() }
}

impl Slack {
    pub(super) fn unlimited() -> Slack {
        Slack { any_way: f32::INFINITY, along: Vec3::INFINITY }
    }

    /// A comparison was decided by this distance.
    #[inline]
    pub(super) fn narrow(&mut self, distance: f32) {
        self.any_way = narrowed(self.any_way, distance);
    }

    /// A comparison was decided by these distances, each of which depends on one coordinate alone.
    #[inline]
    pub(super) fn narrow_along(&mut self, distances: Vec3) {
        self.along.x = narrowed(self.along.x, distances.x);
        self.along.y = narrowed(self.along.y, distances.y);
        self.along.z = narrowed(self.along.z, distances.z);
    }

    /// A comparison was decided by this height.
    #[inline]
    pub(super) fn narrow_height(&mut self, distance: f32) {
        self.along.z = narrowed(self.along.z, distance);
    }
}

/// What a set was built from, and what came of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Memo {
    version: u64,
    seed: CellId,
    no_load: bool,
    count: usize,
    /// Centre and radius of each.
    spheres: [Vec4; MAX_SPHERES],
    slack_sq: f32,
    /// A coordinate that has not changed at all is within any slack. There is none for the radius.
    along: Vec4,
    touched: Touched,
}

/// Centre and radius side by side.
#[inline]
fn side_by_side(sphere: &Sphere) -> Vec4 {
    sphere.center.extend(sphere.radius)
}

impl Memo {
    #[inline]
    fn covers(&self, now: &Sphere, then: Vec4) -> bool {
        let moved = side_by_side(now) - then;
        (moved.abs().cmplt(self.along) | moved.cmpeq(Vec4::ZERO)).all()
            && moved.length_squared() < self.slack_sq
    }
}

impl CellSet {
    /// What the last set gave, when it would come out the same for these spheres.
    #[inline]
    pub(super) fn recall(&mut self, world: &World, seed: CellId, spheres: &[Sphere]) -> Option<Touched> {
        let memo = self.memo.as_ref()?;
        let same = memo.version == world.version()
            && memo.seed == seed
            && memo.no_load == self.no_load
            && memo.count == spheres.len()
            && spheres.iter().zip(memo.spheres).all(|(now, then)| memo.covers(now, then));
        if !same {
            return None;
        }
        self.hidden = false;
        Some(memo.touched)
    }

    /// Keeps what was built. Rounding in the comparisons is taken off the slack, generously.
    pub(super) fn remember(
        &mut self,
        world: &World,
        seed: CellId,
        spheres: &[Sphere],
        slack: Slack,
        touched: Touched,
    ) {
        let largest = spheres.iter().fold(Vec3::ZERO, |most, s| most.max(s.center.abs())).max_element();
        let rounding = 1e-3 + 1e-5 * largest;
        let any_way = slack.any_way - rounding;
        if spheres.len() > MAX_SPHERES || any_way.is_nan() || any_way <= 0.0 {
            self.memo = None;
            return;
        }
        let mut kept = [Vec4::ZERO; MAX_SPHERES];
        kept.iter_mut().zip(spheres).for_each(|(kept, sphere)| *kept = side_by_side(sphere));
        self.memo = Some(Memo {
            version: world.version(),
            seed,
            no_load: self.no_load,
            count: spheres.len(),
            spheres: kept,
            slack_sq: any_way * any_way,
            along: (slack.along - rounding).extend(0.0),
            touched,
        });
    }
}
