//! Points of a block at which bodies are tried, and which of them need no sweep.
//!
//! Where only gentle ground is within reach of a body, its sweep could only follow the ground; there the points are free.
//! Near anything else the sweep decides.

use crate::{Agent, Surroundings, surroundings::Meaning};
use glam::{Vec2, Vec3};
use serde::{Deserialize, Serialize};
use threshold_physics::{Entity, scene::Foothold, sweep::Contact};
use threshold_world::{
    BlockId, Frame, Position,
    coords::{BLOCK_SIDE, CELL_SIDE, block_offset},
    landblock::Landblock,
    terrain::{FLOOR_Z, WaterClass},
};

/// Objects with their origin this far outside a block may reach into it, in metres.
pub(crate) const REACH: f32 = 96.0;

/// What is known of a point of the ground without a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// A body can stand here and go to any free neighbour.
    Free,
    /// Something is near.
    Near,
    /// In the middle of ground that is too steep, or in water that bodies cannot enter.
    Dead,
}

/// A place in the lattice of a block; points of interior cells may lie outside the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Spot {
    pub(crate) i: i16,
    pub(crate) j: i16,
}

impl Spot {
    pub(crate) fn beside(self, direction: usize) -> Spot {
        let (di, dj) = [(1, 0), (0, 1), (-1, 0), (0, -1)][direction];
        Spot { i: self.i.saturating_add(di), j: self.j.saturating_add(dj) }
    }
}

/// The lattice: how far apart its points are. No point lies on the border of a cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lattice {
    pub(crate) pitch: f32,
    /// Points along a side of a block.
    pub(crate) side: i16,
}

impl Lattice {
    pub(crate) fn new(pitch: f32) -> Lattice {
        Lattice { pitch, side: (BLOCK_SIDE / pitch).round() as i16 }
    }

    pub(crate) fn point(&self, spot: Spot) -> Vec2 {
        Vec2::new(f32::from(spot.i) + 0.5, f32::from(spot.j) + 0.5) * self.pitch
    }

    /// The spot nearest to a point; `None` far outside any block.
    pub(crate) fn spot(&self, p: Vec2) -> Option<Spot> {
        let index = |v: f32| {
            let index = (v / self.pitch).floor();
            (index.abs() < 16_000.0).then_some(index as i16)
        };
        Some(Spot { i: index(p.x)?, j: index(p.y)? })
    }

    pub(crate) fn is_in_block(&self, spot: Spot) -> bool {
        (0..self.side).contains(&spot.i) && (0..self.side).contains(&spot.j)
    }
}

/// Marks of a block's points, and of one row beyond each border.
pub(crate) struct Marks {
    lattice: Lattice,
    marks: Vec<Mark>,
}

impl Marks {
    pub(crate) fn new(around: &Surroundings<'_>, agent: &Agent, lattice: Lattice, block: BlockId) -> Marks {
        let size = lattice.side as usize + 2;
        let mut marks = Marks { lattice, marks: vec![Mark::Dead; size * size] };
        let margin = agent.radius() + lattice.pitch;
        marks.mark_land(around, agent, block, margin);
        marks.mark_buildings(around, block, margin);
        marks.mark_objects(around, block, margin);
        marks
    }

    pub(crate) fn get(&self, spot: Spot) -> Mark {
        self.index(spot).map_or(Mark::Dead, |index| self.marks[index])
    }

    fn index(&self, spot: Spot) -> Option<usize> {
        let range = -1..=self.lattice.side;
        let size = self.lattice.side as usize + 2;
        (range.contains(&spot.i) && range.contains(&spot.j))
            .then(|| (spot.i + 1) as usize * size + (spot.j + 1) as usize)
    }

    fn spots(&self, low: Vec2, high: Vec2) -> impl Iterator<Item = Spot> + use<> {
        let end = f32::from(self.lattice.side);
        let index = |v: f32| (v / self.lattice.pitch - 0.5).clamp(-1.0, end);
        let rows = index(low.y).ceil() as i16..=index(high.y).floor() as i16;
        let columns = index(low.x).ceil() as i16..=index(high.x).floor() as i16;
        columns.flat_map(move |i| rows.clone().map(move |j| Spot { i, j }))
    }

    /// What is within a distance of a shape, of which `distance` tells how far a point is.
    fn near(&mut self, low: Vec2, high: Vec2, margin: f32, distance: impl Fn(Vec2) -> f32) {
        for spot in self.spots(low - margin, high + margin) {
            let is_near = distance(self.lattice.point(spot)) < margin;
            if let Some(index) = self.index(spot).filter(|_| is_near)
                && self.marks[index] == Mark::Free
            {
                self.marks[index] = Mark::Near;
            }
        }
    }

    /// Free where there is land; then what steep ground makes of it.
    fn mark_land(&mut self, around: &Surroundings<'_>, agent: &Agent, block: BlockId, margin: f32) {
        let lands: Vec<(Vec2, &Landblock)> = neighbours(block)
            .filter_map(|id| {
                let land = around.world.landscape(id)?;
                Some((block_offset(block.cell(1), id.cell(1)).truncate(), land))
            })
            .filter(|(_, land)| land.terrain.block_water != WaterClass::Full)
            .collect();
        for &(at, _) in &lands {
            for spot in self.spots(at, at + BLOCK_SIDE) {
                if let Some(index) = self.index(spot) {
                    self.marks[index] = Mark::Free;
                }
            }
        }
        // A body that follows the ground no deeper than a step may lose it on a slope.
        let run = agent.radius().min(self.lattice.pitch);
        let follows = run / (run * run + agent.step_down() * agent.step_down()).sqrt();
        for (at, land) in lands {
            for cell in 0..64 {
                for half in 0..2 {
                    let normal = land.terrain.plane(cell, half).normal;
                    if normal.z >= FLOOR_Z && normal.z >= follows {
                        continue;
                    }
                    let corners = land.terrain.triangle(cell, half).map(|v| v.truncate() + at);
                    self.mark_triangle(corners, margin, normal.z < FLOOR_Z);
                }
            }
        }
    }

    fn mark_triangle(&mut self, corners: [Vec2; 3], margin: f32, is_steep: bool) {
        let low = corners.into_iter().reduce(Vec2::min).unwrap_or_default();
        let high = corners.into_iter().reduce(Vec2::max).unwrap_or_default();
        for spot in self.spots(low - margin, high + margin) {
            let p = self.lattice.point(spot);
            let outside = (0..3)
                .map(|k| {
                    let (a, b) = (corners[k], corners[(k + 1) % 3]);
                    -(b - a).normalize_or_zero().perp_dot(p - a)
                })
                .fold(f32::NEG_INFINITY, f32::max);
            let Some(index) = self.index(spot) else { continue };
            if is_steep && outside < -margin {
                self.marks[index] = Mark::Dead;
            } else if outside < margin && self.marks[index] == Mark::Free {
                self.marks[index] = Mark::Near;
            }
        }
    }

    fn mark_buildings(&mut self, around: &Surroundings<'_>, block: BlockId, margin: f32) {
        for id in neighbours(block) {
            let Some(land) = around.world.landscape(id) else { continue };
            let at = block_offset(block.cell(1), id.cell(1));
            for building in &land.buildings {
                let part = building.model.as_ref().and_then(|model| model.parts.first());
                let Some(mesh) = part.and_then(|part| part.mesh.as_ref()) else { continue };
                let scale = part.map_or(1.0, |part| part.scale.z);
                let bounds = mesh.bounds.transformed(|p| building.shell.frame.apply(p * scale) + at);
                self.near(bounds.min.truncate(), bounds.max.truncate(), margin, |_| 0.0);
            }
        }
    }

    fn mark_objects(&mut self, around: &Surroundings<'_>, block: BlockId, margin: f32) {
        let middle = Vec3::new(BLOCK_SIDE / 2.0, BLOCK_SIDE / 2.0, 0.0);
        let center = Position::new(block.cell(1), Frame::at(middle));
        for (key, entity) in around.scene.entities() {
            let at = center.offset_to(&entity.position).truncate();
            if at.abs().max_element() <= BLOCK_SIDE / 2.0 + REACH
                && entity.cell.is_some()
                && around.meaning(key, entity) != Meaning::None
            {
                self.mark_object(entity, block, margin);
            }
        }
    }

    fn mark_object(&mut self, entity: &Entity, block: BlockId, margin: f32) {
        let shift = block_offset(block.cell(1), entity.position.cell);
        let mut circle = |center: Vec3, radius: f32| {
            let center = (center + shift).truncate();
            self.near(center - radius, center + radius, margin, |p| p.distance(center) - radius);
        };
        let frame = &entity.position.frame;
        for part in entity.parts() {
            let Some(sphere) = part.mesh.physics_sphere else { continue };
            circle(part.position.frame.apply(sphere.center * part.scale), sphere.radius * part.scale);
        }
        for cylinder in &entity.model.cylinders {
            circle(frame.apply(cylinder.low * entity.scale), cylinder.radius * entity.scale);
        }
        for sphere in &entity.model.spheres {
            circle(frame.apply(sphere.center * entity.scale), sphere.radius * entity.scale);
        }
    }
}

/// A block and those around it.
pub(crate) fn neighbours(block: BlockId) -> impl Iterator<Item = BlockId> {
    let around = |v: u8| v.saturating_sub(1)..=v.saturating_add(1);
    around(block.x()).flat_map(move |x| around(block.y()).map(move |y| BlockId::new(x, y)))
}

/// How a body with its sole at a height of its own stands on the open ground at a point of a block; `None` where the ground is too steep or missing.
pub(crate) fn on_ground(land: &Landblock, sole: f32, p: Vec2) -> Option<Foothold> {
    let terrain = &land.terrain;
    let p = p.extend(0.0);
    let ground = terrain.ground_at(p).filter(|ground| ground.is_walkable())?;
    let index = (p.x / CELL_SIDE) as usize * 8 + (p.y / CELL_SIDE) as usize;
    let cell = land.id.cell(index as u16 + 1);
    // The original lifts bodies to where they touch the plane moved down by the water's depth along its normal.
    let height = ground.height - sole - terrain.water_depth(index, p) / ground.plane.normal.z;
    let is_water = terrain.water(index) != WaterClass::Dry;
    Some(Foothold {
        position: Position::new(cell, Frame::at(p.with_z(height))),
        ground: Contact { plane: ground.plane, cell, is_water },
    })
}
