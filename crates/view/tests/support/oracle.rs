//! The slow, obvious way to find out what a pixel shows: cast its ray from opening to opening.
//!
//! Works on any [`World`], in double precision and map-wide coordinates, and shares no code with the planner.
#![allow(dead_code, unreachable_pub)] // Each test file uses its own part.

use glam::{DVec2, DVec3, Vec2};
use std::collections::HashMap;
use threshold_view::{FloodSource, FramePlan, Options, Span, Step, View};
use threshold_world::{
    BlockId, CellId, Frame, World,
    cell::{EnvCell, PortalTarget},
    coords::{BLOCK_SIDE, CELL_SIDE},
    geometry::{Polygon, PolygonSet},
};

/// How far a ray goes outdoors before it counts as having reached the sky.
const OUTDOOR_REACH: f64 = 400.0;

struct Face {
    corners: Vec<DVec3>,
    normal: DVec3,
}

impl Face {
    fn new(set: &PolygonSet, polygon: &Polygon, place: impl Fn(DVec3) -> DVec3) -> Face {
        let corners: Vec<DVec3> = set.vertices(polygon).map(|p| place(p.as_dvec3())).collect();
        let mut normal = DVec3::ZERO;
        for pair in corners.windows(2).skip(1) {
            normal += (pair[0] - corners[0]).cross(pair[1] - corners[0]);
        }
        Face { corners, normal: normal.normalize() }
    }

    /// Where a ray meets the face: distance along the ray, positive when it comes from the front.
    fn meet(&self, ray: &Ray) -> Option<(f64, bool)> {
        let along = self.normal.dot(ray.direction);
        let t = self.normal.dot(self.corners[0] - ray.eye) / along;
        if !(t.is_finite() && t > 0.0) {
            return None;
        }
        let p = ray.eye + ray.direction * t;
        let mut previous = *self.corners.last()?;
        for &corner in &self.corners {
            if (corner - previous).cross(p - previous).dot(self.normal) < 0.0 {
                return None;
            }
            previous = corner;
        }
        Some((t, along < 0.0))
    }
}

struct Opening {
    face: Face,
    /// The owner lies in front of the polygon.
    owner_in_front: bool,
    target: PortalTarget,
    /// The polygon of the other side, which an inexact pair must pass as well.
    other: Option<usize>,
}

struct Cell {
    openings: Vec<Opening>,
    walls: Vec<Face>,
}

struct Shell {
    block: BlockId,
    openings: Vec<Opening>,
    visible: Vec<Vec<CellId>>,
    walls: Vec<Face>,
}

pub struct Ray {
    pub eye: DVec3,
    pub direction: DVec3,
}

/// What a ray met.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Trace {
    /// Interior cells from the viewer's own on, before the ray left them.
    pub inside: Vec<CellId>,
    /// The ray was outdoors.
    pub outdoors: bool,
    /// Interior cells of a building that the ray entered from outdoors, in the order it went through them.
    pub building: Vec<CellId>,
    /// Land cell whose ground the ray hit outdoors, and from which side.
    pub ground: Option<CellId>,
    /// The same for openings that something outdoors hides: ground or another building.
    pub hidden: Vec<CellId>,
    /// Corners of the openings it went through, for judging how narrow they are together.
    pub chain: Vec<Vec<DVec3>>,
}

pub struct Oracle<'w> {
    world: &'w World,
    cells: HashMap<CellId, Cell>,
    shells: Vec<Shell>,
}

fn map_origin(cell: CellId) -> DVec3 {
    let block = cell.block();
    DVec3::new(f64::from(block.x()), f64::from(block.y()), 0.0) * f64::from(BLOCK_SIDE)
}

/// Places a point by a frame in double precision.
fn placer(frame: Frame, origin: DVec3) -> impl Fn(DVec3) -> DVec3 {
    let axis = |v: glam::Vec3| frame.rotate(v).as_dvec3();
    let (x, y, z) = (axis(glam::Vec3::X), axis(glam::Vec3::Y), axis(glam::Vec3::Z));
    let at = frame.origin.as_dvec3() + origin;
    move |p| x * p.x + y * p.y + z * p.z + at
}

impl<'w> Oracle<'w> {
    pub fn new(world: &'w World) -> Oracle<'w> {
        let mut oracle = Oracle { world, cells: HashMap::new(), shells: Vec::new() };
        for id in world.block_ids() {
            let block = world.block_data(id).unwrap();
            for cell in block.env_cells.iter().flatten() {
                oracle.cells.insert(cell.id(), oracle.cell(cell));
            }
            for building in block.cell_buildings.iter().flatten().map(|&i| &block.buildings[usize::from(i)]) {
                let Some(part) = building.model.as_ref().and_then(|m| m.parts.first()) else { continue };
                let Some(mesh) = &part.mesh else { continue };
                let frame = building.position.frame.compose(&part.frame);
                let place = placer(frame, map_origin(building.position.cell));
                let mut shell = Shell {
                    block: building.position.cell.block(),
                    openings: Vec::new(),
                    visible: Vec::new(),
                    walls: Vec::new(),
                };
                for &(polygon, portal) in mesh.openings.iter().flat_map(|node| node.portals.iter()) {
                    let record = &building.portals[usize::from(portal)];
                    let polygon = &mesh.opening_polygons.polygons()[usize::from(polygon)];
                    shell.openings.push(Opening {
                        face: Face::new(&mesh.opening_polygons, polygon, &place),
                        owner_in_front: !record.neighbour_is_positive,
                        target: PortalTarget::Cell(record.cell),
                        other: None,
                    });
                    let admitted = record.visible_cells.iter().map(|&low| record.cell.block().cell(low));
                    shell.visible.push(admitted.chain([record.cell]).collect());
                }
                let walls = mesh.physics.as_ref().map(|physics| &physics.polygons);
                if let Some(set) = walls {
                    shell.walls.extend(set.polygons().iter().map(|p| Face::new(set, p, &place)));
                }
                oracle.shells.push(shell);
            }
        }
        oracle
    }

    fn cell(&self, cell: &EnvCell) -> Cell {
        let place = placer(cell.position.frame, map_origin(cell.id()));
        let set = &cell.structure.portal_polygons;
        let mut openings = Vec::new();
        for portal in &cell.portals {
            let other = portal.other_portal.map(usize::from).filter(|_| !portal.exact_match);
            openings.push(Opening {
                face: Face::new(set, &set.polygons()[usize::from(portal.polygon)], &place),
                owner_in_front: !portal.neighbour_is_positive,
                target: portal.target,
                other,
            });
        }
        let mut walls = Vec::new();
        if let Some(physics) = &cell.structure.physics {
            walls.extend(physics.polygons.polygons().iter().map(|p| Face::new(&physics.polygons, p, &place)));
        }
        Cell { openings, walls }
    }

    /// The ray through a pixel of a plan.
    pub fn ray(&self, plan: &FramePlan, cell: CellId, pixel: Vec2) -> Ray {
        let p = plan.projection.expect("a plan with a root");
        let ndc = DVec2::new(
            f64::from(pixel.x) * 2.0 / f64::from(p.size.x) - 1.0,
            1.0 - f64::from(pixel.y) * 2.0 / f64::from(p.size.y),
        );
        let direction = p.forward.as_dvec3()
            + p.right.as_dvec3() * (ndc.x * f64::from(p.tangent.x))
            + p.up.as_dvec3() * (ndc.y * f64::from(p.tangent.y));
        Ray { eye: p.eye.as_dvec3() + map_origin(cell), direction }
    }

    /// Follows a ray from the viewer's cell.
    pub fn trace(&self, root: CellId, ray: &Ray) -> Trace {
        let mut trace = Trace::default();
        let mut t = 0.0;
        if root.is_interior() {
            let cell = self.world.env_cell(root).expect("the viewer's cell is loaded");
            let mut path = Vec::new();
            let left = self.through_cells(root, |id| cell.sees(id), ray, &mut t, &mut path, &mut trace.chain);
            trace.inside = path;
            if !left {
                return trace;
            }
        }
        trace.outdoors = true;
        self.outdoors(root.block(), ray, t, &mut trace);
        trace
    }

    /// Goes from cell to cell; true when the ray left through an exit.
    fn through_cells(
        &self,
        root: CellId,
        admitted: impl Fn(CellId) -> bool,
        ray: &Ray,
        t: &mut f64,
        path: &mut Vec<CellId>,
        chain: &mut Vec<Vec<DVec3>>,
    ) -> bool {
        let mut id = root;
        // Bad data may lead a ray in circles.
        for _ in 0..1000 {
            path.push(id);
            let cell = &self.cells[&id];
            let wall = nearest_wall(&cell.walls, ray, *t);
            let Some((at, opening)) =
                nearest_opening(&cell.openings, ray, *t).filter(|&(at, _)| at <= wall + 1e-6)
            else {
                return false;
            };
            match opening.target {
                PortalTarget::Outside => {
                    chain.push(opening.face.corners.clone());
                    *t = at;
                    return true;
                }
                PortalTarget::Cell(next) => {
                    let known = self.world.env_cell(next).is_some() && admitted(next) && next != id;
                    let other = opening.other.and_then(|other| self.cells.get(&next)?.openings.get(other));
                    if !known || other.is_some_and(|other| other.face.meet(ray).is_none()) {
                        return false;
                    }
                    chain.push(opening.face.corners.clone());
                    chain.extend(other.map(|other| other.face.corners.clone()));
                    *t = at;
                    id = next;
                }
            }
        }
        false
    }

    fn outdoors(&self, viewer: BlockId, ray: &Ray, from: f64, trace: &mut Trace) {
        // Buildings of blocks farther away are not drawn at all.
        let is_drawn = |shell: &&Shell| {
            let apart = shell.block.x().abs_diff(viewer.x()).max(shell.block.y().abs_diff(viewer.y()));
            apart <= Options::default().detail_rings
        };
        let ground = self.ground(ray, from);
        let mut wall = ground.map_or(OUTDOOR_REACH / ray.direction.length(), |(t, _)| t);
        for shell in self.shells.iter().filter(is_drawn) {
            wall = wall.min(nearest_wall(&shell.walls, ray, from));
        }
        let mut entry: Option<(f64, &Shell, usize)> = None;
        for shell in self.shells.iter().filter(is_drawn) {
            for (index, opening) in shell.openings.iter().enumerate() {
                let Some((t, front)) = opening.face.meet(ray) else { continue };
                if front != opening.owner_in_front || t < from - 1e-6 {
                    continue;
                }
                if t > wall + 1e-6 {
                    self.enter(shell, index, ray, t, &mut trace.hidden, &mut Vec::new());
                } else if entry.is_none_or(|(best, ..)| t < best) {
                    entry = Some((t, shell, index));
                }
            }
        }
        match entry {
            Some((t, shell, index)) => {
                let (path, chain) = (&mut trace.building, &mut trace.chain);
                self.enter(shell, index, ray, t, path, chain);
            }
            None => trace.ground = ground.filter(|&(t, _)| t <= wall).map(|(_, cell)| cell),
        }
    }

    /// Goes on through an opening of a building.
    fn enter(
        &self,
        shell: &Shell,
        index: usize,
        ray: &Ray,
        mut t: f64,
        path: &mut Vec<CellId>,
        chain: &mut Vec<Vec<DVec3>>,
    ) {
        let PortalTarget::Cell(cell) = shell.openings[index].target else { return };
        if self.world.env_cell(cell).is_some() {
            chain.push(shell.openings[index].face.corners.clone());
            let admitted = |id| shell.visible[index].contains(&id);
            self.through_cells(cell, admitted, ray, &mut t, path, chain);
        }
    }

    /// The first ground a ray meets from above, and its land cell.
    fn ground(&self, ray: &Ray, from: f64) -> Option<(f64, CellId)> {
        let side = f64::from(CELL_SIDE);
        let reach = OUTDOOR_REACH / ray.direction.length();
        let mut t = from;
        while t < reach {
            let p = ray.eye + ray.direction * (t + 1e-6);
            let (x, y) = ((p.x / side).floor(), (p.y / side).floor());
            let next = |p: f64, d: f64, cell: f64| {
                let border = if d > 0.0 { cell + 1.0 } else { cell } * side;
                if d == 0.0 { f64::MAX } else { (border - p) / d }
            };
            let leave = t + 1e-6 + next(p.x, ray.direction.x, x).min(next(p.y, ray.direction.y, y)).max(0.0);
            let coord = threshold_world::coords::LandCoord { x: x as i32, y: y as i32 };
            if let Some(id) = coord.cell()
                && let Some(block) = self.world.landscape(id.block())
            {
                let cell = usize::from(id.low()) - 1;
                for half in 0..2 {
                    let corners = block.terrain.triangle(cell, half).map(|p| p.as_dvec3() + map_origin(id));
                    let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize();
                    let face = Face { corners: corners.to_vec(), normal };
                    if let Some((hit, true)) = face.meet(ray)
                        && hit >= from
                    {
                        return Some((hit, id));
                    }
                }
            }
            t = leave.max(t + 1e-3);
        }
        None
    }
}

/// Distance to the nearest wall that the ray meets from the front.
fn nearest_wall(walls: &[Face], ray: &Ray, from: f64) -> f64 {
    let hits = walls.iter().filter_map(|wall| wall.meet(ray)).filter(|&(t, front)| front && t >= from - 1e-6);
    hits.fold(f64::MAX, |nearest, (t, _)| nearest.min(t))
}

/// The nearest opening that the ray goes out by.
fn nearest_opening<'a>(openings: &'a [Opening], ray: &Ray, from: f64) -> Option<(f64, &'a Opening)> {
    let mut nearest: Option<(f64, &Opening)> = None;
    for opening in openings {
        let Some((t, front)) = opening.face.meet(ray) else { continue };
        if front == opening.owner_in_front && t >= from - 1e-6 && nearest.is_none_or(|(best, _)| t < best) {
            nearest = Some((t, opening));
        }
    }
    nearest
}

/// Whether a pixel lies in a counter-clockwise region grown by `margin` pixels.
pub fn contains(pixels: &[Vec2], p: Vec2, margin: f32) -> bool {
    (0..pixels.len()).all(|i| {
        let (a, b) = (pixels[i], pixels[(i + 1) % pixels.len()]);
        let edge = b - a;
        // Pixels run downwards: inside is where the cross product is negative.
        edge.perp_dot(p - a) <= margin * edge.length()
    })
}

fn any_contains(plan: &FramePlan, list: Span, pixel: Vec2, margin: f32) -> bool {
    plan.views(list).any(|view: &View| contains(plan.pixels(view), pixel, margin))
}

/// What a plan lacks of a traced pixel.
pub fn missing(plan: &FramePlan, trace: &Trace, pixel: Vec2) -> Option<String> {
    const MARGIN: f32 = 1.0;
    for id in &trace.inside {
        let cell = plan.interior_cells().iter().find(|c| c.id == *id);
        if !cell.is_some_and(|c| any_contains(plan, c.views, pixel, MARGIN)) {
            return Some(format!("cell {id} ({})", if cell.is_some() { "region" } else { "not planned" }));
        }
    }
    if trace.outdoors && !any_contains(plan, plan.outside, pixel, MARGIN) {
        return Some("the outdoors".into());
    }
    for id in &trace.building {
        let floods = plan.floods.iter().filter(|f| f.source != FloodSource::Viewer);
        let mut cells = floods.flat_map(|f| &plan.cells[f.cells.range()]).filter(|c| c.id == *id);
        if !cells.any(|c| any_contains(plan, c.views, pixel, MARGIN)) {
            return Some(format!("cell {id} of a building"));
        }
    }
    if let Some(ground) = trace.ground {
        let drawn = |step: &Step| match *step {
            Step::Terrain { block, side: 8, cell, .. } => block.cell(u16::from(cell) + 1) == ground,
            Step::Terrain { block, .. } => block == ground.block(),
            _ => false,
        };
        if !plan.steps.iter().any(drawn) {
            return Some(format!("ground of {ground}"));
        }
    }
    None
}

/// Whether the openings of a chain together leave less than about a pixel in some direction.
pub fn is_sliver(plan: &FramePlan, cell: CellId, trace: &Trace) -> bool {
    let p = plan.projection.expect("a plan with a root");
    let (eye, size) = (p.eye.as_dvec3() + map_origin(cell), p.size.as_dvec2());
    let project = |corner: &DVec3| {
        let rel = *corner - eye;
        let w = p.forward.as_dvec3().dot(rel);
        let x = (p.right.as_dvec3().dot(rel) / f64::from(p.tangent.x) + w) * size.x / 2.0;
        let y = (w - p.up.as_dvec3().dot(rel) / f64::from(p.tangent.y)) * size.y / 2.0;
        DVec3::new(x, y, w)
    };
    let mut region = vec![
        DVec3::new(0.0, size.y, 1.0),
        DVec3::new(size.x, size.y, 1.0),
        DVec3::new(size.x, 0.0, 1.0),
        DVec3::new(0.0, 0.0, 1.0),
    ];
    for opening in &trace.chain {
        let mut corners: Vec<DVec3> = opening.iter().map(project).collect();
        // Both windings occur; the planes of the cut must look inwards.
        let center = corners.iter().sum::<DVec3>();
        let normal = corners[0].cross(corners[1]);
        if normal.dot(center) < 0.0 {
            corners.reverse();
        }
        for i in 0..corners.len() {
            let plane = corners[i].cross(corners[(i + 1) % corners.len()]);
            region = cut(&region, plane);
        }
        if region.len() < 3 {
            return true;
        }
        let flat: Vec<DVec2> = region.iter().map(|p| DVec2::new(p.x, p.y) / p.z).collect();
        let min = flat.iter().fold(DVec2::MAX, |m, p| m.min(*p));
        let max = flat.iter().fold(DVec2::MIN, |m, p| m.max(*p));
        let area: f64 =
            (0..flat.len()).map(|i| flat[i].perp_dot(flat[(i + 1) % flat.len()])).sum::<f64>() / 2.0;
        if area.abs() / (max - min).max_element() <= 1.5 {
            return true;
        }
    }
    false
}

/// Keeps what lies on the positive side of a plane through the eye.
fn cut(polygon: &[DVec3], plane: DVec3) -> Vec<DVec3> {
    let mut out = Vec::new();
    for i in 0..polygon.len() {
        let (a, b) = (polygon[i], polygon[(i + 1) % polygon.len()]);
        let (da, db) = (plane.dot(a), plane.dot(b));
        if da >= 0.0 {
            out.push(a);
        }
        if (da >= 0.0) != (db >= 0.0) {
            out.push((a * db.abs() + b * da.abs()) / (da.abs() + db.abs()));
        }
    }
    out
}
