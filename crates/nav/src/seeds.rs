//! Where the flood of a block starts: the edge of open ground, and places that no body has reached from there.

use crate::{
    NavError,
    agent::put_down,
    flood::{APART, EXACT, Flood, LEVEL},
    lattice::{Mark, Spot, on_ground},
};
use glam::{Vec2, Vec3};
use threshold_physics::scene::check_position;
use threshold_world::{Frame, Position, cell::EnvCell, geometry::Aabb, terrain::FLOOR_Z};

/// Bodies are put down from above a floor, in metres.
const LIFT: f32 = 0.02;

impl Flood<'_> {
    /// Free points beside points that need a trial: from there bodies go in.
    pub(crate) fn seed_fringe(&mut self) {
        let Some(land) = self.land else { return };
        for spot in self.block_spots() {
            let is_fringe = self.marks.get(spot) == Mark::Free
                && (0..4).any(|d| self.marks.get(spot.beside(d)) == Mark::Near);
            if let Some(at) =
                is_fringe.then(|| on_ground(land, self.sole, self.lattice.point(spot))).flatten()
            {
                self.add(at, spot, true);
            }
        }
    }

    /// Ground near something that no body has come to yet.
    pub(crate) fn seed_ground(&mut self) -> Result<(), NavError> {
        let Some(land) = self.land else { return Ok(()) };
        for spot in self.block_spots() {
            if self.marks.get(spot) != Mark::Near {
                continue;
            }
            let Some(at) = on_ground(land, self.sole, self.lattice.point(spot)) else { continue };
            self.seed(&at.position, spot)?;
        }
        Ok(())
    }

    /// Floors of rooms that no body has come to yet.
    pub(crate) fn seed_rooms(&mut self) -> Result<(), NavError> {
        let around = self.around;
        let Some(block) = around.world.block_data(self.block) else { return Ok(()) };
        for room in block.env_cells.iter().flatten() {
            if around.world.env_cell(room.id()).is_some() {
                self.seed_room(room)?;
            }
        }
        Ok(())
    }

    /// The middles of doorways, which may be too narrow for a point of the lattice.
    pub(crate) fn seed_doorways(&mut self) -> Result<(), NavError> {
        let around = self.around;
        let Some(block) = around.world.block_data(self.block) else { return Ok(()) };
        for room in block.env_cells.iter().flatten() {
            if around.world.env_cell(room.id()).is_none() {
                continue;
            }
            let polygons = &room.structure.portal_polygons;
            for portal in &room.portals {
                let Some(polygon) = polygons.polygons().get(usize::from(portal.polygon)) else { continue };
                let bounds = Aabb::around(polygons.vertices(polygon).map(|p| room.position.frame.apply(p)));
                let Some(bounds) = bounds else { continue };
                let middle = (bounds.min + bounds.max) / 2.0;
                let at = Position::new(room.id(), Frame::at(middle.with_z(bounds.min.z + LIFT)));
                self.seed_doorway(&at)?;
            }
        }
        Ok(())
    }

    fn seed_doorway(&mut self, at: &Position) -> Result<(), NavError> {
        if check_position(at).is_err() || !self.probe.fits(self.around.world, self.around.scene, at)? {
            return Ok(());
        }
        let Some(end) = put_down(self.around, &mut self.probe, at)? else { return Ok(()) };
        let origin = end.position.frame.origin;
        let is_here = at.offset_to(&end.position).length() < LEVEL && end.position.cell.block() == self.block;
        let Some(spot) = self.lattice.spot(origin.truncate()).filter(|_| is_here) else { return Ok(()) };
        if self.column(spot).all(|node| node.origin().distance(origin) >= APART) {
            let is_exact = self.lattice.point(spot).distance(origin.truncate()) < EXACT;
            self.add(end, spot, is_exact);
            self.spread()?;
        }
        Ok(())
    }

    fn seed_room(&mut self, room: &EnvCell) -> Result<(), NavError> {
        let Some(mesh) = &room.structure.physics else { return Ok(()) };
        let frame = &room.position.frame;
        let radius = self.probe.entity().body_spheres()[0].radius;
        for polygon in mesh.polygons.polygons() {
            let normal = frame.rotate(polygon.plane.normal);
            if normal.z.is_nan() || normal.z < FLOOR_Z {
                continue;
            }
            let corners: Vec<Vec3> = mesh.polygons.vertices(polygon).map(|p| frame.apply(p)).collect();
            let lift = radius / normal.z - radius - self.sole + LIFT;
            for (spot, point) in self.floor_samples(&corners, normal) {
                let at = Position::new(room.id(), Frame::at(point + Vec3::Z * lift));
                self.seed(&at, spot)?;
            }
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

    /// Puts a body down where none has come to, and goes on from there.
    fn seed(&mut self, at: &Position, spot: Spot) -> Result<(), NavError> {
        let is_known = self.column(spot).any(|n| (n.origin().z - at.frame.origin.z).abs() < LEVEL);
        if is_known || !self.probe.fits(self.around.world, self.around.scene, at)? {
            return Ok(());
        }
        let Some(end) = put_down(self.around, &mut self.probe, at)? else { return Ok(()) };
        if end.position.cell.block() == self.block {
            self.node_at(end)?;
            self.spread()?;
        }
        Ok(())
    }
}
