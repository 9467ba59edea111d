//! Sets that need not be built again.
//!
//! A set depends on comparisons of distances with thresholds. While one is built, the smallest distance to any
//! threshold is kept: as long as no sphere has moved farther than that, every comparison would go the same way again,
//! and the same set would come out. A mover that settles, confirms and steps on in the middle of a room therefore
//! builds its set once.

use super::{CellSet, Touched};
use glam::Vec3;
use threshold_world::{CellId, World, geometry::Sphere};

/// Most spheres a memo holds.
const MAX_SPHERES: usize = 2;

/// How far the spheres may move before the set may change.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slack(f32);

impl Slack {
    pub(super) fn unlimited() -> Slack {
        Slack(f32::INFINITY)
    }

    /// A comparison was decided by this distance.
    #[inline]
    pub(super) fn narrow(&mut self, distance: f32) {
        // Written so that a NaN ends all slack.
        self.0 = if distance.abs() >= self.0 { self.0 } else { distance.abs() };
    }
}

/// What a set was built from, and what came of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Memo {
    version: u64,
    seed: CellId,
    no_load: bool,
    count: usize,
    spheres: [Sphere; MAX_SPHERES],
    slack_sq: f32,
    touched: Touched,
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
            && spheres.iter().zip(&memo.spheres).all(|(now, then)| {
                now.radius == then.radius && now.center.distance_squared(then.center) < memo.slack_sq
            });
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
        let slack = slack.0 - (1e-3 + 1e-5 * largest);
        if spheres.len() > MAX_SPHERES || slack.is_nan() || slack <= 0.0 {
            self.memo = None;
            return;
        }
        let mut kept = [Sphere::default(); MAX_SPHERES];
        kept[..spheres.len()].copy_from_slice(spheres);
        self.memo = Some(Memo {
            version: world.version(),
            seed,
            no_load: self.no_load,
            count: spheres.len(),
            spheres: kept,
            slack_sq: slack * slack,
            touched,
        });
    }
}
