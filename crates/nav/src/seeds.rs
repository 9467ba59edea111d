//! Where the flood of a block starts: the edge of open ground, and places that no body has reached from there.

use crate::{
    NavError, Surroundings,
    agent::put_down,
    flood::{APART, EXACT, Flood, LEVEL},
    lattice::{Mark, Spot, on_ground},
};
use glam::{Vec2, Vec3};
use std::collections::VecDeque;
use threshold_physics::scene::check_position;
use threshold_world::{Frame, Position, cell::EnvCell, geometry::Aabb, terrain::FLOOR_Z};

/// Bodies are put down from above a floor, in metres.
const LIFT: f32 = 0.02;

/// How far the beginnings have been tried.
#[derive(Debug, Default)]
pub(crate) struct Seeds {
    stage: Stage,
    /// The next spot of the ground, or the next room.
    next: usize,
    /// The next floor or doorway of that room.
    part: usize,
    /// Points of the floor before it that have not been tried.
    points: VecDeque<(Position, Spot)>,
}

/// What is tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    /// Free points beside points that need a trial: from there bodies go in.
    #[default]
    Fringe,
    /// Ground near something that no body has come to yet.
    Ground,
    /// Floors of rooms that no body has come to yet.
    Rooms,
    /// The middles of doorways, which may be too narrow for a point of the lattice.
    Doorways,
    /// Nothing is left.
    Done,
}

impl Seeds {
    fn enter(&mut self, stage: Stage) {
        (self.stage, self.next, self.part) = (stage, 0, 0);
    }
}

impl Flood {
    /// Tries the next place to begin from; false when none is left. The caller first goes on from all places that are known.
    pub(crate) fn seed_next(&mut self, around: &Surroundings<'_>) -> Result<bool, NavError> {
        match self.seeds.stage {
            Stage::Fringe => {
                self.seed_fringe(around);
                self.seeds.enter(Stage::Ground);
            }
            Stage::Ground => self.seed_ground(around)?,
            Stage::Rooms => self.seed_room(around)?,
            Stage::Doorways => self.seed_doorway(around)?,
            Stage::Done => return Ok(false),
        }
        Ok(true)
    }

    fn seed_fringe(&mut self, around: &Surroundings<'_>) {
        let Some(land) = around.world.landscape(self.block) else { return };
        for spot in self.block_spots() {
            let is_fringe = self.marks.get(spot) == Mark::Free
                && (0..4).any(|d| self.marks.get(spot.beside(d)) == Mark::Near);
            if let Some(at) =
                is_fringe.then(|| on_ground(land, self.sole, self.lattice.point(spot))).flatten()
            {
                self.add(around, at, spot, true);
            }
        }
    }

    fn seed_ground(&mut self, around: &Surroundings<'_>) -> Result<(), NavError> {
        let side = self.lattice.side as usize;
        let spot = |index: usize| Spot { i: (index / side) as i16, j: (index % side) as i16 };
        let near = (self.seeds.next..side * side).find(|&k| self.marks.get(spot(k)) == Mark::Near);
        let (Some(index), Some(land)) = (near, around.world.landscape(self.block)) else {
            self.seeds.enter(Stage::Rooms);
            return Ok(());
        };
        self.seeds.next = index + 1;
        let spot = spot(index);
        match on_ground(land, self.sole, self.lattice.point(spot)) {
            Some(at) => self.seed(around, &at.position, spot),
            None => Ok(()),
        }
    }

    /// The room that is the next one, if it is loaded; `None` after the last one.
    fn next_room<'w>(&self, around: &Surroundings<'w>) -> Option<Option<&'w EnvCell>> {
        let room = around.world.block_data(self.block)?.env_cells.get(self.seeds.next)?;
        Some(room.as_ref().filter(|room| around.world.env_cell(room.id()).is_some()))
    }

    fn seed_room(&mut self, around: &Surroundings<'_>) -> Result<(), NavError> {
        if let Some((at, spot)) = self.seeds.points.pop_front() {
            return self.seed(around, &at, spot);
        }
        let Some(room) = self.next_room(around) else {
            self.seeds.enter(Stage::Doorways);
            return Ok(());
        };
        let floors = room.and_then(|room| Some((room, room.structure.physics.as_ref()?)));
        let floor = floors.and_then(|(room, mesh)| {
            let polygon = mesh.polygons.polygons().get(self.seeds.part)?;
            Some((room, polygon, mesh.polygons.vertices(polygon)))
        });
        let Some((room, polygon, corners)) = floor else {
            (self.seeds.next, self.seeds.part) = (self.seeds.next + 1, 0);
            return Ok(());
        };
        self.seeds.part += 1;
        let frame = &room.position.frame;
        let normal = frame.rotate(polygon.plane.normal);
        if normal.z >= FLOOR_Z {
            let corners: Vec<Vec3> = corners.map(|p| frame.apply(p)).collect();
            let radius = self.probe.entity().body_spheres()[0].radius;
            let lift = Vec3::Z * (radius / normal.z - radius - self.sole + LIFT);
            let points = self.floor_samples(&corners, normal).into_iter();
            let points = points.map(|(spot, p)| (Position::new(room.id(), Frame::at(p + lift)), spot));
            self.seeds.points.extend(points);
        }
        Ok(())
    }

    fn seed_doorway(&mut self, around: &Surroundings<'_>) -> Result<(), NavError> {
        let Some(room) = self.next_room(around) else {
            self.seeds.enter(Stage::Done);
            return Ok(());
        };
        let portal = room.and_then(|room| Some((room, room.portals.get(self.seeds.part)?)));
        let Some((room, portal)) = portal else {
            (self.seeds.next, self.seeds.part) = (self.seeds.next + 1, 0);
            return Ok(());
        };
        self.seeds.part += 1;
        let polygons = &room.structure.portal_polygons;
        let Some(polygon) = polygons.polygons().get(usize::from(portal.polygon)) else { return Ok(()) };
        let bounds = Aabb::around(polygons.vertices(polygon).map(|p| room.position.frame.apply(p)));
        let Some(bounds) = bounds else { return Ok(()) };
        let middle = (bounds.min + bounds.max) / 2.0;
        let at = Position::new(room.id(), Frame::at(middle.with_z(bounds.min.z + LIFT)));
        self.seed_at_doorway(around, &at)
    }

    fn seed_at_doorway(&mut self, around: &Surroundings<'_>, at: &Position) -> Result<(), NavError> {
        if check_position(at).is_err() || !self.probe.fits(around.world, around.scene, at)? {
            return Ok(());
        }
        let Some(end) = put_down(around, &mut self.probe, at)? else { return Ok(()) };
        let origin = end.position.frame.origin;
        let is_here = at.offset_to(&end.position).length() < LEVEL && end.position.cell.block() == self.block;
        let Some(spot) = self.lattice.spot(origin.truncate()).filter(|_| is_here) else { return Ok(()) };
        if self.column(spot).all(|node| node.origin().distance(origin) >= APART) {
            let is_exact = self.lattice.point(spot).distance(origin.truncate()) < EXACT;
            self.add(around, end, spot, is_exact);
        }
        Ok(())
    }

    /// Points of the lattice that lie on a floor.
    fn floor_samples(&mut self, corners: &[Vec3], normal: Vec3) -> Vec<(Spot, Vec3)> {
        let flat = || corners.iter().map(|c| c.truncate());
        let (Some(low), Some(high)) = (flat().reduce(Vec2::min), flat().reduce(Vec2::max)) else {
            return Vec::new();
        };
        let (Some(low), Some(high)) = (self.lattice.spot(low), self.lattice.spot(high)) else {
            return Vec::new();
        };
        let size = (i32::from(high.i) - i32::from(low.i) + 1) as usize
            * (i32::from(high.j) - i32::from(low.j) + 1) as usize;
        if size > self.samples_left {
            self.is_cut = true;
            return Vec::new();
        }
        self.samples_left -= size;
        let is_inside = |p: Vec2| {
            (0..corners.len()).all(|k| {
                let (a, b) = (corners[k].truncate(), corners[(k + 1) % corners.len()].truncate());
                (b - a).perp_dot(p - a) >= 0.0
            })
        };
        let on_plane = |p: Vec2| corners[0].z - normal.truncate().dot(p - corners[0].truncate()) / normal.z;
        let spots = (low.i..=high.i).flat_map(|i| (low.j..=high.j).map(move |j| Spot { i, j }));
        let points = spots.map(|spot| (spot, self.lattice.point(spot)));
        points.filter(|(_, p)| is_inside(*p)).map(|(spot, p)| (spot, p.extend(on_plane(p)))).collect()
    }

    /// Puts a body down where none has come to.
    fn seed(&mut self, around: &Surroundings<'_>, at: &Position, spot: Spot) -> Result<(), NavError> {
        let is_known = self.column(spot).any(|n| (n.origin().z - at.frame.origin.z).abs() < LEVEL);
        if is_known || !self.probe.fits(around.world, around.scene, at)? {
            return Ok(());
        }
        let Some(end) = put_down(around, &mut self.probe, at)? else { return Ok(()) };
        if end.position.cell.block() == self.block {
            self.node_at(around, end)?;
        }
        Ok(())
    }
}
