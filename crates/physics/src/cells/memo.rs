//! Sets that need not be built again.
//!
//! A set depends on which side of certain planes the spheres are. While one is built, the distances that decided
//! something are recorded. As long as no sphere moves across any of those planes, every comparison would have the same
//! result, and the set would be the same. A mover that settles, confirms and steps on in the middle of a room therefore
//! builds its set once, and one that goes to and fro at a threshold builds each of its sets once.

use super::{CellSet, Kept, OLDER, Touched};
use glam::{Vec3, Vec3A, Vec4};
use threshold_world::{CellId, Frame, World, geometry::Sphere};

/// Groups of four slanted planes a memo holds.
const MAX_GROUPS: usize = 2;
/// A sphere that moves farther than this along an axis is looked at anew, so that distant planes need not be kept.
const FAR: f32 = 8.0;
/// A normal whose part along an axis is at least this share of it counts as parallel to the axis.
const PARALLEL: f32 = 1.0 - 1e-5;

/// How far the second sphere may move against the first; less than what is taken off for rounding.
const RIGID: Vec4 = Vec4::new(1e-4, 1e-4, 1e-4, 0.0);

/// How far the spheres may move before the set may change.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slack {
    /// Limits along the axes.
    low: Vec3A,
    high: Vec3A,
    /// Each of the limits depends on one coordinate alone, to the bit.
    is_exact: bool,
    /// Coordinates that were computed with, for the rounding in them.
    largest: Vec3A,
    slanted: Slanted,
}

/// Planes that are parallel to no axis: a move must keep `x·dx + y·dy + z·dz ≥ −room` for each.
#[derive(Clone, Copy, Debug, Default)]
struct Slanted {
    count: usize,
    groups: [Group; MAX_GROUPS],
}

impl Slanted {
    #[inline]
    fn allows(&self, moved: Vec4) -> bool {
        (0..MAX_GROUPS).all(|i| self.count <= 4 * i || self.groups[i].allows(moved))
    }
}

/// Four planes side by side. The components of a normal add up to 1.
#[derive(Clone, Copy, Debug, Default)]
struct Group {
    x: [f32; 4],
    y: [f32; 4],
    z: [f32; 4],
    room: [f32; 4],
}

impl Group {
    const EMPTY: Group = Group { x: [0.0; 4], y: [0.0; 4], z: [0.0; 4], room: [FAR; 4] };

    #[inline]
    fn allows(&self, moved: Vec4) -> bool {
        let [x, y, z, room] = [self.x, self.y, self.z, self.room].map(Vec4::from_array);
        (x * moved.x + y * moved.y + z * moved.z + room).cmpge(Vec4::ZERO).all()
    }
}

impl Slack {
    pub(super) fn new() -> Slack {
        Slack {
            low: Vec3A::splat(-FAR),
            high: Vec3A::splat(FAR),
            is_exact: true,
            largest: Vec3A::ZERO,
            slanted: Slanted { count: 0, groups: [Group::EMPTY; MAX_GROUPS] },
        }
    }

    /// The set is to be recalled for these very spheres only.
    #[cold]
    pub(super) fn end(&mut self) {
        (self.low, self.high) = (Vec3A::INFINITY, Vec3A::NEG_INFINITY);
        self.is_exact = false;
    }

    /// A point was computed that a comparison depends on.
    #[inline]
    pub(super) fn involves(&mut self, point: Vec3) {
        self.largest = self.largest.max(Vec3A::from(point).abs());
    }

    /// Comparisons were decided by distances along the axes of a frame: a move must keep within these limits.
    #[inline]
    pub(super) fn narrow_box(&mut self, frame: &Frame, low: Vec3A, high: Vec3A) {
        if frame.is_quarter_turn() {
            let turned = |v: Vec3A| Vec3A::from(frame.rotate(v.into()));
            let (a, b) = (turned(low.max(Vec3A::splat(-FAR))), turned(high.min(Vec3A::splat(FAR))));
            self.narrow_axes(a.min(b), a.max(b));
            self.is_exact &= frame.is_axis_aligned();
        } else {
            for (i, axis) in Vec3::AXES.into_iter().enumerate() {
                let way = frame.rotate(axis);
                self.narrow(way, -low[i]);
                self.narrow(-way, high[i]);
            }
        }
    }

    /// Comparisons were decided by distances that depend on one coordinate each, to the bit.
    #[inline]
    pub(super) fn narrow_axes(&mut self, low: Vec3A, high: Vec3A) {
        (self.low, self.high) = (self.low.max(low), self.high.min(high));
    }

    /// A comparison was decided by this distance from a plane, or from one parallel to it.
    pub(super) fn narrow(&mut self, normal: Vec3, distance: f32) {
        let normal = Vec3A::from(normal);
        let length = normal.abs().element_sum();
        if length == 0.0 {
            return;
        }
        // Stored normals need not have unit length.
        if length.is_nan() || length < 0.9 || distance.is_nan() {
            return self.end();
        }
        let scale = 1.0 / length;
        let (way, room) = (normal * scale.copysign(distance), distance.abs() * scale);
        let (ahead, behind) = (way.cmpge(Vec3A::splat(PARALLEL)), way.cmple(Vec3A::splat(-PARALLEL)));
        if (ahead | behind).any() {
            self.is_exact = false;
            self.low = Vec3A::select(ahead, self.low.max(Vec3A::splat(-room)), self.low);
            self.high = Vec3A::select(behind, self.high.min(Vec3A::splat(room)), self.high);
        } else if room < FAR {
            self.keep_slanted(way, room);
        }
    }

    fn keep_slanted(&mut self, way: Vec3A, room: f32) {
        let i = self.slanted.count;
        let Some(group) = self.slanted.groups.get_mut(i / 4) else {
            // A move within a cube keeps within the room, as the components add up to 1.
            self.is_exact = false;
            return self.narrow_axes(Vec3A::splat(-room), Vec3A::splat(room));
        };
        (group.x[i % 4], group.y[i % 4], group.z[i % 4], group.room[i % 4]) = (way.x, way.y, way.z, room);
        self.slanted.count += 1;
    }
}

/// What a set was built from, and what came of it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Memo {
    /// No world's when there is nothing to recall.
    version: u64,
    seed: CellId,
    no_load: bool,
    count: usize,
    first: Vec4,
    /// The first again if there is no second.
    second: Vec4,
    /// How far the second may move against the first.
    rigid: Vec4,
    /// Limits of a move; none for the radius.
    low: Vec4,
    high: Vec4,
    slanted: Slanted,
    touched: Touched,
}

impl Memo {
    /// Whether all but the spheres is as it was.
    #[inline]
    fn applies(&self, world: &World, seed: CellId, no_load: bool, spheres: &[Sphere]) -> bool {
        self.version == world.version()
            && self.seed == seed
            && self.no_load == no_load
            && self.count == spheres.len()
    }

    /// Whether the spheres have kept within the slack.
    #[inline]
    fn allows(&self, spheres: &[Sphere]) -> bool {
        let [first, rest @ ..] = spheres else { return false };
        let moved = first.to_vec4() - self.first;
        let mut inside = moved.cmpge(self.low) & moved.cmple(self.high);
        if let [second] = rest {
            let shifted = second.to_vec4() - first.to_vec4() - (self.second - self.first);
            inside &= shifted.abs().cmple(self.rigid);
        }
        inside.all() && self.slanted.allows(moved)
    }

    /// Whether these are the very spheres it was built from, which need no slack.
    fn is_of(&self, spheres: &[Sphere]) -> bool {
        let (Some(first), Some(last)) = (spheres.first(), spheres.last()) else { return false };
        self.first == first.to_vec4() && self.second == last.to_vec4()
    }

    /// Lets a set that was built outdoors be recalled from another outdoor cell: it depends only on their block.
    fn reseed(&mut self, seed: CellId) {
        let is_land = |id: CellId| (1..=0x40).contains(&id.low());
        if is_land(seed) && is_land(self.seed) && seed.block() == self.seed.block() {
            self.seed = seed;
        }
    }

    /// There is nothing to recall.
    pub(super) fn forget(&mut self) {
        self.version = 0;
    }
}

impl CellSet {
    /// What the last set gave, when it would come out the same for these spheres.
    #[inline]
    pub(super) fn recall(&mut self, world: &World, seed: CellId, spheres: &[Sphere]) -> Option<Touched> {
        let memo = &self.now.memo;
        let is_same = memo.applies(world, seed, self.no_load, spheres) && memo.allows(spheres);
        is_same.then(|| {
            self.hidden = false;
            self.now.memo.touched
        })
    }

    /// Like [`CellSet::recall`] for all sets that are kept. The one that fits becomes the last one; if there is none, the
    /// oldest makes room.
    pub(super) fn recall_any(&mut self, world: &World, seed: CellId, spheres: &[Sphere]) -> Option<Touched> {
        let no_load = self.no_load;
        let fits = |kept: &mut Kept| {
            let memo = &mut kept.memo;
            memo.reseed(seed);
            memo.applies(world, seed, no_load, spheres) && (memo.allows(spheres) || memo.is_of(spheres))
        };
        if !fits(&mut self.now) {
            let Some(i) = self.older.iter_mut().take(self.recalled).position(fits) else {
                self.replace_oldest();
                return None;
            };
            std::mem::swap(&mut self.now, &mut self.older[i]);
        }
        self.hidden = false;
        Some(self.now.memo.touched)
    }

    /// Begins a set in place of the one that was kept longest, with room for as much as the last one has room for: sets
    /// that are kept in turn all grow to the size of the largest.
    fn replace_oldest(&mut self) {
        let oldest = &mut self.older[self.oldest];
        std::mem::swap(&mut self.now, oldest);
        self.recalled = self.recalled.max(self.oldest + 1);
        self.oldest = (self.oldest + 1) % OLDER;
        let (entries, missing) = (oldest.entries.capacity(), oldest.missing.capacity());
        self.clear();
        self.now.entries.reserve_exact(entries);
        self.now.missing.reserve_exact(missing);
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
        let largest = spheres.iter().fold(slack.largest, |most, s| most.max(Vec3A::from(s.center).abs()));
        let rounding = 1e-3 + 1e-5 * largest.max_element();
        let (mut low, mut high, mut rigid) = (slack.low + rounding, slack.high - rounding, RIGID);
        let allows_rest = (low.cmple(Vec3A::ZERO) & high.cmpge(Vec3A::ZERO)).all();
        if slack.is_exact && !allows_rest {
            // A coordinate that has not changed at all is within any limit.
            (low, high, rigid) = (low.min(Vec3A::ZERO), high.max(Vec3A::ZERO), Vec4::ZERO);
        }
        let ([first] | [first, _], Some(second)) = (spheres, spheres.last()) else { return };
        let mut slanted = slack.slanted;
        slanted.groups.iter_mut().flat_map(|group| &mut group.room).for_each(|room| *room -= rounding);
        self.now.memo = Memo {
            version: world.version(),
            seed,
            no_load: self.no_load,
            count: spheres.len(),
            first: first.to_vec4(),
            second: second.to_vec4(),
            rigid,
            low: low.extend(0.0),
            high: high.extend(0.0),
            slanted,
            touched,
        };
    }
}
