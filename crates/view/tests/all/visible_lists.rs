//! Computed lists of visible cells: nothing that a ray can see is missing, and they are not much larger than that.
//! The rays are those of the oracle, which shares no code with the computation.

use crate::{houses, oracle, support};
use glam::DVec3;
use houses::house_plan;
use oracle::{Oracle, Ray};
use proptest::prelude::*;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};
use support::{BLOCK, R0, block, id, v};
use threshold_golden::world_dir;
use threshold_world::{
    Library, World,
    cell::PortalTarget,
    coords::BLOCK_SIDE,
    landblock::Landblock,
    load_all,
    source::DatSource,
    visible::{Opening, Rooms, Visibility},
};

/// A small generator with a fixed start: failures must be repeatable.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn direction(&mut self) -> DVec3 {
        loop {
            let v = DVec3::new(self.next(), self.next(), self.next()) * 2.0 - 1.0;
            if (0.01..1.0).contains(&v.length_squared()) {
                return v.normalize();
            }
        }
    }

    /// A point of a convex polygon, now and then very near to its rim.
    fn in_polygon(&mut self, corners: &[DVec3]) -> DVec3 {
        let weights: Vec<f64> = corners.iter().map(|_| self.next().powi(8)).collect();
        let total: f64 = weights.iter().sum::<f64>() + 1e-3;
        let middle = corners.iter().sum::<DVec3>() / corners.len() as f64;
        corners.iter().zip(&weights).map(|(p, w)| *p * *w).sum::<DVec3>() / total + middle * (1e-3 / total)
    }
}

fn rooms_of(block: &Landblock) -> Rooms {
    let mut rooms = Rooms::default();
    for cell in block.env_cells.iter().flatten() {
        let set = &cell.structure.portal_polygons;
        let openings = cell.portals.iter().filter_map(|portal| {
            let PortalTarget::Cell(target) = portal.target else { return None };
            let corners = set.vertices(&set.polygons()[usize::from(portal.polygon)]);
            Some(Opening {
                corners: corners.map(|p| cell.position.frame.apply(p)).collect(),
                owner_is_positive: !portal.neighbour_is_positive,
                target: target.low(),
            })
        });
        rooms.rooms.insert(cell.id().low(), openings.collect());
    }
    for building in &block.buildings {
        let Some(mesh) =
            building.model.as_ref().and_then(|m| m.parts.first()).and_then(|part| part.mesh.as_ref())
        else {
            continue;
        };
        let set = &mesh.opening_polygons;
        for &(polygon, portal) in mesh.openings.iter().flat_map(|opening| opening.portals.iter()) {
            let portal = &building.portals[usize::from(portal)];
            let corners = set.vertices(&set.polygons()[usize::from(polygon)]);
            rooms.doors.push(Opening {
                corners: corners.map(|p| building.shell.frame.apply(p)).collect(),
                owner_is_positive: !portal.neighbour_is_positive,
                target: portal.cell.low(),
            });
        }
    }
    rooms
}

/// The same world in which every list names every cell of the block, so that rays are bounded by openings alone.
fn unbounded(world: &World) -> World {
    let mut open = World::new();
    for id in world.block_ids() {
        let mut block = Landblock::clone(world.block_data(id).unwrap());
        let all: Box<[u16]> = block.env_cells.iter().flatten().map(|cell| cell.id().low()).collect();
        block.env_cells.iter_mut().flatten().for_each(|cell| cell.visible_cells = all.clone());
        let doors = block.buildings.iter_mut().flat_map(|building| building.portals.iter_mut());
        doors.for_each(|door| door.visible_cells = all.clone());
        open.insert_resident(Arc::new(block));
    }
    open
}

#[derive(Default)]
struct Tally {
    rays: usize,
    through: usize,
    into_doors: usize,
    /// Pairs of cells that the lists have, and that a ray has met.
    listed: usize,
    met: usize,
}

/// Sends rays from every cell through every of its openings, and into every door, and expects all they meet in the lists.
fn check(world: &World, per_opening: usize, seed: u64) -> Result<Tally, String> {
    let open = unbounded(world);
    let oracle = Oracle::new(&open);
    let mut random = Random(seed);
    let mut tally = Tally::default();
    for block_id in open.block_ids() {
        let block = open.block_data(block_id).unwrap();
        let rooms = rooms_of(block);
        let seen: Visibility = rooms.visible().unwrap();
        if seen.coarse > 0 {
            return Err(format!("{} openings of {block_id} are coarse", seen.coarse));
        }
        let origin =
            DVec3::new(f64::from(block_id.x()), f64::from(block_id.y()), 0.0) * f64::from(BLOCK_SIDE);
        let mut met: BTreeMap<u16, BTreeSet<u16>> = BTreeMap::new();
        for (&low, openings) in &rooms.rooms {
            for opening in openings {
                let corners: Vec<DVec3> = opening.corners.iter().map(|p| p.as_dvec3() + origin).collect();
                for _ in 0..per_opening {
                    let ray = leaving(&mut random, &corners, opening.owner_is_positive);
                    let trace = oracle.trace(block_id.cell(low), &ray);
                    tally.rays += 1;
                    tally.through += usize::from(trace.inside.len() > 2);
                    for cell in trace.inside.iter().map(|cell| cell.low()).filter(|cell| *cell != low) {
                        if !seen.rooms[&low].contains(&cell) {
                            return Err(format!(
                                "{} sees {cell:04X} from {}: {:?}",
                                block_id.cell(low),
                                ray.eye,
                                trace.inside
                            ));
                        }
                        met.entry(low).or_default().insert(cell);
                    }
                }
            }
        }
        tally.met += met.values().map(BTreeSet::len).sum::<usize>();
        tally.listed += seen.rooms.values().map(BTreeSet::len).sum::<usize>();
        for door in &rooms.doors {
            let corners: Vec<DVec3> = door.corners.iter().map(|p| p.as_dvec3() + origin).collect();
            for _ in 0..per_opening {
                let ray = leaving(&mut random, &corners, door.owner_is_positive);
                let trace = oracle.trace(block_id.cell(1), &ray);
                tally.into_doors += usize::from(!trace.building.is_empty());
                let path: BTreeSet<u16> = trace.building.iter().map(|cell| cell.low()).collect();
                let first = trace.building.first().map(|cell| cell.low());
                let mut lists =
                    rooms.doors.iter().zip(&seen.doors).filter(|(door, _)| Some(door.target) == first);
                if first.is_some() && !lists.any(|(_, list)| path.is_subset(list)) {
                    return Err(format!("a door of {block_id} shows {path:04X?} from {}", ray.eye));
                }
            }
        }
    }
    Ok(tally)
}

/// A ray that starts a little before an opening and goes through it.
fn leaving(random: &mut Random, corners: &[DVec3], owner_is_positive: bool) -> Ray {
    let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
    let onwards = if owner_is_positive { -normal } else { normal };
    let mut direction = random.direction();
    if direction.dot(onwards) < 0.0 {
        direction = -direction;
    }
    Ray { eye: random.in_polygon(corners) - direction * 1e-3, direction }
}

fn golden(name: &str) -> World {
    load_all(&Library::new(Arc::new(DatSource::open(world_dir(name)).unwrap()))).unwrap().0
}

fn sample() -> World {
    load_all(&Library::new(Arc::new(threshold_sample::build().unwrap().source().unwrap()))).unwrap().0
}

#[test]
fn lists_of_the_sample_world_have_all_that_rays_meet_and_little_more() {
    let tally = check(&sample(), 1000, 1).unwrap();
    println!("{} rays: {} pairs listed, {} met", tally.rays, tally.listed, tally.met);
    assert!(tally.through > 5_000 && tally.into_doors > 5_000, "{} {}", tally.through, tally.into_doors);
    assert!(tally.listed * 100 <= tally.met * 140, "{} listed, {} met", tally.listed, tally.met);
}

#[test]
fn lists_of_the_golden_worlds_have_all_that_rays_meet_and_little_more() {
    let (mut listed, mut met) = (0, 0);
    for (name, seed) in [("cottage", 2), ("seam", 3), ("dungeon", 4)] {
        let tally = check(&golden(name), 1000, seed).unwrap();
        println!("{name}: {} rays: {} pairs listed, {} met", tally.rays, tally.listed, tally.met);
        assert!(tally.through > 0, "{name}");
        (listed, met) = (listed + tally.listed, met + tally.met);
    }
    assert!(listed * 100 <= met * 125, "{listed} listed, {met} met");
}

#[test]
fn a_room_around_the_corner_is_not_listed() {
    // Three rooms in a row whose doors do not line up, the third behind the second's side wall.
    let east = |x: f32, y: [f32; 2]| vec![v(x, y[1], 0.0), v(x, y[0], 0.0), v(x, y[0], 2.0), v(x, y[1], 2.0)];
    let opening = |corners: &[support::Vec3], owner_is_positive, target| Opening {
        corners: corners.to_vec(),
        owner_is_positive,
        target,
    };
    let (first, second) = (east(5.0, [0.0, 1.0]), support::door(5.0, [5.5, 6.5], [0.0, 2.0]));
    let mut rooms = Rooms::default();
    rooms.rooms.insert(0x100, vec![opening(&first, true, 0x101)]);
    rooms.rooms.insert(0x101, vec![opening(&first, false, 0x100), opening(&second, true, 0x102)]);
    rooms.rooms.insert(0x102, vec![opening(&second, false, 0x101)]);
    // Seen from the first room the second door is open to a slanting look.
    let seen = rooms.visible().unwrap();
    assert_eq!(seen.rooms[&0x100], BTreeSet::from([0x101, 0x102]));
    // Another one behind it, beside the second door and looking back: nobody sees it from the first room.
    let third = support::door(5.0, [8.0, 9.0], [0.0, 2.0]);
    rooms.rooms.get_mut(&0x102).unwrap().push(opening(&third, false, 0x103));
    rooms.rooms.insert(0x103, vec![opening(&third, true, 0x102)]);
    let seen = rooms.visible().unwrap();
    assert_eq!(seen.rooms[&0x100], BTreeSet::from([0x101, 0x102]));
    assert_eq!(seen.rooms[&0x102], BTreeSet::from([0x100, 0x101, 0x103]));
    assert_eq!(seen.coarse, 0);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn lists_of_random_houses_have_all_that_rays_meet(plan in house_plan(), seed in any::<u64>()) {
        let world = block(plan.rooms()).world();
        if let Err(what) = check(&world, 40, seed) {
            prop_assert!(false, "{}", what);
        }
    }
}

/// The bound is of use: most of what it lists is seen.
#[test]
fn lists_of_a_house_of_bricks_are_not_much_larger_than_what_rays_meet() {
    use proptest::{strategy::ValueTree, test_runner::TestRunner};
    let mut runner = TestRunner::deterministic();
    let (mut listed, mut met, mut all) = (0, 0, 0);
    for seed in 0..20 {
        let plan = house_plan().new_tree(&mut runner).unwrap().current();
        let world = block(plan.rooms()).world();
        let tally = check(&world, 3000, seed).unwrap();
        let cells = world.block_data(BLOCK).unwrap().env_cells.len();
        (listed, met, all) = (listed + tally.listed, met + tally.met, all + cells * (cells - 1));
        assert!(world.env_cell(id(R0)).is_some());
    }
    println!("{listed} pairs listed, {met} met, of {all}");
    assert!(listed * 100 <= met * 125, "{listed} listed, {met} met");
    assert!(listed < all, "not everything is seen from everywhere");
}
