//! Questions about the world as it is.

use crate::{
    fault::{Fault, ThStatus},
    handles::ThWorld,
    memory::{Out, OutArray, OutExact, read, read_array},
    types::{ThEntity, ThHit, ThPosition, ThSpot, ThVec3, entity, finite},
    world::with_world,
};
use bytemuck::AnyBitPattern;
use threshold_physics::cast::{Blockers, Cast};
use threshold_sim::{Hit, Sight, SimError, Spot};
use threshold_world::CellId;

/// Which objects stop a ray.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThBlockers {
    /// Everything that can be pointed at, including open doors and creatures.
    Everything = 0,
    /// Objects that block the view between two creatures: not living or ethereal ones, such as open doors.
    Solid = 1,
    /// No objects, only walls, shells and the ground.
    Environment = 2,
}

/// A ray to be cast.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, AnyBitPattern)]
pub struct ThRay {
    /// Where it begins.
    pub from: ThPosition,
    /// Where it goes, in the coordinates of the block of `from`; need not be a unit vector.
    pub direction: ThVec3,
    /// How far it goes, in metres.
    pub reach: f32,
    /// One of ThBlockers.
    pub blockers: u32,
}

/// The two ends of a line of sight.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, AnyBitPattern)]
pub struct ThSight {
    /// From here.
    pub from: ThSpot,
    /// To there.
    pub to: ThSpot,
}

impl ThRay {
    fn check(&self) -> Result<Cast<'static>, Fault> {
        let blockers = match self.blockers {
            0 => Blockers::Everything,
            1 => Blockers::Solid,
            2 => Blockers::Environment,
            other => return Err(Fault::argument(format!("unknown blockers {other}"))),
        };
        if self.reach.is_nan() || self.reach < 0.0 {
            return Err(Fault::argument("the reach of a ray is NaN, infinite or out of range"));
        }
        let (from, direction) = (self.from.check()?, finite(self.direction, "a direction")?);
        Ok(Cast { from, direction, reach: self.reach, blockers, ignored: &[] })
    }
}

fn hit(hit: Option<Hit>) -> ThHit {
    hit.map(ThHit::from).unwrap_or_default()
}

fn sight(sight: Sight) -> ThHit {
    match sight {
        Sight::Clear => ThHit::default(),
        Sight::Blocked(found) => found.into(),
    }
}

/// Checks every entry of an array; an error names the entry.
pub(crate) fn check_each<T, U>(
    values: &[T],
    check: impl Fn(&T) -> Result<U, Fault>,
) -> Result<Vec<U>, Fault> {
    values.iter().enumerate().map(|(i, value)| check(value).map_err(|fault| fault.of_entry(i))).collect()
}

/// Queries of a batch that are run at once: enough for every processor, few enough that the data between the
/// caller's queries and results stays in the caches.
const STRETCH: usize = 1024;

/// Checks and runs every query of a batch, in order; an error names the entry.
pub(crate) fn answer_each<Q, C, A, U, Answers: IntoIterator<Item = Result<A, SimError>>>(
    questions: &[Q],
    check: impl Fn(&Q) -> Result<C, Fault>,
    ask: impl Fn(&[C]) -> Answers,
    convert: impl Fn(A) -> U,
) -> Result<Vec<U>, Fault> {
    let mut answers = Vec::with_capacity(questions.len());
    let mut checked = Vec::with_capacity(questions.len().min(STRETCH));
    for stretch in questions.chunks(STRETCH) {
        let first = answers.len();
        checked.clear();
        for (i, question) in stretch.iter().enumerate() {
            checked.push(check(question).map_err(|fault| fault.of_entry(first + i))?);
        }
        for answer in ask(&checked) {
            let entry = answers.len();
            answers.push(convert(answer.map_err(|error| Fault::from(error).of_entry(entry))?));
        }
    }
    Ok(answers)
}

/// The height of the land at a place, ignoring buildings. TH_STATUS_NOT_FOUND where no land is loaded.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_ground_height(
    world: *mut ThWorld,
    place: *const ThPosition,
    height: *mut f32,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let (place, out) = unsafe { (read(place, "place")?, Out::new(height, "height")?) };
        let found = world.sim.ground_height(&place.check()?);
        out.set(found.ok_or_else(|| Fault::not_found("land loaded there"))?);
        Ok(())
    })
}

/// The ground, floor or solid object under a point.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_ground(
    world: *mut ThWorld,
    place: *const ThPosition,
    ground: *mut ThHit,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let (place, out) = unsafe { (read(place, "place")?, Out::new(ground, "ground")?) };
        out.set(hit(world.sim.ground_under(&place.check()?)));
        Ok(())
    })
}

/// The ceiling or solid object over a point.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_ceiling(
    world: *mut ThWorld,
    place: *const ThPosition,
    ceiling: *mut ThHit,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let (place, out) = unsafe { (read(place, "place")?, Out::new(ceiling, "ceiling")?) };
        out.set(hit(world.sim.ceiling_over(&place.check()?)));
        Ok(())
    })
}

/// Finds the cell of a position from an outside source, as the original does before placing an object. `reference`
/// is the deciding point of the mover, in its own space, such as the middle of its body; null means the origin.
/// TH_STATUS_NOT_FOUND when no cell contains it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_reseat(
    world: *mut ThWorld,
    position: *const ThPosition,
    reference: *const ThVec3,
    seated: *mut ThPosition,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let (position, reference, out) = unsafe {
            (
                read(position, "position")?,
                crate::memory::read_optional(reference),
                Out::new(seated, "seated")?,
            )
        };
        let reference = finite(reference.unwrap_or_default(), "a reference")?;
        let found = world.sim.reseat(&position.check()?, reference)?;
        out.set(found.ok_or_else(|| Fault::not_found("cell there"))?.into());
        Ok(())
    })
}

/// Cells that a sphere touches, its own first; the position is its centre.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_cells_of_sphere(
    world: *mut ThWorld,
    center: *const ThPosition,
    radius: f32,
    cells: *mut u32,
    capacity: u32,
    count: *mut u32,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let (center, out) = unsafe { (read(center, "center")?, OutArray::new(cells, capacity, count)?) };
        let found = world.sim.cells_of_sphere(&center.check()?, radius)?;
        out.set(&numbers(found))
    })
}

/// Interior cells visible from an interior cell, including itself.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_visible_cells(
    world: *mut ThWorld,
    cell: u32,
    cells: *mut u32,
    capacity: u32,
    count: *mut u32,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let out = unsafe { OutArray::new(cells, capacity, count)? };
        out.set(&numbers(world.sim.cells_seen_from(CellId(cell))))
    })
}

/// Cells in which an object is registered and can be hit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_shadow_cells(
    world: *mut ThWorld,
    object: ThEntity,
    cells: *mut u32,
    capacity: u32,
    count: *mut u32,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let out = unsafe { OutArray::new(cells, capacity, count)? };
        let shadows = world.sim.entity(entity(object)?)?.shadows();
        out.set(&numbers(shadows.iter().filter(|shadow| shadow.is_joined()).map(|shadow| shadow.cell)))
    })
}

fn numbers(cells: impl IntoIterator<Item = CellId>) -> Vec<u32> {
    cells.into_iter().map(|cell| cell.0).collect()
}

/// Objects whose cell this is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_residents(
    world: *mut ThWorld,
    cell: u32,
    objects: *mut ThEntity,
    capacity: u32,
    count: *mut u32,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let out = unsafe { OutArray::new(objects, capacity, count)? };
        let found: Vec<ThEntity> = world.sim.residents_of(CellId(cell)).map(|key| key.id()).collect();
        out.set(&found)
    })
}

/// Objects within a distance of a place, nearest first.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_objects_within(
    world: *mut ThWorld,
    place: *const ThPosition,
    metres: f32,
    objects: *mut ThEntity,
    capacity: u32,
    count: *mut u32,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let (place, out) = unsafe { (read(place, "place")?, OutArray::new(objects, capacity, count)?) };
        if metres.is_nan() || metres < 0.0 {
            return Err(Fault::argument("a distance is NaN, infinite or out of range"));
        }
        let found = world.sim.objects_within(&place.check()?, metres);
        let ids: Vec<ThEntity> = found.into_iter().map(|(key, _)| key.id()).collect();
        out.set(&ids)
    })
}

/// The first thing that a ray hits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_cast(world: *mut ThWorld, ray: *const ThRay, found: *mut ThHit) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let (ray, out) = unsafe { (read(ray, "ray")?, Out::new(found, "found")?) };
        out.set(hit(world.sim.cast(&ray.check()?)));
        Ok(())
    })
}

/// Like `th_cast` for many rays, on all processors: `found` has room for `count` hits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_casts(
    world: *mut ThWorld,
    rays: *const ThRay,
    count: u32,
    found: *mut ThHit,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let (rays, out) =
            unsafe { (read_array(rays, count, "rays")?, OutExact::new(found, count, "found")?) };
        let cast = |rays: &[_]| world.sim.casts(rays).into_iter().map(Ok);
        out.set(&answer_each(&rays, ThRay::check, cast, hit)?)
    })
}

/// What a player points at: the first thing from its camera in a direction, in the coordinates of the camera's block.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_pick(
    world: *mut ThWorld,
    player: ThEntity,
    direction: *const ThVec3,
    found: *mut ThHit,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let (direction, out) = unsafe { (read(direction, "direction")?, Out::new(found, "found")?) };
        out.set(hit(world.sim.pick(entity(player)?, finite(direction, "a direction")?)?));
        Ok(())
    })
}

/// Checks a line of sight: `blocker` is TH_TARGET_KIND_NONE when it is clear, otherwise the obstacle. Creatures and
/// open doors do not block the view. With a radius, the line is checked for a missile or camera of that size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_line_of_sight(
    world: *mut ThWorld,
    from: *const ThSpot,
    to: *const ThSpot,
    radius: f32,
    blocker: *mut ThHit,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let (from, to, out) =
            unsafe { (read(from, "from")?, read(to, "to")?, Out::new(blocker, "blocker")?) };
        out.set(sight(world.sim.line_of_sight_within(from.check()?, to.check()?, radius)?));
        Ok(())
    })
}

/// Like `th_line_of_sight` for many pairs, on all processors: `blockers` has room for `count` hits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_lines_of_sight(
    world: *mut ThWorld,
    pairs: *const ThSight,
    count: u32,
    radius: f32,
    blockers: *mut ThHit,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let (pairs, out) =
            unsafe { (read_array(pairs, count, "pairs")?, OutExact::new(blockers, count, "blockers")?) };
        let pair =
            |pair: &ThSight| -> Result<(Spot, Spot), Fault> { Ok((pair.from.check()?, pair.to.check()?)) };
        let look = |pairs: &[_]| world.sim.lines_of_sight(pairs, radius);
        out.set(&answer_each(&pairs, pair, look, sight)?)
    })
}
