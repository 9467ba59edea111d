//! Buildings: shells, rooms, openings, objects.

use super::canvas::{Canvas, Color};
use glam::{Vec2, Vec3};
use threshold_world::{
    Frame,
    bsp::PhysicsMesh,
    cell::{EnvCell, PortalTarget, StaticObject},
    landblock::{Building, Landblock},
    terrain::FLOOR_Z,
};

const SHELL: Color = [0.66, 0.63, 0.58];
const FLOOR: Color = [0.93, 0.89, 0.78];
const DEEP_FLOOR: Color = [0.52, 0.50, 0.58];
const WALL: Color = [0.22, 0.18, 0.16];
const DOORWAY: Color = [0.20, 0.42, 0.85];
const EXIT: Color = [0.10, 0.62, 0.28];
const OBJECT: Color = [0.36, 0.24, 0.12];
const OUTLINE: Color = [0.30, 0.26, 0.22];

/// A polygon in block coordinates.
struct Face {
    corners: Vec<Vec3>,
    normal: Vec3,
}

impl Face {
    fn is_floor(&self) -> bool {
        self.normal.z >= FLOOR_Z
    }

    fn is_wall(&self) -> bool {
        self.normal.z.abs() < 0.2
    }

    fn height(&self) -> f32 {
        self.corners.iter().map(|p| p.z).fold(f32::INFINITY, f32::min)
    }
}

fn faces<'m>(mesh: &'m PhysicsMesh, frame: &'m Frame) -> impl Iterator<Item = Face> + 'm {
    let set = &mesh.polygons;
    set.polygons().iter().map(move |polygon| Face {
        corners: set.vertices(polygon).map(|p| frame.apply(p)).collect(),
        normal: frame.rotate(polygon.plane.normal),
    })
}

/// Draws a block's buildings, rooms and objects.
pub(super) struct Buildings<'p> {
    pub(super) canvas: &'p mut Canvas,
    /// Where the block lies in the picture's coordinates.
    pub(super) origin: Vec2,
    /// Everything above this height is left out.
    pub(super) cut: f32,
}

impl Buildings<'_> {
    pub(super) fn draw(&mut self, block: &Landblock) {
        for object in &block.statics {
            self.object(object);
        }
        for building in &block.buildings {
            self.shell(building);
        }
        let mut cells: Vec<&EnvCell> = block.env_cells.iter().flatten().collect();
        cells.sort_by(|a, b| lowest(a).total_cmp(&lowest(b)));
        let (bottom, top) = height_range(&cells);
        // From the lowest up, so that a floor hides what lies below it.
        for cell in &cells {
            self.room(cell, bottom, top);
            self.openings(cell);
            for object in &cell.statics {
                self.object(object);
            }
        }
    }

    fn plan(&self, p: Vec3) -> Vec2 {
        self.origin + p.truncate()
    }

    /// Roofs from above, with the outline of the walls.
    fn shell(&mut self, building: &Building) {
        let mesh =
            building.model.as_ref().and_then(|model| model.parts.first()).and_then(|part| part.mesh.as_ref());
        let Some(physics) = mesh.and_then(|mesh| mesh.physics.as_ref()) else { return };
        let mut faces: Vec<Face> = faces(physics, &building.position.frame).collect();
        faces.retain(|face| face.height() <= self.cut);
        faces.sort_by(|a, b| a.height().total_cmp(&b.height()));
        for face in faces.iter().filter(|face| face.normal.z > 0.05) {
            let shade = 0.8 + 0.2 * face.normal.z + 0.15 * (face.normal.y - face.normal.x);
            self.fill(face, SHELL.map(|c| c * shade), 1.0);
        }
        for face in faces.iter().filter(|face| face.is_wall()) {
            self.wall(face, 2.0, OUTLINE);
        }
    }

    /// Floors, the deeper the darker, and walls.
    fn room(&mut self, cell: &EnvCell, bottom: f32, top: f32) {
        let Some(physics) = &cell.structure.physics else { return };
        let faces: Vec<Face> =
            faces(physics, &cell.position.frame).filter(|face| face.height() <= self.cut).collect();
        for face in faces.iter().filter(|face| face.is_floor()) {
            let level =
                if top > bottom { ((face.height() - bottom) / (top - bottom)).clamp(0.0, 1.0) } else { 1.0 };
            let color: Color = std::array::from_fn(|i| DEEP_FLOOR[i] + (FLOOR[i] - DEEP_FLOOR[i]) * level);
            self.fill(face, color, 0.9);
        }
        for face in faces.iter().filter(|face| face.is_wall()) {
            self.wall(face, 3.0, WALL);
        }
    }

    fn openings(&mut self, cell: &EnvCell) {
        let set = &cell.structure.portal_polygons;
        for portal in &cell.portals {
            let Some(polygon) = set.polygons().get(usize::from(portal.polygon)) else { continue };
            let face = Face {
                corners: set.vertices(polygon).map(|p| cell.position.frame.apply(p)).collect(),
                normal: cell.position.frame.rotate(polygon.plane.normal),
            };
            if face.height() > self.cut {
                continue;
            }
            let color = if portal.target == PortalTarget::Outside { EXIT } else { DOORWAY };
            if face.is_wall() {
                self.wall(&face, 5.0, color);
            } else {
                self.fill(&face, color, 0.25);
            }
        }
    }

    fn object(&mut self, object: &StaticObject) {
        let Some(model) = object.model.as_ref().filter(|_| object.frame.origin.z <= self.cut) else { return };
        let mut solid = false;
        for part in &model.parts {
            let Some(physics) = part.mesh.as_ref().and_then(|mesh| mesh.physics.as_ref()) else { continue };
            let frame = object.frame.compose(&part.frame);
            for face in faces(physics, &frame).filter(|face| face.normal.z > 0.05) {
                self.fill(&face, OBJECT, 0.8);
                solid = true;
            }
        }
        if !solid {
            let radius = model.cylinders.first().map_or(model.radius, |cylinder| cylinder.radius);
            self.canvas.disc(self.plan(object.frame.origin), radius.min(3.0), 2.0, OBJECT, 0.8);
        }
    }

    fn fill(&mut self, face: &Face, color: Color, alpha: f32) {
        let corners: Vec<Vec2> = face.corners.iter().map(|&p| self.plan(p)).collect();
        self.canvas.fill(&corners, color, alpha);
    }

    /// A wall is a line from above: its two corners that are farthest apart.
    fn wall(&mut self, face: &Face, width: f32, color: Color) {
        let points: Vec<Vec2> = face.corners.iter().map(|&p| self.plan(p)).collect();
        let pairs = points.iter().flat_map(|&a| points.iter().map(move |&b| (a, b)));
        if let Some((a, b)) = pairs.max_by(|(a, b), (c, d)| a.distance(*b).total_cmp(&c.distance(*d))) {
            self.canvas.line(a, b, width, color, 1.0);
        }
    }
}

/// Lowest point of a cell's structure in block coordinates.
fn lowest(cell: &EnvCell) -> f32 {
    cell.structure.bounds.transformed(|p| cell.position.frame.apply(p)).min.z
}

fn height_range(cells: &[&EnvCell]) -> (f32, f32) {
    let heights = || cells.iter().map(|cell| lowest(cell));
    (heights().fold(f32::INFINITY, f32::min), heights().fold(f32::NEG_INFINITY, f32::max))
}
