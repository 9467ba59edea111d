//! Maps of the tour as SVG: the land with the whole way, and floor plans of what is around a stop.

use super::{Tour, TourLine};
use glam::{Vec2, Vec3};
use std::fmt::Write;
use threshold_render::map::{Rectangle, block_origin};
use threshold_world::{
    BlockId, CellId, World,
    bsp::PhysicsMesh,
    cell::{EnvCell, PortalTarget},
    geometry::{Polygon, PolygonSet},
    terrain::FLOOR_Z,
};

/// Metres of land around the way.
const MARGIN: f32 = 40.0;
/// Half of what a small map shows, east and north: outdoors, in houses, in dungeons.
const OUTDOORS: Vec2 = Vec2::new(64.0, 48.0);
const HOUSE: Vec2 = Vec2::new(12.0, 9.0);
const DUNGEON: Vec2 = Vec2::new(28.0, 21.0);
/// What is higher than a tall man's reach above the feet, or deeper than this below them, is on another floor.
const ABOVE: f32 = 1.6;
const BELOW: f32 = 1.4;
/// Half the horizontal angle of the pictures, in radians.
const HALF_VIEW: f32 = 0.799;

/// What lies under the way outdoors.
pub(crate) fn land_extent(tour: &Tour) -> Rectangle {
    let walked = tour.lines.iter().filter(|line| !is_dungeon(tour.sim.world(), line.line.cell.block()));
    let (min, max) = walked
        .map(on_map)
        .fold((Vec2::INFINITY, Vec2::NEG_INFINITY), |(min, max), p| (min.min(p), max.max(p)));
    Rectangle { min: min - MARGIN, max: max + MARGIN }
}

/// Blocks that a rectangle touches.
pub(crate) fn blocks_in(world: &World, Rectangle { min, max }: Rectangle) -> Vec<BlockId> {
    let side = threshold_world::coords::BLOCK_SIDE;
    let touches = |id: &BlockId| {
        let corner = block_origin(*id);
        (corner + side).cmpge(min).all() && corner.cmple(max).all()
    };
    world.block_ids().filter(touches).collect()
}

/// A block with rooms and without houses: the land above has nothing to do with it.
fn is_dungeon(world: &World, block: BlockId) -> bool {
    world
        .block_data(block)
        .is_some_and(|block| block.buildings.is_empty() && block.env_cells.iter().any(Option::is_some))
}

fn on_map(line: &TourLine) -> Vec2 {
    let [x, y, _] = line.line.origin;
    block_origin(line.line.cell.block()) + Vec2::new(x, y)
}

/// Draws in metres east and south of a corner of the map.
pub(crate) struct Chart<'t> {
    tour: &'t Tour,
    land: Rectangle,
}

impl<'t> Chart<'t> {
    pub(crate) fn new(tour: &'t Tour, land: Rectangle) -> Chart<'t> {
        Chart { tour, land }
    }

    fn point(&self, p: Vec2) -> Vec2 {
        let Rectangle { min, max } = self.land;
        Vec2::new(p.x - min.x, max.y - p.y)
    }

    fn view_box(&self, center: Vec2, half: Vec2) -> String {
        let corner = self.point(center) - half;
        format!("{:.1} {:.1} {:.1} {:.1}", corner.x, corner.y, half.x * 2.0, half.y * 2.0)
    }

    /// What all maps of the land share, as `#land`: the picture and the way.
    pub(crate) fn definitions(&self, picture: &str) -> String {
        let size = self.land.max - self.land.min;
        let mut svg = format!(
            "<svg width=\"0\" height=\"0\" aria-hidden=\"true\"><defs><g id=\"land\">\
             <image href=\"{picture}\" width=\"{:.1}\" height=\"{:.1}\"/>",
            size.x, size.y
        );
        let world = self.tour.sim.world();
        let outdoors = |line: &TourLine| !is_dungeon(world, line.line.cell.block());
        self.way(&mut svg, self.tour.lines.len(), 1.5, outdoors);
        svg + "</g></defs></svg>\n"
    }

    /// The whole land, with a numbered mark that leads to each stop.
    pub(crate) fn overview(&self) -> String {
        let Rectangle { min, max } = self.land;
        let mut svg = format!(
            "<svg class=\"overview\" viewBox=\"{}\" role=\"img\" aria-label=\"map of the walk\">\
             <use href=\"#land\"/>",
            self.view_box((min + max) / 2.0, (max - min) / 2.0)
        );
        let mut taken: Vec<Vec2> = Vec::new();
        for (i, stop) in self.tour.stops.iter().enumerate() {
            let line = &self.tour.lines[stop.tick];
            if is_dungeon(self.tour.sim.world(), line.line.cell.block()) {
                continue;
            }
            let place = self.point(on_map(line));
            // Marks that would lie on each other move aside, in a spiral.
            let spot = (0..60)
                .map(|k| {
                    let (turn, reach) = (k as f32 * 2.4, 2.2 * (k as f32).sqrt());
                    place + Vec2::new(libm::cosf(turn), libm::sinf(turn)) * reach
                })
                .find(|spot| taken.iter().all(|other| other.distance(*spot) > 6.4))
                .unwrap_or(place);
            taken.push(spot);
            let _ = write!(
                svg,
                "<a href=\"#stop-{n}\"><line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" class=\"lead\"/>\
                 <circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" class=\"mark\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" class=\"number\">{n}</text></a>",
                place.x,
                place.y,
                spot.x,
                spot.y,
                spot.x,
                spot.y,
                spot.x,
                spot.y + 1.1,
                n = i + 1
            );
        }
        svg + "</svg>\n"
    }

    /// A small map around the place of a tick.
    pub(crate) fn around(&self, tick: usize) -> String {
        let line = &self.tour.lines[tick];
        let (cell, center) = (line.line.cell, on_map(line));
        let dungeon = is_dungeon(self.tour.sim.world(), cell.block());
        let half = match (cell.is_interior(), dungeon) {
            (false, _) => OUTDOORS,
            (true, false) => HOUSE,
            (true, true) => DUNGEON,
        };
        let mut svg = format!(
            "<svg class=\"{}\" viewBox=\"{}\" role=\"img\" aria-label=\"map around the place\">",
            if cell.is_interior() { "plan" } else { "near" },
            self.view_box(center, half)
        );
        if cell.is_interior() {
            self.floor(&mut svg, line, half.length());
            let z = line.line.origin[2];
            let here = |other: &TourLine| {
                other.line.cell.block() == cell.block() && (other.line.origin[2] - z).abs() < 1.3
            };
            self.way(&mut svg, tick + 1, 0.3, here);
        } else {
            svg.push_str("<use href=\"#land\"/>");
        }
        self.player(&mut svg, line, half.x / 12.0);
        svg + "</svg>"
    }

    /// The way up to a tick, as far as it is `shown`, with corners every `step` metres.
    fn way(&self, svg: &mut String, until: usize, step: f32, shown: impl Fn(&TourLine) -> bool) {
        let mut points = String::new();
        let mut last: Option<Vec2> = None;
        let mut flush = |points: &mut String| {
            if points.contains(' ') {
                let _ = write!(svg, "<polyline class=\"way\" points=\"{}\"/>", points.trim());
            }
            points.clear();
        };
        for line in &self.tour.lines[..until] {
            if !shown(line) {
                flush(&mut points);
                last = None;
                continue;
            }
            let p = self.point(on_map(line));
            if last.is_none_or(|last| last.distance(p) >= step) {
                let _ = write!(points, "{:.1},{:.1} ", p.x, p.y);
                last = Some(p);
            }
        }
        flush(&mut points);
    }

    /// The player and what lies in its view.
    fn player(&self, svg: &mut String, line: &TourLine, size: f32) {
        let at = on_map(line);
        let forward = line.player().frame.rotate(Vec3::Y).truncate().normalize_or(Vec2::Y);
        let side = |angle: f32| {
            let direction = Vec2::from_angle(angle).rotate(forward);
            self.point(at + direction * size * 5.0)
        };
        let (at, left, right) = (self.point(at), side(HALF_VIEW), side(-HALF_VIEW));
        let _ = write!(
            svg,
            "<polygon class=\"view\" points=\"{:.1},{:.1} {:.1},{:.1} {:.1},{:.1}\"/>\
             <circle class=\"player\" cx=\"{:.2}\" cy=\"{:.2}\" r=\"{:.2}\"/>",
            at.x,
            at.y,
            left.x,
            left.y,
            right.x,
            right.y,
            at.x,
            at.y,
            size * 0.35
        );
    }

    /// Floors, walls and openings of the rooms on the same floor.
    fn floor(&self, svg: &mut String, line: &TourLine, reach: f32) {
        let Some(block) = self.tour.sim.world().block_data(line.line.cell.block()) else { return };
        let (z, at) = (line.line.origin[2], Vec2::new(line.line.origin[0], line.line.origin[1]));
        let rooms: Vec<&EnvCell> = block
            .env_cells
            .iter()
            .flatten()
            .filter(|cell| {
                let bounds = cell.structure.bounds.transformed(|p| cell.position.frame.apply(p));
                let nearest = at.clamp(bounds.min.truncate(), bounds.max.truncate());
                bounds.max.z > z && bounds.min.z < z + ABOVE && nearest.distance(at) < reach
            })
            .collect();
        for cell in &rooms {
            let class = room_class(cell.id(), line);
            self.faces(cell, |corners, normal| {
                let low = corners.iter().map(|p| p.z).fold(f32::INFINITY, f32::min);
                if normal.z >= FLOOR_Z && low > z - BELOW && low < z + ABOVE {
                    self.polygon(svg, class, cell, corners);
                }
            });
        }
        for cell in &rooms {
            self.faces(cell, |corners, normal| {
                if normal.z.abs() < 0.2 && crosses(corners, z) {
                    self.line(svg, "wall", cell, corners);
                }
            });
        }
        for cell in &rooms {
            let set = &cell.structure.portal_polygons;
            for portal in &cell.portals {
                let Some(polygon) = set.polygons().get(usize::from(portal.polygon)) else { continue };
                let (corners, normal) = placed(cell, set, polygon);
                if normal.z.abs() < 0.2 && crosses(&corners, z) {
                    let class = if portal.target == PortalTarget::Outside { "exit" } else { "doorway" };
                    self.line(svg, class, cell, &corners);
                }
            }
        }
    }

    fn faces(&self, cell: &EnvCell, mut visit: impl FnMut(&[Vec3], Vec3)) {
        let Some(PhysicsMesh { polygons, .. }) = &cell.structure.physics else { return };
        for polygon in polygons.polygons() {
            let (corners, normal) = placed(cell, polygons, polygon);
            visit(&corners, normal);
        }
    }

    fn on_chart(&self, cell: &EnvCell, p: Vec3) -> Vec2 {
        self.point(block_origin(cell.id().block()) + p.truncate())
    }

    fn polygon(&self, svg: &mut String, class: &str, cell: &EnvCell, corners: &[Vec3]) {
        let _ = write!(svg, "<polygon class=\"{class}\" points=\"");
        for &corner in corners {
            let p = self.on_chart(cell, corner);
            let _ = write!(svg, "{:.2},{:.2} ", p.x, p.y);
        }
        svg.push_str("\"/>");
    }

    /// What stands upright is a line from above, between its two corners that are farthest apart.
    fn line(&self, svg: &mut String, class: &str, cell: &EnvCell, corners: &[Vec3]) {
        let points: Vec<Vec2> = corners.iter().map(|&p| self.on_chart(cell, p)).collect();
        let pairs = points.iter().flat_map(|&a| points.iter().map(move |&b| (a, b)));
        if let Some((a, b)) = pairs.max_by(|(a, b), (c, d)| a.distance(*b).total_cmp(&c.distance(*d))) {
            let _ = write!(
                svg,
                "<line class=\"{class}\" x1=\"{:.2}\" y1=\"{:.2}\" x2=\"{:.2}\" y2=\"{:.2}\"/>",
                a.x, a.y, b.x, b.y
            );
        }
    }
}

fn room_class(cell: CellId, line: &TourLine) -> &'static str {
    if cell == line.viewer_cell {
        "here"
    } else if line.visible_cells.contains(&cell) {
        "seen"
    } else {
        "room"
    }
}

/// Whether something upright passes through the height of a person's chest.
fn crosses(corners: &[Vec3], feet: f32) -> bool {
    let (low, high) = corners
        .iter()
        .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), p| (low.min(p.z), high.max(p.z)));
    low < feet + 1.3 && high > feet + 0.9
}

fn placed(cell: &EnvCell, set: &PolygonSet, polygon: &Polygon) -> (Vec<Vec3>, Vec3) {
    let frame = &cell.position.frame;
    (set.vertices(polygon).map(|p| frame.apply(p)).collect(), frame.rotate(polygon.plane.normal))
}
