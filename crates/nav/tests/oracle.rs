//! The mesh and its routes against a slow oracle: a flood of sweeps of a solid body that knows nothing of lattices.
//!
//! `THRESHOLD_NAV_PAIRS=10000` asks for that many pairs per world instead of the few that every run takes.

mod support;

use glam::{Vec2, Vec3};
use std::collections::{HashMap, VecDeque};
use support::{Doors, Ground};
use threshold_nav::{Nav, Policy, Request, Route, Surroundings};
use threshold_physics::{random::Random, scene::Foothold};
use threshold_world::{CellId, Frame, Position, coords::block_offset, terrain::FLOOR_Z};

/// The oracle's grid, in metres.
const GRID: f32 = 0.5;
/// A finer one.
const FINE: f32 = 0.2;
/// Levels of the oracle's grid, in metres.
const LEVEL: f32 = 0.5;
/// Starts that share the pairs of a world.
const STARTS: usize = 8;

/// Where the oracle looks, in the coordinates of a block.
#[derive(Clone, Copy)]
struct Window {
    home: CellId,
    low: Vec2,
    high: Vec2,
}

impl Window {
    fn flat(&self, p: &Position) -> Vec2 {
        (p.frame.origin + block_offset(self.home, p.cell)).truncate()
    }

    fn holds(&self, p: &Position) -> bool {
        let p = self.flat(p);
        p.cmpge(self.low).all() && p.cmple(self.high).all()
    }
}

type Key = (i32, i32, i32, CellId);

struct Oracle<'a> {
    window: Window,
    /// Metres of a step.
    grid: f32,
    body: support::Body<'a>,
    reached: HashMap<Key, Foothold>,
}

impl<'a> Oracle<'a> {
    fn key(&self, p: &Position) -> Key {
        let flat = self.window.flat(p);
        let index = |v: f32, size: f32| (v / size).floor() as i32;
        (index(flat.x, self.grid), index(flat.y, self.grid), index(p.frame.origin.z, LEVEL), p.cell)
    }

    /// Everything that a body comes to from a place by steps of the grid's size in eight directions, wherever they end.
    fn flood(ground: &'a Ground, window: Window, from: Foothold, grid: f32) -> Oracle<'a> {
        let mut oracle = Oracle { window, grid, body: ground.body(), reached: HashMap::new() };
        let mut queue = VecDeque::from([from]);
        oracle.reached.insert(oracle.key(&from.position), from);
        while let Some(at) = queue.pop_front() {
            for k in 0..8 {
                let angle = k as f32 * std::f32::consts::FRAC_PI_4;
                let by = Vec3::new(angle.cos(), angle.sin(), 0.0) * grid;
                let Some(end) = oracle.step(&at, by) else { continue };
                let key = oracle.key(&end.position);
                if window.holds(&end.position) && !oracle.reached.contains_key(&key) {
                    oracle.reached.insert(key, end);
                    queue.push_back(end);
                }
            }
        }
        oracle
    }

    fn step(&mut self, from: &Foothold, by: Vec3) -> Option<Foothold> {
        let Ground { world, scene, .. } = self.body.ground;
        let probe = &mut self.body.probe;
        probe.stand(world, from).ok()?;
        probe.shift(world, scene, by).ok()?;
        for _ in 0..60 {
            if probe.entity().stands() || probe.entity().cell.is_none() {
                break;
            }
            probe.step(world, scene, 1.0 / 30.0).ok()?;
        }
        probe.foothold()
    }

    /// Whether the flood came within reach of a place.
    fn is_reached(&self, p: &Position) -> bool {
        let (x, y, z, _) = self.key(p);
        self.reached.iter().any(|(&(i, j, k, _), at)| {
            let ring = (1.0 / self.grid).ceil() as i32;
            (i - x).abs() <= ring
                && (j - y).abs() <= ring
                && (k - z).abs() <= 1
                && at.position.distance_to(p) < 0.7
        })
    }
}

/// Whether steps of the grid's size lead to the goal of a route when they begin less than a step beside its start, so that one of its waypoints lies on their grid.
fn is_reached_by_aligned_steps(ground: &Ground, window: Window, route: &Route) -> bool {
    let [start, between @ .., goal] = &route.waypoints[..] else { return false };
    between.iter().any(|waypoint| {
        let way = start.offset_to(waypoint);
        let aside = Vec3::new(way.x.rem_euclid(GRID), way.y.rem_euclid(GRID), 0.0);
        let at = Position::new(start.cell, Frame::at(start.frame.origin + aside));
        let Some(from) = ground.body().put_down(&at).filter(|from| from.position.cell == start.cell) else {
            return false;
        };
        Oracle::flood(ground, window, from, GRID).is_reached(goal)
    })
}

/// A place somewhere in a window where a body can stand.
fn random_place(ground: &Ground, window: &Window, random: &mut Random, inside: bool) -> Option<Foothold> {
    let mut part = || (random.signed() + 1.0) * 0.5;
    let block = window.home.block();
    let data = ground.world.block_data(block)?;
    let spot = if inside {
        let count = data.env_cells.len();
        let room = data.env_cells.get((part() * count as f32) as usize)?.as_ref()?;
        let polygons = &room.structure.physics.as_ref()?.polygons;
        let floors: Vec<_> = polygons
            .polygons()
            .iter()
            .filter(|p| room.position.frame.rotate(p.plane.normal).z >= FLOOR_Z)
            .collect();
        let floor = floors.get((part() * floors.len() as f32) as usize)?;
        let corners: Vec<Vec3> = polygons.vertices(floor).map(|p| room.position.frame.apply(p)).collect();
        let weights: Vec<f32> = corners.iter().map(|_| part()).collect();
        let total: f32 = weights.iter().sum();
        let point = corners.iter().zip(&weights).map(|(c, w)| *c * *w / total).sum::<Vec3>();
        Position::new(room.id(), Frame::at(point + Vec3::Z * 0.05))
    } else {
        let p = window.low + (window.high - window.low) * Vec2::new(part(), part());
        let (cell, p) = threshold_world::coords::adjust_to_outside(window.home, p.extend(0.0))?;
        let land = ground.world.landscape(cell.block())?;
        let height = land.terrain.ground_at(p)?.height;
        Position::new(cell, Frame::at(p.with_z(height + 0.05)))
    };
    let mut body = ground.body();
    let found = body.put_down(&spot)?;
    let moved = spot.offset_to(&found.position).truncate().length();
    // In broken worlds a body may be put where it cannot be put again.
    let is_firm = body.put_down(&found.position)?.position.distance_to(&found.position) < 0.05;
    (moved < 0.25 && is_firm && window.holds(&found.position)).then_some(found)
}

/// Walks a route with a solid body; how far from the goal it ends.
fn walk(ground: &Ground, route: &Route, to: &Position) -> f32 {
    let mut body = ground.body();
    if body.put_down(&route.waypoints[0]).is_none() {
        return f32::INFINITY;
    }
    for waypoint in &route.waypoints[1..] {
        body.walk_to(waypoint, ground.player().pace / 30.0);
    }
    body.probe.entity().position.distance_to(to)
}

/// A place without its rotation.
fn loc(at: &Foothold) -> String {
    let Vec3 { x, y, z } = at.position.frame.origin;
    format!("{} [{x} {y} {z}]", at.position.cell)
}

#[derive(Debug, Default)]
struct Tally {
    reached: usize,
    arrived: usize,
    unreached: usize,
    agreed: usize,
    /// A body walks where steps of the grid's size do not lead, and a finer flood comes there as well.
    found_by_finer_steps: usize,
    /// A body walks through a passage hardly wider than itself, beside which the grid lies; a flood whose grid lies in it comes there as well.
    found_by_aligned_steps: usize,
}

fn pairs() -> usize {
    std::env::var("THRESHOLD_NAV_PAIRS").ok().and_then(|n| n.parse().ok()).unwrap_or(160)
}

fn compare(name: &str, ground: &Ground, window: Window) -> Tally {
    let gateway = ground.gateway();
    let around: Surroundings<'_> = ground.around(&gateway);
    let nav = Nav::new(ground.player());
    let policy = Policy::default();
    let mut random = Random::new(7);
    let mut tally = Tally::default();
    let (mut starts, mut tries) = (0, 0);
    while starts < STARTS && tries < 1000 {
        tries += 1;
        let inside = tries % 2 == 0;
        let Some(start) = random_place(ground, &window, &mut random, inside) else { continue };
        starts += 1;
        let oracle = Oracle::flood(ground, window, start, GRID);
        let mut finer: Option<Oracle<'_>> = None;
        let reached: Vec<&Foothold> = {
            let mut all: Vec<_> = oracle.reached.iter().collect();
            all.sort_by_key(|(key, _)| **key);
            all.into_iter().map(|(_, at)| at).collect()
        };
        for k in 0..pairs() / STARTS {
            let mut part = || (random.signed() + 1.0) * 0.5;
            let goal = if k % 2 == 0 {
                *reached[((part() * reached.len() as f32) as usize).min(reached.len() - 1)]
            } else {
                let Some(goal) = random_place(ground, &window, &mut random, k % 4 == 1) else { continue };
                goal
            };
            let is_reached = k % 2 == 0 || oracle.is_reached(&goal.position);
            let request = Request { from: start.position, to: goal.position, policy: &policy, prove: true };
            let answer = nav.find(&around, &request).expect("an answer");
            match (&answer, is_reached) {
                (Ok(route), true) => {
                    tally.reached += 1;
                    let error = walk(ground, route, &goal.position);
                    if error < 0.3 {
                        tally.arrived += 1;
                    } else {
                        println!("{name}: {} -> {}: the walk ends {error} m off", loc(&start), loc(&goal));
                    }
                }
                (Err(why), true) => {
                    tally.reached += 1;
                    println!("{name}: {} -> {}: {} ({} m)", loc(&start), loc(&goal), why.why, why.gap);
                }
                (Err(_), false) => {
                    tally.unreached += 1;
                    tally.agreed += 1;
                }
                (Ok(route), false) => {
                    tally.unreached += 1;
                    let error = walk(ground, route, &goal.position);
                    let finer = finer.get_or_insert_with(|| Oracle::flood(ground, window, start, FINE));
                    // A body has walked there, and smaller steps lead there too: then it is the coarse ones that missed it.
                    if error < 0.3 && finer.is_reached(&goal.position) {
                        tally.found_by_finer_steps += 1;
                    } else if error < 0.3 && is_reached_by_aligned_steps(ground, window, route) {
                        tally.found_by_aligned_steps += 1;
                    } else {
                        println!("{name}: {} -> {}: only walked to, {error} m off", loc(&start), loc(&goal));
                    }
                }
            }
        }
    }
    println!("{name}: {tally:?}, {} links marked", nav.marked());
    tally
}

fn hold(name: &str, tally: &Tally) {
    assert!(tally.reached > 20, "{name}: {tally:?}");
    assert!(tally.arrived as f32 >= tally.reached as f32 * 0.999, "{name}: {tally:?}");
    assert_eq!(
        tally.agreed + tally.found_by_finer_steps + tally.found_by_aligned_steps,
        tally.unreached,
        "{name}: {tally:?}"
    );
}

/// The houses of the sample world's village and what is between them.
const VILLAGE: Window =
    Window { home: CellId(0x8080_0001), low: Vec2::new(20.0, 20.0), high: Vec2::new(120.0, 130.0) };

/// The whole of a block, and a little more.
fn whole(cell: u32) -> Window {
    Window { home: CellId(cell), low: Vec2::splat(-4.0), high: Vec2::splat(196.0) }
}

#[test]
fn the_village_agrees_with_the_oracle() {
    let ground = Ground::sample(Doors::Open);
    hold("village", &compare("village", &ground, VILLAGE));
}

fn golden_world_agrees(world: &str) {
    let ground = Ground::golden(world);
    let block = ground.world.block_ids().next().expect("a block");
    hold(world, &compare(world, &ground, whole(block.cell(1).0)));
}

#[test]
fn the_cottage_agrees_with_the_oracle() {
    golden_world_agrees("cottage");
}

#[test]
fn the_dungeon_agrees_with_the_oracle() {
    golden_world_agrees("dungeon");
}

#[test]
fn the_plains_agree_with_the_oracle() {
    golden_world_agrees("plains");
}

#[test]
fn the_seam_agrees_with_the_oracle() {
    golden_world_agrees("seam");
}

#[test]
fn the_hostile_world_agrees_with_the_oracle() {
    golden_world_agrees("hostile");
}

/// The failures of the village: the flood moves half a metre in one sweep, farther than a body that runs, and comes to rest on the fences of
/// the gardens, 0.8 m above the ground, and on what stands in two cellars, 0.65 m above the floor. Nobody who walks comes there, from any side but for
/// two of 32 at one fence, where a stride happens to end so that the next one leads up.
#[test]
fn on_top_of_things_is_where_only_leaps_lead() {
    let ground = Ground::sample(Doors::Open);
    let stride = ground.player().pace / 30.0;
    for (cell, x, y, z, floor, by_chance) in [
        (0x8080_0015, 52.224, 116.602, 20.773, 20.01, 0),
        (0x8080_0016, 55.514, 127.502, 20.789, 20.01, 0),
        (0x8080_0016, 67.639, 126.55, 20.855, 20.01, 2),
        (0x8080_0126, 36.177, 84.229, 17.905, 17.26, 0),
        (0x8080_010E, 58.312, 107.173, 17.905, 17.26, 0),
    ] {
        let goal = support::at(cell, x, y, z);
        let (mut walks, mut arrived) = (0, 0);
        for k in 0..32 {
            let angle = k as f32 * std::f32::consts::PI / 16.0;
            let from = support::at(cell, x + 2.0 * angle.cos(), y + 2.0 * angle.sin(), floor);
            let mut body = ground.body();
            let stands = body.put_down(&from);
            if stands.is_none_or(|at| at.position.frame.origin.z > floor + 0.1) {
                continue;
            }
            walks += 1;
            body.walk_to(&goal, stride);
            let end = body.probe.entity().position;
            arrived += u32::from(end.distance_to(&goal) <= 0.3);
        }
        assert_eq!(arrived, by_chance, "of {walks} walks to {goal}");
        assert!(walks > 8, "{walks} of 32 places around {goal} have room");
    }
}

/// Down the stairs of a house and past a garden: a leg that left out corners slid along something on the way, so that the body which had
/// proved it arrived and another one was stopped.
#[test]
fn a_route_holds_for_other_bodies_than_the_one_that_proved_it() {
    let ground = Ground::sample(Doors::Open);
    let from = support::at(0x8080_0120, 38.818_09, 78.716_35, 23.255);
    let to = support::at(0x8080_001D, 72.014_42, 118.502_29, 20.005);
    let gateway = ground.gateway();
    let policy = Policy::default();
    let request = Request { from, to, policy: &policy, prove: true };
    let found = Nav::new(ground.player()).find(&ground.around(&gateway), &request);
    let route = found.expect("an answer").expect("a way");
    let error = walk(&ground, &route, &to);
    assert!(route.proved && error < 0.3, "the walk ends {error} m off");
}

/// Pairs of the village that the flood does not connect and a route does: the rooms up the stairs of one house. Steps of half a metre miss its stairs, a
/// body walks up, and a finer flood comes there as well.
#[test]
fn steps_of_half_a_metre_miss_stairs_that_a_body_walks_up() {
    let ground = Ground::sample(Doors::Open);
    let from = support::at(0x8080_001D, 80.720_795, 106.560_83, 20.005);
    let to = support::at(0x8080_0160, 113.371_254, 112.981_94, 23.255);
    let start = ground.body().put_down(&from).expect("room on the ground");
    assert!(!Oracle::flood(&ground, VILLAGE, start, GRID).is_reached(&to));
    let near = Window { low: Vec2::new(78.0, 96.0), ..VILLAGE };
    assert!(Oracle::flood(&ground, near, start, FINE).is_reached(&to));
    let gateway = ground.gateway();
    let policy = Policy::default();
    let request = Request { from, to, policy: &policy, prove: true };
    let found = Nav::new(ground.player()).find(&ground.around(&gateway), &request);
    let route = found.expect("an answer").expect("a way");
    let error = walk(&ground, &route, &to);
    assert!(route.proved && error < 0.3, "the walk ends {error} m off");
}

/// Pairs of the hostile world that the flood does not connect and a route does. One kind leads into a passage of exactly one metre, four centimetres wider than the body: none of its places lies on the flood's
/// grid, and a flood that begins 0.1 m farther east comes in. The other leads through a doorway, past whose posts the steps of one grid slide and those of another one do not.
#[test]
fn a_passage_hardly_wider_than_the_body_is_missed_by_steps_beside_it() {
    let ground = Ground::golden("hostile");
    let window = whole(0xA9B4_0001);
    let gateway = ground.gateway();
    let policy = Policy::default();
    for (from, to) in [
        (
            support::at(0xA9B4_0106, 123.895_4, 36.312_653, 20.005),
            support::at(0xA9B4_0109, 125.98, 29.310_022, 20.005),
        ),
        (
            support::at(0xA9B4_0115, 38.446_735, 96.188_58, 20.005),
            support::at(0xA9B4_0114, 33.505_302, 96.763_94, 20.005),
        ),
    ] {
        let start = ground.body().put_down(&from).expect("room at the start");
        for grid in [GRID, FINE] {
            assert!(!Oracle::flood(&ground, window, start, grid).is_reached(&to), "{grid} m: {from}");
        }
        let request = Request { from, to, policy: &policy, prove: true };
        let found = Nav::new(ground.player()).find(&ground.around(&gateway), &request);
        let route = found.expect("an answer").expect("a way");
        assert!(route.proved && walk(&ground, &route, &to) < 0.3);
        assert!(is_reached_by_aligned_steps(&ground, window, &route), "{from}");
    }
}
