//! Lines over the picture that show how the engine sees the world: cells, openings, surfaces, trees, shapes.

use crate::{session::Session, settings::Show};
use glam::Vec3;
use threshold_physics::Entity;
use threshold_view::{Projection, Z_NEAR};
use threshold_world::{
    CellId, Frame,
    bsp::{PhysicsMesh, PhysicsNode},
    coords::{CELL_SIDE, block_offset},
    geometry::{PolygonSet, Sphere},
    terrain::FLOOR_Z,
};

/// Nothing farther away than this is outlined.
const REACH: f32 = 45.0;
/// Lines that are drawn at most: a picture with more shows nothing any more.
const MOST: usize = 12_000;

/// What a line belongs to; each kind has its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Boundary of a cell.
    Cell,
    /// An opening between cells.
    Portal,
    /// An opening to the outdoors.
    Exit,
    /// A surface one can stand on.
    Walkable,
    /// Any other surface that can be hit.
    Surface,
    /// A plane of a tree.
    Plane,
    /// The shape of an object.
    Shape,
    /// What was pointed at.
    Picked,
}

/// A line in the coordinates of the eye's block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// One end.
    pub from: Vec3,
    /// The other end.
    pub to: Vec3,
    /// What it shows.
    pub kind: Kind,
}

impl Line {
    /// Both ends as pixels of the picture; none when it is behind the eye.
    pub fn on_screen(&self, projection: &Projection) -> Option<[glam::Vec2; 2]> {
        let (mut a, mut b) = (projection.to_screen(self.from), projection.to_screen(self.to));
        if a.w < Z_NEAR && b.w < Z_NEAR {
            return None;
        }
        if a.w < Z_NEAR {
            a = a + (b - a) * ((Z_NEAR - a.w) / (b.w - a.w));
        } else if b.w < Z_NEAR {
            b = b + (a - b) * ((Z_NEAR - b.w) / (a.w - b.w));
        }
        let pixel = |v: glam::Vec4| v.truncate().truncate() / v.w;
        Some([pixel(a), pixel(b)])
    }
}

/// Collects lines.
struct Pen {
    lines: Vec<Line>,
    eye: Vec3,
}

impl Pen {
    fn line(&mut self, from: Vec3, to: Vec3, kind: Kind) {
        if self.lines.len() < MOST {
            self.lines.push(Line { from, to, kind });
        }
    }

    fn outline(&mut self, corners: &[Vec3], kind: Kind) {
        let near = corners.iter().any(|corner| (*corner - self.eye).length() < REACH);
        for i in (0..corners.len()).filter(|_| near) {
            self.line(corners[i], corners[(i + 1) % corners.len()], kind);
        }
    }

    fn polygons(&mut self, set: &PolygonSet, place: impl Fn(Vec3) -> Vec3, turn: impl Fn(Vec3) -> Vec3) {
        for polygon in set.polygons() {
            let corners: Vec<Vec3> = set.vertices(polygon).map(&place).collect();
            let walkable = turn(polygon.plane.normal).z >= FLOOR_Z;
            self.outline(&corners, if walkable { Kind::Walkable } else { Kind::Surface });
        }
    }

    fn circle(&mut self, center: Vec3, axes: (Vec3, Vec3), radius: f32, kind: Kind) {
        let point = |i: usize| {
            let angle = i as f32 / 24.0 * std::f32::consts::TAU;
            center + (axes.0 * libm::cosf(angle) + axes.1 * libm::sinf(angle)) * radius
        };
        (0..24).for_each(|i| self.line(point(i), point(i + 1), kind));
    }

    fn sphere(&mut self, center: Vec3, radius: f32, kind: Kind) {
        for axes in [(Vec3::X, Vec3::Y), (Vec3::X, Vec3::Z), (Vec3::Y, Vec3::Z)] {
            self.circle(center, axes, radius, kind);
        }
    }

    /// Every splitting plane, as a square within the bounds of its node.
    fn planes(&mut self, mesh: &PhysicsMesh, place: impl Fn(Vec3) -> Vec3) {
        for node in &mesh.tree.nodes {
            let PhysicsNode::Inner { sphere: Sphere { center, radius }, plane, .. } = node else { continue };
            let middle = *center - plane.normal * plane.distance(*center);
            let aside = plane.normal.any_orthonormal_vector() * *radius;
            let along = plane.normal.cross(aside);
            let corners = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)]
                .map(|(a, b)| place(middle + (aside * a + along * b) * 0.7));
            self.outline(&corners, Kind::Plane);
        }
    }

    fn entity(&mut self, entity: &Entity, shift: Vec3, kind: Kind) {
        let (frame, scale) = (&entity.position.frame, entity.scale);
        if (frame.origin + shift - self.eye).length() > REACH {
            return;
        }
        for part in &entity.model.parts {
            let Some(mesh) = part.mesh.as_ref().and_then(|mesh| mesh.physics.as_ref()) else { continue };
            let inner = Frame::new(part.frame.origin * scale, part.frame.rotation());
            let whole = frame.compose(&inner);
            for polygon in mesh.polygons.polygons() {
                let corner = |v: Vec3| whole.apply(v * (part.scale.z * scale)) + shift;
                let corners: Vec<Vec3> = mesh.polygons.vertices(polygon).map(corner).collect();
                self.outline(&corners, kind);
            }
        }
        for cylinder in &entity.model.cylinders {
            let low = frame.apply(cylinder.low * scale) + shift;
            let high = low + Vec3::Z * (cylinder.height * scale);
            let radius = cylinder.radius * scale;
            self.circle(low, (Vec3::X, Vec3::Y), radius, kind);
            self.circle(high, (Vec3::X, Vec3::Y), radius, kind);
            for side in [Vec3::X, Vec3::Y, -Vec3::X, -Vec3::Y] {
                self.line(low + side * radius, high + side * radius, kind);
            }
        }
        if !entity.model.has_physics_mesh() {
            for sphere in &entity.model.spheres {
                self.sphere(frame.apply(sphere.center * scale) + shift, sphere.radius * scale, kind);
            }
        }
    }
}

/// Everything that is to be outlined around the eye.
pub fn lines(session: &Session, show: &Show, picked: Option<crate::session::Pick>) -> Vec<Line> {
    let Some(eye) = session.eye().position() else { return Vec::new() };
    let mut pen = Pen { lines: Vec::new(), eye: eye.frame.origin };
    let world = session.world();
    if show.cells || show.portals || show.surfaces {
        rooms(session, show, &mut pen, eye.cell);
    }
    if show.cells || show.surfaces {
        ground(session, show, &mut pen, eye.cell);
    }
    if show.bsp
        && let Some(room) = world.env_cell(session.position().cell)
        && let Some(mesh) = &room.structure.physics
    {
        let shift = block_offset(eye.cell, room.id());
        pen.planes(mesh, |v| room.position.frame.apply(v) + shift);
    }
    if show.shapes {
        for (_, entity) in session.scene().entities().filter(|(_, entity)| entity.cell.is_some()) {
            pen.entity(entity, block_offset(eye.cell, entity.position.cell), Kind::Shape);
        }
    }
    if let Some(crate::session::Pick { target: crate::session::Target::Entity(key), .. }) = picked
        && let Some(entity) = session.scene().get(key)
    {
        pen.entity(entity, block_offset(eye.cell, entity.position.cell), Kind::Picked);
    }
    pen.lines
}

fn rooms(session: &Session, show: &Show, pen: &mut Pen, eye: CellId) {
    let world = session.world();
    for block in world.block_ids() {
        let shift = block_offset(eye, block.cell(1));
        if (Vec3::new(96.0, 96.0, 0.0) + shift - pen.eye.with_z(0.0)).length() > REACH + 140.0 {
            continue;
        }
        let Some(data) = world.block_data(block) else { continue };
        for room in data.env_cells.iter().flatten().filter(|room| world.env_cell(room.id()).is_some()) {
            let frame = &room.position.frame;
            let place = |v: Vec3| frame.apply(v) + shift;
            if show.cells {
                let bounds = room.structure.bounds;
                let corners = bounds.corners().map(place);
                for (a, b) in [
                    (0, 1),
                    (0, 2),
                    (0, 4),
                    (1, 3),
                    (1, 5),
                    (2, 3),
                    (2, 6),
                    (3, 7),
                    (4, 5),
                    (4, 6),
                    (5, 7),
                    (6, 7),
                ] {
                    if (corners[a] - pen.eye).length() < REACH {
                        pen.line(corners[a], corners[b], Kind::Cell);
                    }
                }
            }
            if show.portals {
                for portal in &room.portals {
                    let polygons = &room.structure.portal_polygons;
                    let Some(polygon) = polygons.polygons().get(usize::from(portal.polygon)) else {
                        continue;
                    };
                    let corners: Vec<Vec3> = polygons.vertices(polygon).map(place).collect();
                    let outside = portal.target == threshold_world::cell::PortalTarget::Outside;
                    pen.outline(&corners, if outside { Kind::Exit } else { Kind::Portal });
                }
            }
            if show.surfaces
                && let Some(mesh) = &room.structure.physics
            {
                pen.polygons(&mesh.polygons, place, |v| frame.rotate(v));
            }
        }
    }
}

/// Borders and triangles of the land cells nearby.
fn ground(session: &Session, show: &Show, pen: &mut Pen, eye: CellId) {
    let world = session.world();
    for block in world.block_ids() {
        let Some(land) = world.landscape(block) else { continue };
        let shift = block_offset(eye, block.cell(1));
        for cell in 0..64usize {
            let (x, y) = ((cell / 8) as f32 * CELL_SIDE, (cell % 8) as f32 * CELL_SIDE);
            let middle = Vec3::new(x + 12.0, y + 12.0, 0.0) + shift;
            if (middle - pen.eye.with_z(0.0)).length() > REACH {
                continue;
            }
            if show.cells {
                let [sw, se, nw, ne] =
                    land.terrain.corner_samples(cell).map(|s| land.terrain.vertex(s) + shift);
                for (a, b) in [(sw, se), (se, ne), (ne, nw), (nw, sw)] {
                    pen.line(a + Vec3::Z * 0.05, b + Vec3::Z * 0.05, Kind::Cell);
                }
            }
            if show.surfaces {
                for half in 0..2 {
                    let corners = land.terrain.triangle(cell, half).map(|v| v + shift);
                    let walkable = land.terrain.plane(cell, half).normal.z >= FLOOR_Z;
                    pen.outline(&corners, if walkable { Kind::Walkable } else { Kind::Surface });
                }
            }
        }
    }
}
