//! The mesh of a block: rectangles of places between which a body can go straight, and the links between them.

use crate::lattice::{Lattice, Spot, on_ground};
use glam::{Vec2, Vec3};
use serde::{Deserialize, Serialize};
use threshold_world::{BlockId, CellId, Frame, Position, World};

/// Rectangles are found by squares with this many points of the lattice to a side.
const BUCKET: i16 = 48;
/// Patches this near to the border of their block, in points of the lattice, may be come to from another one.
const BORDER: i16 = 4;

/// How the places of a patch are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PatchKind {
    /// Open ground; heights are the land's.
    Open,
    /// Places on the lattice, each with its height.
    Lattice,
    /// One place off the lattice.
    Single,
}

/// A rectangle of places in one cell; a body can go straight from any of them to any other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Patch {
    pub(crate) spot: Spot,
    /// Points from west to east, and from south to north.
    pub(crate) w: u8,
    pub(crate) h: u8,
    /// Number of the cell in the block.
    pub(crate) cell: u16,
    pub(crate) kind: PatchKind,
    /// It lies in water.
    pub(crate) is_wet: bool,
    /// First of its heights, or of the three coordinates of a single place.
    pub(crate) data: u32,
    /// First of its links; they end where those of the next patch begin.
    pub(crate) links: u32,
}

/// Where a link leaves its patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Side {
    /// Across a border, 0 to 3 from east to south: from any of the points `lo` to `hi` along it.
    Border(u8),
    /// From one point to one point.
    Point,
}

/// A way from a patch to another one, in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Link {
    pub(crate) to: u32,
    /// First point along the border, or the point that it leaves from.
    pub(crate) lo: u16,
    /// Last point along the border, or the point that it leads to.
    pub(crate) hi: u16,
    /// Number of the door or portal in its block plus one.
    pub(crate) door: u16,
    pub(crate) side: Side,
    /// Decimetres that one falls.
    pub(crate) drop: u8,
}

/// A step into another block, to be resolved when both are known.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ExitPoint {
    pub(crate) patch: u32,
    pub(crate) point: u16,
    pub(crate) to: CellId,
    pub(crate) origin: Vec3,
    pub(crate) door: u16,
    pub(crate) drop: u8,
}

/// The mesh of a block.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BlockMesh {
    pub(crate) block: BlockId,
    pub(crate) pitch: f32,
    pub(crate) sole: f32,
    /// What it cost to build, counted in sweeps.
    pub(crate) work: u32,
    pub(crate) patches: Box<[Patch]>,
    pub(crate) links: Box<[Link]>,
    pub(crate) heights: Box<[f32]>,
    /// By the patches that they leave from.
    pub(crate) exits: Box<[ExitPoint]>,
    /// Game ids of doors and portals.
    pub(crate) doors: Box<[u32]>,
    /// Patches by the square they lie in.
    #[serde(skip)]
    pub(crate) buckets: Box<[(i16, i16, u32)]>,
    /// Places were omitted because there were too many.
    pub is_cut: bool,
}

/// A place of a patch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Found {
    pub(crate) patch: u32,
    pub(crate) point: u16,
    pub(crate) distance: f32,
}

impl Patch {
    /// The point of the patch nearest to a spot.
    pub(crate) fn nearest(&self, spot: Spot) -> u16 {
        let along = |v: i16, from: i16, count: u8| {
            i32::from(v).saturating_sub(from.into()).clamp(0, i32::from(count) - 1) as u16
        };
        along(spot.j, self.spot.j, self.h) * u16::from(self.w) + along(spot.i, self.spot.i, self.w)
    }

    pub(crate) fn spot_of(&self, point: u16) -> Spot {
        let w = u16::from(self.w.max(1));
        Spot {
            i: self.spot.i.saturating_add((point % w) as i16),
            j: self.spot.j.saturating_add((point / w) as i16),
        }
    }

    /// Number of a spot of the patch.
    pub(crate) fn point_of(&self, spot: Spot) -> u16 {
        self.nearest(spot)
    }
}

impl BlockMesh {
    /// A block in which nobody can stand.
    pub(crate) fn empty(block: BlockId, pitch: f32) -> BlockMesh {
        BlockMesh {
            block,
            pitch,
            sole: 0.0,
            work: 0,
            patches: Box::default(),
            links: Box::default(),
            heights: Box::default(),
            exits: Box::default(),
            doors: Box::default(),
            buckets: Box::default(),
            is_cut: false,
        }
    }

    /// Finds out which squares its patches lie in.
    pub(crate) fn sort_into_buckets(&mut self) {
        let mut buckets: Vec<(i16, i16, u32)> = Vec::new();
        for (index, patch) in (0..).zip(&self.patches) {
            buckets.extend(buckets_of(patch.spot, patch.w, patch.h).map(|(x, y)| (x, y, index)));
        }
        buckets.sort_unstable();
        self.buckets = buckets.into();
    }

    pub(crate) fn lattice(&self) -> Lattice {
        Lattice::new(self.pitch)
    }

    /// Number of its patches.
    pub fn len(&self) -> usize {
        self.patches.len()
    }

    /// Whether there is no place to stand in it.
    pub fn is_empty(&self) -> bool {
        self.patches.is_empty()
    }

    /// Its size in bytes.
    pub fn bytes(&self) -> usize {
        size_of::<BlockMesh>()
            + size_of_val(&*self.patches)
            + size_of_val(&*self.links)
            + size_of_val(&*self.heights)
            + size_of_val(&*self.exits)
            + size_of_val(&*self.doors)
            + size_of_val(&*self.buckets)
    }

    pub(crate) fn links_of(&self, patch: u32) -> &[Link] {
        let Some(from) = self.patches.get(patch as usize) else { return &[] };
        let end = self.patches.get(patch as usize + 1).map_or(self.links.len(), |next| next.links as usize);
        self.links.get(from.links as usize..end).unwrap_or(&[])
    }

    /// Whether links may lead from a patch into another block, or from there to it.
    pub(crate) fn is_at_border(&self, patch: u32) -> bool {
        let Some(found) = self.patches.get(patch as usize) else { return false };
        let side = self.lattice().side;
        let near = |v: i16, count: u8| v < BORDER || v + i16::from(count) > side - BORDER;
        near(found.spot.i, found.w)
            || near(found.spot.j, found.h)
            || self.exits.binary_search_by_key(&patch, |exit| exit.patch).is_ok()
    }

    pub(crate) fn cell(&self, patch: u32) -> CellId {
        self.block.cell(self.patches.get(patch as usize).map_or(0, |patch| patch.cell))
    }

    /// A place from above, in the coordinates of the block.
    pub(crate) fn flat(&self, patch: u32, point: u16) -> Vec2 {
        let Some(found) = self.patches.get(patch as usize) else { return Vec2::ZERO };
        if found.kind == PatchKind::Single {
            let data = found.data as usize;
            return Vec2::new(self.value(data), self.value(data + 1));
        }
        self.lattice().point(found.spot_of(point))
    }

    fn value(&self, index: usize) -> f32 {
        self.heights.get(index).copied().unwrap_or(0.0)
    }

    /// A place in the coordinates of the block.
    pub(crate) fn place(&self, world: &World, patch: u32, point: u16) -> Position {
        let flat = self.flat(patch, point);
        let Some(found) = self.patches.get(patch as usize) else { return Position::default() };
        let data = found.data as usize;
        let height = match found.kind {
            PatchKind::Open => {
                let land = world.landscape(self.block);
                let ground = land.and_then(|land| on_ground(land, self.sole, flat));
                ground.map_or(0.0, |ground| ground.position.frame.origin.z)
            }
            PatchKind::Lattice => self.value(data + usize::from(point)),
            PatchKind::Single => self.value(data + 2),
        };
        Position::new(self.cell(patch), Frame::at(flat.extend(height)))
    }

    /// Places within a distance of a point of the block, nearest first; at most one of each patch.
    pub(crate) fn around(&self, world: &World, p: Vec3, reach: Vec2, found: &mut Vec<Found>) {
        found.clear();
        let lattice = self.lattice();
        let Some(spot) = lattice.spot(p.truncate()) else { return };
        let ring = (reach.x / self.pitch).ceil() as i16 + 1;
        let bucket = |v: i16| v.div_euclid(BUCKET);
        for x in bucket(spot.i - ring)..=bucket(spot.i + ring) {
            for y in bucket(spot.j - ring)..=bucket(spot.j + ring) {
                let first = self.buckets.partition_point(|&(bx, by, _)| (bx, by) < (x, y));
                let here = self.buckets[first..].iter().take_while(|&&(bx, by, _)| (bx, by) == (x, y));
                for &(_, _, patch) in here {
                    let point = self.patches[patch as usize].nearest(spot);
                    let flat = self.flat(patch, point).distance(p.truncate());
                    if flat > reach.x || found.iter().any(|f| f.patch == patch) {
                        continue;
                    }
                    let rise = (self.place(world, patch, point).frame.origin.z - p.z).abs();
                    if rise <= reach.y {
                        found.push(Found { patch, point, distance: flat + rise });
                    }
                }
            }
        }
        found.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.patch.cmp(&b.patch)));
    }

    fn holds(&self, patch: u32, spot: Spot) -> bool {
        let Some(p) = self.patches.get(patch as usize) else { return false };
        let is_within =
            |v: i16, from: i16, count: u8| (0..i32::from(count)).contains(&(i32::from(v) - i32::from(from)));
        is_within(spot.i, p.spot.i, p.w) && is_within(spot.j, p.spot.j, p.h)
    }

    /// The place of a cell nearest to a point of the block, in the column of the point.
    pub(crate) fn at(&self, world: &World, cell: u16, p: Vec3) -> Option<Found> {
        let spot = self.lattice().spot(p.truncate())?;
        let bucket = (spot.i.div_euclid(BUCKET), spot.j.div_euclid(BUCKET));
        let first = self.buckets.partition_point(|&(x, y, _)| (x, y) < bucket);
        let here = self.buckets[first..].iter().take_while(|&&(x, y, _)| (x, y) == bucket);
        let patches = here.map(|&(_, _, patch)| patch);
        let found =
            patches.filter(|&patch| self.patches[patch as usize].cell == cell && self.holds(patch, spot));
        let found = found.map(|patch| {
            let point = self.patches[patch as usize].point_of(spot);
            let distance = self.place(world, patch, point).frame.origin.distance(p);
            Found { patch, point, distance }
        });
        found.min_by(|a, b| a.distance.total_cmp(&b.distance))
    }

    /// The ends of the border points of a link, seen from above, first the side it leaves from: `[lo, hi]` each.
    pub(crate) fn crossing(&self, patch: u32, link: &Link) -> Option<([Vec2; 2], [Vec2; 2])> {
        let from = self.patches.get(patch as usize)?;
        let Side::Border(direction) = link.side else { return None };
        let direction = usize::from(direction);
        let end = |offset: u16| {
            let offset = offset as i16;
            let (i, j) = (from.spot.i, from.spot.j);
            let (w, h) = (i16::from(from.w), i16::from(from.h));
            let spot = match direction {
                0 => Spot { i: i + w - 1, j: j + offset },
                1 => Spot { i: i + offset, j: j + h - 1 },
                2 => Spot { i, j: j + offset },
                _ => Spot { i: i + offset, j },
            };
            let lattice = self.lattice();
            (lattice.point(spot), lattice.point(spot.beside(direction)))
        };
        let (low, high) = (end(link.lo), end(link.hi));
        Some(([low.0, high.0], [low.1, high.1]))
    }
}

/// Squares that a rectangle of spots lies in.
fn buckets_of(spot: Spot, w: u8, h: u8) -> impl Iterator<Item = (i16, i16)> {
    let span = |v: i16, count: u8| v.div_euclid(BUCKET)..=(v + i16::from(count) - 1).div_euclid(BUCKET);
    let rows = span(spot.j, h);
    span(spot.i, w).flat_map(move |x| rows.clone().map(move |y| (x, y)))
}
