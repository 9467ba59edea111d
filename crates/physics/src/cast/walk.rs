//! The path of a ray from cell to cell.

use super::{
    Blockers, Cast, Hit, Target,
    ray::{Crossing, Ray},
};
use crate::{
    flags::State,
    scene::{Entity, Scene},
};
use glam::Vec3;
use threshold_world::{
    BlockId, CellId, World,
    cell::{CellPortal, EnvCell, PortalTarget},
    coords::{CELL_SIDE, adjust_to_outside, block_offset},
    landblock::{Building, LandCell},
};

/// Cells that one ray may pass; no honest ray comes near.
const MAX_CELLS: usize = 4096;
/// A cell is left no earlier than this before it was entered: openings of two cells need not coincide exactly.
const OVERLAP: f32 = 0.05;
/// Carries a ray past the border of a land cell.
const NUDGE: f32 = 1e-3;

/// The cell a ray is in, and how far along the ray it came in.
#[derive(Clone, Copy)]
struct Stay {
    cell: CellId,
    since: f32,
}

impl Stay {
    /// What lies before this belongs to the cells that the ray has left.
    fn begin(&self) -> f32 {
        (self.since - OVERLAP).max(0.0)
    }
}

struct Walk<'a> {
    cast: &'a Cast<'a>,
    world: &'a World,
    scene: &'a Scene,
    /// In the coordinates of the block where it begins.
    ray: Ray,
    /// The nearest thing met in the cell that the ray is in.
    best: Option<(f32, Target)>,
}

pub(super) fn first(cast: &Cast<'_>, world: &World, scene: &Scene) -> Option<Hit> {
    let direction = cast.direction.try_normalize()?;
    let origin = cast.from.frame.origin;
    if !(origin.is_finite() && cast.reach > 0.0) {
        return None;
    }
    let ray = Ray { origin, direction };
    let mut walk = Walk { cast, world, scene, ray, best: None };
    let mut stay = Stay { cell: cast.from.cell, since: 0.0 };
    for _ in 0..MAX_CELLS {
        walk.best = None;
        let next = match walk.world.env_cell(stay.cell) {
            Some(cell) => walk.room(cell, stay),
            None => walk.open(walk.world.land_cell(stay.cell)?, stay),
        };
        let end = next.map_or(cast.reach, |next| next.since.min(cast.reach));
        if let Some((distance, target)) = walk.best.filter(|(distance, _)| *distance <= end) {
            let point = ray.at(distance) - block_offset(cast.from.cell, stay.cell);
            return Some(Hit { target, distance, point, cell: stay.cell });
        }
        stay = next.filter(|next| next.since < cast.reach)?;
    }
    None
}

impl<'a> Walk<'a> {
    /// The ray in the coordinates of a cell's block.
    fn local(&self, cell: CellId) -> Ray {
        self.ray.shifted(-block_offset(self.cast.from.cell, cell))
    }

    fn meet(&mut self, distance: Option<f32>, target: Target) {
        if let Some(distance) = distance
            && self.best.is_none_or(|(known, _)| distance < known)
        {
            self.best = Some((distance, target));
        }
    }

    /// What is listed in a cell.
    fn objects(&mut self, stay: Stay) {
        if self.cast.blockers == Blockers::Environment {
            return;
        }
        for &key in self.scene.shadows_in(stay.cell) {
            let Some(entity) = self.scene.get(key) else { continue };
            if self.cast.ignored.contains(&key) || !self.stops(entity) {
                continue;
            }
            let met = self.local(entity.position.cell).entity(entity);
            self.meet(met.filter(|t| *t >= stay.begin()), Target::Entity(key));
        }
    }

    fn stops(&self, entity: &Entity) -> bool {
        match self.cast.blockers {
            Blockers::Everything => true,
            Blockers::Solid => !entity.role.is_creature() && !entity.state.contains(State::ETHEREAL),
            Blockers::Environment => false,
        }
    }

    /// Walls and objects of an interior cell, and the opening by which the ray leaves it.
    fn room(&mut self, cell: &'a EnvCell, stay: Stay) -> Option<Stay> {
        let inner = self.local(cell.id()).within(&cell.position.frame, 1.0);
        if let Some(mesh) = &cell.structure.physics {
            self.meet(inner.polygons(&mesh.polygons, stay.begin()), Target::Room(cell.id()));
        }
        self.objects(stay);
        let exits = cell.portals.iter().filter_map(|portal| {
            let leaving = if portal.neighbour_is_positive { Crossing::Along } else { Crossing::Against };
            let since = opening(&inner, cell, portal, leaving)?;
            (since >= stay.begin()).then_some((since.max(stay.since), portal.target))
        });
        let (since, target) = exits.min_by(|a, b| a.0.total_cmp(&b.0))?;
        let cell = match target {
            PortalTarget::Cell(cell) => cell,
            PortalTarget::Outside => adjust_to_outside(cell.id(), self.local(cell.id()).at(since + NUDGE))?.0,
        };
        Some(Stay { cell, since })
    }

    /// Ground, shells and objects of a land cell, and where the ray leaves it: into a house or to the next land cell.
    fn open(&mut self, land: LandCell<'a>, stay: Stay) -> Option<Stay> {
        let ray = self.local(land.id());
        for half in 0..2 {
            let t = ray.plane(land.block.terrain.plane(land.index(), half), Crossing::Against);
            let met = t.filter(|t| {
                *t >= stay.begin()
                    && land.block.terrain.triangle_under(land.index(), ray.at(*t)) == Some(half)
            });
            self.meet(met, Target::Ground(land.id()));
        }
        self.objects(stay);
        let mut next = self.beyond(land, stay);
        for block in around(land.id().block()) {
            let Some(data) = self.world.landscape(block) else { continue };
            for building in &data.buildings {
                if let Some(inside) = self.building(building, stay)
                    && next.is_none_or(|next| inside.since < next.since)
                {
                    next = Some(inside);
                }
            }
        }
        next
    }

    /// The shell of a building, and the opening by which the ray enters it.
    fn building(&mut self, building: &Building, stay: Stay) -> Option<Stay> {
        let mesh = building.model.as_ref()?.parts.first()?.mesh.as_ref()?;
        let bounds = mesh.flood_sphere()?;
        let shell = self.local(building.shell.cell).within(&building.shell.frame, 1.0);
        shell.sphere(&bounds)?;
        if let Some(mesh) = &mesh.physics {
            self.meet(shell.polygons(&mesh.polygons, stay.begin()), Target::Shell(building.position.cell));
        }
        let entrances = building.portals.iter().filter_map(|portal| {
            let cell = self.world.env_cell(portal.cell)?;
            let own = cell.portals.get(usize::from(portal.other_portal?))?;
            let inner = self.local(cell.id()).within(&cell.position.frame, 1.0);
            let entering = if own.neighbour_is_positive { Crossing::Against } else { Crossing::Along };
            let since = opening(&inner, cell, own, entering)?;
            (since >= stay.begin()).then(|| Stay { cell: portal.cell, since: since.max(stay.since) })
        });
        entrances.min_by(|a, b| a.since.total_cmp(&b.since))
    }

    /// The land cell behind the border that the ray crosses first.
    fn beyond(&self, land: LandCell<'_>, stay: Stay) -> Option<Stay> {
        let ray = self.local(land.id());
        let low = Vec3::new((land.index() / 8) as f32, (land.index() % 8) as f32, 0.0) * CELL_SIDE;
        let to_border = |low: f32, at: f32, way: f32| match way {
            way if way > 0.0 => (low + CELL_SIDE - at) / way,
            way if way < 0.0 => (low - at) / way,
            _ => f32::INFINITY,
        };
        let (o, d) = (ray.origin, ray.direction);
        let border = to_border(low.x, o.x, d.x).min(to_border(low.y, o.y, d.y));
        let since = border.max(stay.since) + NUDGE;
        if !since.is_finite() {
            return None;
        }
        let (cell, _) = adjust_to_outside(land.id(), ray.at(since))?;
        Some(Stay { cell, since })
    }
}

/// Where a ray in a cell's space passes one of its openings.
fn opening(inner: &Ray, cell: &EnvCell, portal: &CellPortal, crossing: Crossing) -> Option<f32> {
    let polygons = &cell.structure.portal_polygons;
    let polygon = polygons.polygons().get(usize::from(portal.polygon))?;
    // The polygon's own plane may face either way; the opening's plane says which side is which.
    let agrees = polygon.plane.normal.dot(portal.plane.normal) >= 0.0;
    let crossing = match (crossing, agrees) {
        (Crossing::Along, true) | (Crossing::Against, false) => Crossing::Along,
        _ => Crossing::Against,
    };
    inner.polygon(&polygon.plane, polygons.edges(polygon), crossing)
}

/// A block and its neighbours, whose buildings may reach into it.
fn around(block: BlockId) -> impl Iterator<Item = BlockId> {
    let span = |v: u8| v.saturating_sub(1)..=v.saturating_add(1);
    span(block.x()).flat_map(move |x| span(block.y()).map(move |y| BlockId::new(x, y)))
}
