//! Placements of objects at rest and of creatures.

use super::{
    Verdict,
    site::{Site, Subject},
};
use crate::{ClassKind, Problem, objects::IN_WALL, room::nearest_wall};
use glam::Vec3;
use threshold_physics::{EntityKey, Placement, Spawn, State, scene::Probe};
use threshold_sim::{SimError, Target, Walker, WalkerBody};
use threshold_world::{Position, cell::EnvCell, geometry::Sphere};

/// Metres above what is under it from which an object floats.
const FLOATING: f32 = 0.3;
/// Metres that a creature may fall when it is put down.
const FALL: f32 = 0.5;
/// Metres that the search for room may move a creature.
const ASIDE: f32 = 0.3;
/// Metres around an object within which a wall or ceiling holds it.
const HELD: f32 = 0.35;
/// Metres below an object within which the ground is looked for.
const DEEPEST: f32 = 500.0;
/// Height of a floor's normal, at least.
const FLAT: f32 = 0.7;
/// Part of an object's half width that must be free on each side.
const FREE: f32 = 0.5;
/// Half widths below which an object cannot be said to be in a wall.
const NARROW: f32 = 0.15;
/// Part of an object's smallest half width that another must not reach into.
const CORE: f32 = 0.7;
/// Spheres that stand for the core of an object, along its longest side.
const MOST_SPHERES: f32 = 8.0;
/// Where an object stands on what it is measured from, as parts of its half widths.
const FEET: [(f32, f32); 5] = [(0.0, 0.0), (0.7, 0.7), (-0.7, 0.7), (0.7, -0.7), (-0.7, -0.7)];

/// The middle of an object and its size, where it stands.
struct Stand {
    center: Vec3,
    /// Of its own axes.
    half: Vec3,
    low: f32,
    high: f32,
}

impl Stand {
    fn of(subject: &Subject, at: &Position) -> Option<Stand> {
        let bounds = subject.bounds?;
        let world = bounds.transformed(|corner| at.frame.apply(corner));
        Some(Stand {
            center: at.frame.apply((bounds.min + bounds.max) * 0.5),
            half: (bounds.max - bounds.min) * 0.5,
            low: world.min.z,
            high: world.max.z,
        })
    }
}

pub(super) fn judge(site: &Site<'_>, subject: &Subject, index: usize, at: &Position) -> Vec<Verdict> {
    let Some(stand) = Stand::of(subject, at).filter(|_| subject.is_seen) else { return Vec::new() };
    let mut verdicts = Vec::new();
    verdicts.extend(height(site, subject, at, &stand).or_else(|| wall(site, subject, at, &stand)));
    if verdicts.is_empty() {
        verdicts.extend(overlap(site, subject, index, at));
    }
    verdicts
}

fn lifted(site: &Site<'_>, at: &Position, by: f32) -> Position {
    let mut frame = at.frame;
    frame.origin.z += by;
    site.moved(at, frame)
}

/// What is wrong with an object that neither stands on something nor hangs from something.
fn height(site: &Site<'_>, subject: &Subject, at: &Position, stand: &Stand) -> Option<Verdict> {
    let verdict = |problem, off: Option<f32>, fix, message| Some(Verdict { problem, message, off, fix });
    if at.cell.is_outdoor()
        && let Some(ground) = site.sim.ground_height(&Position { cell: at.cell, frame: centered(at, stand) })
        && stand.center.z < ground
    {
        let depth = ground - stand.low;
        let message = if stand.high < ground {
            format!("is buried: its top is {:.2} m below the ground", ground - stand.high)
        } else {
            format!("is buried: {depth:.2} m of its {:.2} m are below the ground", stand.high - stand.low)
        };
        return verdict(Problem::Buried, Some(depth), Some(lifted(site, at, depth)), message);
    }
    let room = site.sim.world().env_cell(at.cell);
    let middle = site.seat(at.cell, stand.center);
    let is_in_room = room.is_none() || middle.is_some_and(|middle| middle.cell.is_interior());
    if let Some(room) = room.filter(|_| !is_in_room) {
        return in_floor_or_wall(site, at, stand, room);
    }
    let middle = middle?;
    let feet = FEET.iter().filter_map(|&(x, y)| {
        let aside = at.frame.rotate(Vec3::new(x * stand.half.x, y * stand.half.y, 0.0)).with_z(0.0);
        let from = if aside == Vec3::ZERO { middle } else { site.seat(at.cell, stand.center + aside)? };
        let hit = site.cast(from, -Vec3::Z, DEEPEST, subject.key)?;
        Some(hit.distance - (stand.center.z - stand.low))
    });
    let gap = feet.fold(f32::INFINITY, f32::min);
    if gap <= FLOATING {
        return None;
    }
    let sides = [Vec3::X, -Vec3::X, Vec3::Y, -Vec3::Y, Vec3::Z];
    let is_held = sides.iter().any(|&side| {
        let reach = (side * stand.half).length() + HELD;
        site.cast(middle, at.frame.rotate(side), reach, subject.key).is_some()
    });
    if is_held {
        return None;
    }
    if gap == f32::INFINITY {
        return verdict(Problem::Floating, None, None, "floats: nothing is under it".to_owned());
    }
    let message = format!("floats {gap:.2} m above what is under it");
    verdict(Problem::Floating, Some(gap), Some(lifted(site, at, -gap)), message)
}

fn centered(at: &Position, stand: &Stand) -> threshold_world::Frame {
    let mut frame = at.frame;
    frame.origin = stand.center;
    frame
}

/// The middle of an object is in no room: it is in a floor or a wall of its own.
fn in_floor_or_wall(site: &Site<'_>, at: &Position, stand: &Stand, room: &EnvCell) -> Option<Verdict> {
    let (beyond, inward) = nearest_wall(room, stand.center)?;
    let reach = |axis: Vec3| (at.frame.rotate(axis) * (axis * stand.half).length()).dot(inward).abs();
    let depth = beyond + reach(Vec3::X) + reach(Vec3::Y) + reach(Vec3::Z);
    let mut frame = at.frame;
    frame.origin += inward * depth;
    let is_floor = inward.z > FLAT;
    let (problem, message) = if is_floor {
        (Problem::Buried, format!("is buried: {depth:.2} m of it are below the floor of {}", room.id()))
    } else {
        (Problem::InWall, format!("is {depth:.2} m inside a wall of {}", room.id()))
    };
    // Farther away it is simply elsewhere.
    let is_near = beyond <= IN_WALL || is_floor;
    is_near.then(|| Verdict { problem, message, off: Some(depth), fix: Some(site.moved(at, frame)) })
}

/// Whether a wall goes through an object.
fn wall(site: &Site<'_>, subject: &Subject, at: &Position, stand: &Stand) -> Option<Verdict> {
    let from = site.seat(at.cell, stand.center)?;
    let sides = [
        (Vec3::X, stand.half.x),
        (-Vec3::X, stand.half.x),
        (Vec3::Y, stand.half.y),
        (-Vec3::Y, stand.half.y),
    ];
    let deepest = sides
        .into_iter()
        .filter(|&(_, half)| half > NARROW)
        .filter_map(|(side, half)| {
            let side = at.frame.rotate(side);
            let hit = site.cast(from, side, half * FREE, subject.key)?;
            let is_wall = matches!(hit.target, Target::Room(_) | Target::Shell(_));
            is_wall.then_some((half - hit.distance, side, hit))
        })
        .max_by(|a, b| a.0.total_cmp(&b.0))?;
    let (depth, side, hit) = deepest;
    let what = match hit.target {
        Target::Shell(cell) => format!("the outside of a building in {cell}"),
        _ => format!("a wall of {}", hit.cell),
    };
    let mut frame = at.frame;
    frame.origin -= side * depth;
    let fix = Some(site.moved(at, frame));
    let message = format!("is {depth:.2} m inside {what}");
    Some(Verdict { problem: Problem::InWall, message, off: Some(depth), fix })
}

/// Whether another solid object reaches into the core of one.
pub(super) fn overlap(site: &Site<'_>, subject: &Subject, index: usize, at: &Position) -> Option<Verdict> {
    let stand = Stand::of(subject, at).filter(|_| subject.is_solid)?;
    let core = stand.half.min_element() * CORE;
    let longest = if stand.half.x >= stand.half.y.max(stand.half.z) {
        Vec3::X
    } else if stand.half.y >= stand.half.z {
        Vec3::Y
    } else {
        Vec3::Z
    };
    let reach = (longest * stand.half).length() - core;
    let spheres = (reach / core.max(0.01) + 1.0).clamp(1.0, MOST_SPHERES) as i32;
    let other = (0..spheres).find_map(|number| {
        let part = if spheres == 1 { 0.0 } else { 2.0 * number as f32 / (spheres - 1) as f32 - 1.0 };
        let center = stand.center + at.frame.rotate(longest) * (reach * part);
        let cell = site.seat(at.cell, center)?;
        let sphere = Sphere { center: cell.frame.origin, radius: core };
        let overlapped = site.sim.scene().overlapping(cell.cell, &sphere);
        overlapped.into_iter().find(|&key| counts(site, subject, index, key))
    })?;
    let apart = site.sim.entity(other).map_or(0.0, |entity| at.distance_to(&entity.position));
    let message = format!("overlaps {}, {apart:.2} m away", site.name_of(other));
    let fix = free_spot(site, subject, at);
    Some(Verdict { problem: Problem::Overlapping, message, off: fix.map(|fix| at.distance_to(&fix)), fix })
}

/// Whether an object that overlaps another is to be told of: of two that were placed, the later.
fn counts(site: &Site<'_>, subject: &Subject, index: usize, key: EntityKey) -> bool {
    if subject.key == Some(key) {
        return false;
    }
    match site.subjects.iter().position(|other| other.key == Some(key)) {
        Some(other) => other < index,
        // A door stands in its frame.
        None if subject.object.kind == ClassKind::Door => false,
        None => site.sim.entity(key).is_ok_and(|entity| !entity.state.contains(State::ETHEREAL)),
    }
}

/// Where the original's search finds room for an object.
fn free_spot(site: &Site<'_>, subject: &Subject, at: &Position) -> Option<Position> {
    let (world, scene) = (site.sim.world(), site.sim.scene());
    let mut probe = match subject.key {
        Some(key) => Probe::of(scene, key).ok()?,
        None => Probe::new(world, Spawn { guid: None, ..subject.object.spawn() }).ok()?,
    };
    let placed = probe.place(world, scene, at).ok()?;
    let found = probe.entity().position;
    (placed == Placement::Placed && at.distance_to(&found) > ASIDE).then_some(found)
}

/// Puts a creature down as a server would, and looks at where it stands.
pub(super) fn judge_creature(
    site: &Site<'_>,
    subject: &Subject,
    at: &Position,
) -> Result<Vec<Verdict>, SimError> {
    if !subject.is_seen {
        return Ok(Vec::new());
    }
    let object = &subject.object;
    let one = |problem, off, fix, message| Ok(vec![Verdict { problem, message, off, fix }]);
    if !object.state.contains(State::GRAVITY) {
        let (world, scene) = (site.sim.world(), site.sim.scene());
        let mut probe = Probe::new(world, Spawn { guid: None, ..object.spawn() })?;
        let placed = probe.place(world, scene, at)?;
        let found = probe.entity().position;
        let off = at.distance_to(&found);
        return match placed {
            Placement::Placed if off <= ASIDE => Ok(Vec::new()),
            Placement::Placed => crowded(site, subject, at, found),
            _ => one(Problem::InWall, None, None, "has no room where it stands".to_owned()),
        };
    }
    let walker = Walker {
        body: WalkerBody::Creature { setup: object.setup, scale: object.scale },
        ..Walker::default()
    };
    let Some(stood) = site.sim.stand_at(&walker, at)? else {
        return match site.sim.ground_under(at) {
            Some(hit) if hit.distance > FALL => {
                let fix = Some(lifted(site, at, -hit.distance));
                let message = format!("floats {:.2} m above what is under it", hit.distance);
                one(Problem::Floating, Some(hit.distance), fix, message)
            }
            _ => match above_ground(site, at) {
                Some(depth) => {
                    let message = format!("is buried: its feet are {depth:.2} m below the ground");
                    one(Problem::Buried, Some(depth), Some(lifted(site, at, depth)), message)
                }
                None => one(Problem::InWall, None, None, "has no room where it stands".to_owned()),
            },
        };
    };
    let by = at.offset_to(&stood);
    if by.truncate().length() > ASIDE {
        return crowded(site, subject, at, stood);
    }
    if by.z < -FALL {
        let message = format!("floats: it falls {:.2} m when it is put down", -by.z);
        return one(Problem::Floating, Some(-by.z), Some(stood), message);
    }
    if by.z > FALL {
        let message = format!("is buried: it is raised by {:.2} m when it is put down", by.z);
        return one(Problem::Buried, Some(by.z), Some(stood), message);
    }
    Ok(Vec::new())
}

/// Metres by which a place outdoors is below the ground.
fn above_ground(site: &Site<'_>, at: &Position) -> Option<f32> {
    let ground = site.sim.ground_height(at).filter(|_| at.cell.is_outdoor())?;
    Some(ground - at.frame.origin.z).filter(|&depth| depth > 0.0)
}

/// The search for room moved a creature: something is where it was to stand.
fn crowded(
    site: &Site<'_>,
    subject: &Subject,
    at: &Position,
    found: Position,
) -> Result<Vec<Verdict>, SimError> {
    let model = &subject.object.model;
    let touched = model.spheres.iter().find_map(|sphere| {
        let center = at.frame.apply(sphere.center * subject.object.scale);
        let seated = site.seat(at.cell, center)?;
        let sphere = Sphere { center: seated.frame.origin, radius: sphere.radius * subject.object.scale };
        site.sim.scene().overlapping(seated.cell, &sphere).into_iter().next()
    });
    let off = at.distance_to(&found);
    let (problem, message) = match touched {
        Some(key) => {
            (Problem::Overlapping, format!("overlaps {}; there is room {off:.2} m away", site.name_of(key)))
        }
        None => (Problem::InWall, format!("is inside a wall; there is room {off:.2} m away")),
    };
    Ok(vec![Verdict { problem, message, off: Some(off), fix: Some(found) }])
}
