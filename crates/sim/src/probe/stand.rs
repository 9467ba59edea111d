//! Where a body can stand.

use super::Walker;
use crate::{SimError, Simulation};
use glam::Vec3;
use threshold_physics::{SceneError, random::Random, scene::check_position};
use threshold_world::{
    CellId, Frame, Position, Quat,
    cell::EnvCell,
    coords::{CELL_SIDE, LandCoord, adjust_to_outside},
    terrain::FLOOR_Z,
};

/// Spots that are tried before giving up.
const TRIES: u32 = 64;
/// The largest circle that may be searched, in metres.
const WIDEST: f32 = 10_000.0;
/// Puts a body down from above a floor, in metres.
const LIFT: f32 = 0.05;

/// Where to look for a spot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Area {
    /// Within a distance of a place, seen from above; indoors on its own level.
    Around {
        /// The middle.
        center: Position,
        /// How far from it.
        metres: f32,
    },
    /// Anywhere in a cell.
    Cell(CellId),
}

impl Simulation {
    /// Where a body placed here comes to stand, after the original's search for a free spot and a fall to the ground.
    /// `None` when there is no room, or no ground to stand on.
    pub fn stand_at(&self, walker: &Walker, at: &Position) -> Result<Option<Position>, SimError> {
        Ok(self.put_down(walker, at)?.map(|probe| probe.entity().position))
    }

    /// A random spot in an area where a body can stand, with a random heading; the same seed gives the same spot. `None` when
    /// none of 64 tries succeeds.
    pub fn random_standable(
        &self,
        walker: &Walker,
        area: Area,
        seed: u64,
    ) -> Result<Option<Position>, SimError> {
        self.check_area(&area)?;
        let mut random = Random::new(seed);
        for _ in 0..TRIES {
            let heading = random.signed() * 180.0;
            let Some(mut spot) = self.random_spot(&area, &mut random) else { continue };
            spot.frame.set_rotation(Quat::from_heading(heading));
            if let Some(found) = self.stand_at(walker, &spot)?
                && is_in(&area, &found)
            {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    fn check_area(&self, area: &Area) -> Result<(), SimError> {
        match *area {
            Area::Around { center, metres } => {
                check_position(&center)?;
                let is_good = (0.0..=WIDEST).contains(&metres);
                is_good.then_some(()).ok_or_else(|| SceneError::NotFinite("a distance").into())
            }
            Area::Cell(cell) => self.world.cell(cell).map(|_| ()).ok_or(SimError::NoCell(cell)),
        }
    }

    fn random_spot(&self, area: &Area, random: &mut Random) -> Option<Position> {
        match *area {
            Area::Around { center, metres } => {
                let aside = Vec3::new(random.signed(), random.signed(), 0.0);
                let origin = center.frame.origin + aside * metres;
                let spot = Position::new(center.cell, Frame::at(origin));
                if aside.length() > 1.0 {
                    None
                } else if center.cell.is_outdoor() {
                    self.on_land(&spot)
                } else {
                    Some(spot)
                }
            }
            Area::Cell(cell) => match self.world.env_cell(cell) {
                Some(room) => random_floor(room, random),
                None => {
                    let part = |random: &mut Random| (random.signed() + 1.0) * 0.5 * CELL_SIDE;
                    let place = LandCoord::of_cell(cell)?;
                    let corner = Vec3::new((place.x & 7) as f32, (place.y & 7) as f32, 0.0) * CELL_SIDE;
                    let origin = corner + Vec3::new(part(random), part(random), 0.0);
                    self.on_land(&Position::new(cell, Frame::at(origin)))
                }
            },
        }
    }

    /// A place brought to the ground under or over it, in the land cell that it is in.
    fn on_land(&self, place: &Position) -> Option<Position> {
        let (cell, origin) = adjust_to_outside(place.cell, place.frame.origin)?;
        let ground = self.world.land_cell(cell)?.block.terrain.ground_at(origin)?;
        Some(Position::new(cell, Frame::at(origin.with_z(ground.height + LIFT))))
    }

    /// Height of the land at a place, ignoring buildings; `None` where no land is loaded.
    pub fn ground_height(&self, place: &Position) -> Option<f32> {
        self.on_land(place).map(|at| at.frame.origin.z - LIFT)
    }
}

fn is_in(area: &Area, found: &Position) -> bool {
    match area {
        Area::Around { center, metres } => center.offset_to(found).truncate().length() <= *metres,
        Area::Cell(cell) => found.cell == *cell,
    }
}

/// A point on one of a room's floors: a large floor is as likely as its size says.
fn random_floor(room: &EnvCell, random: &mut Random) -> Option<Position> {
    let frame = &room.position.frame;
    let polygons = &room.structure.physics.as_ref()?.polygons;
    let mut triangles = Vec::new();
    let mut total = 0.0;
    for polygon in polygons.polygons().iter().filter(|p| frame.rotate(p.plane.normal).z >= FLOOR_Z) {
        let points: Vec<Vec3> = polygons.vertices(polygon).map(|p| frame.apply(p)).collect();
        for pair in points.windows(2).skip(1) {
            let (a, b) = (pair[0] - points[0], pair[1] - points[0]);
            total += a.cross(b).length();
            triangles.push((total, points[0], a, b));
        }
    }
    let mut part = || (random.signed() + 1.0) * 0.5;
    let (wanted, mut u, mut v) = (part() * total, part(), part());
    let &(_, corner, a, b) = triangles.iter().find(|(sum, ..)| *sum >= wanted)?;
    if u + v > 1.0 {
        (u, v) = (1.0 - u, 1.0 - v);
    }
    let origin = corner + a * u + b * v + Vec3::Z * LIFT;
    Some(Position::new(room.id(), Frame::at(origin)))
}
