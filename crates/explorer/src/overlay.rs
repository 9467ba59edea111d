//! Lines over the picture that show how the engine sees the world. Most come from [`threshold_render::overlay`]; here are
//! the surfaces all around and what was pointed at.

use crate::{
    session::Session,
    session_view::SessionView,
    settings::{Overlay, Show},
};
use glam::{Vec2, Vec3, Vec4};
use threshold_physics::Entity;
pub use threshold_render::overlay::{Color, Label, Segment};
use threshold_render::overlay::{
    EXACT, INEXACT, Kind, LISTED, SPLIT, STATIC_LISTED, STEEP, Subject, TO_OUTSIDE, WALKABLE, labels, lines,
};
use threshold_sim::{Hit, SceneContents, Target};
use threshold_view::{Projection, Z_NEAR};
use threshold_world::{
    CellId, Frame, Position,
    coords::{CELL_SIDE, block_offset},
    geometry::PolygonSet,
    terrain::FLOOR_Z,
};

/// Nothing farther away than this is outlined.
pub(crate) const REACH: f32 = 45.0;
/// Lines that are drawn at most: a picture with more shows nothing any more.
const MOST: usize = 20_000;
/// Where an object was said to be, beside where it is.
const GHOST: Color = [255, 90, 90];
/// Half the width and the height of a ghost.
const GHOST_SIZE: (f32, f32) = (0.3, 1.8);
/// The way that the player walks by itself.
const WAY: Color = [255, 220, 60];
/// Where the region ends that the player can reach.
const REGION_END: Color = [255, 60, 60];
/// Where the player can stand: open ground, and places that a body has come to.
const OPEN: Color = [70, 150, 90];
const FOUND: Color = [110, 255, 140];
/// How far above the ground the mesh is drawn, in metres.
const MESH_HEIGHT: f32 = 0.05;
/// How far above the ground a way is drawn, in metres.
const WAY_HEIGHT: f32 = 0.15;
/// What was pointed at.
const PICKED: Color = [255, 255, 255];

/// A region of the screen that looks into a building, and through any other opening.
pub const INTO_BUILDING: Color = [255, 190, 60];
/// See [`INTO_BUILDING`].
pub const THROUGH_OPENING: Color = [90, 200, 255];

/// What the colours of an overlay mean; one that gives every cell a colour of its own has no list.
pub fn legend(overlay: Overlay) -> Vec<(Color, &'static str)> {
    let surfaces = [(WALKABLE, "one can stand on it"), (STEEP, "too steep, or a wall")];
    match overlay {
        Overlay::Cells => Vec::new(),
        Overlay::Portals => vec![
            (TO_OUTSIDE, "to the outdoors"),
            (EXACT, "to another cell, whose opening coincides"),
            (INEXACT, "to another cell, whose opening does not coincide"),
        ],
        Overlay::Regions => {
            vec![(INTO_BUILDING, "into a building"), (THROUGH_OPENING, "through any other opening")]
        }
        Overlay::Surfaces => surfaces.to_vec(),
        Overlay::Bsp => surfaces.into_iter().chain([(SPLIT, "where the tree splits")]).collect(),
        Overlay::Shapes => {
            let counts = ["in one cell", "in two", "in three", "in more"];
            LISTED
                .into_iter()
                .zip(counts)
                .chain([(STATIC_LISTED[0], "likewise, in greys: it never moves")])
                .collect()
        }
        Overlay::Mesh => vec![(OPEN, "open ground"), (FOUND, "a body has come to it")],
    }
}

/// Everything that is to be drawn over the last frame.
pub fn all(
    session: &Session,
    view: &SessionView,
    show: &Show,
    picked: Option<Hit>,
) -> (Vec<Segment>, Vec<Label>) {
    let Some(eye) = session.eye().position() else { return Default::default() };
    let (world, scene) = (session.world(), session.scene());
    let subject = Subject { world, objects: &SceneContents(scene), plan: view.plan(), viewer: eye.cell };
    let mut pen = Pen { lines: Vec::new(), eye: eye.frame.origin };
    let mut numbers = Vec::new();
    for (shown, kind) in [
        (show.cells, Kind::Cells),
        (show.portals, Kind::Portals),
        (show.bsp, Kind::Bsp),
        (show.shapes, Kind::Shadows),
    ] {
        if shown {
            pen.lines.extend(lines(kind, &subject));
            numbers.extend(labels(kind, &subject));
        }
    }
    if show.surfaces {
        rooms(session, &mut pen, eye.cell);
        ground(session, &mut pen, eye.cell);
    }
    if let Some(Hit { target: Target::Entity(key), .. }) = picked
        && let Some(entity) = scene.get(key)
    {
        pen.entity(entity, block_offset(eye.cell, entity.position.cell));
    }
    for shown in session.shown(REACH) {
        if let Some(ghost) = shown.ghost {
            pen.ghost(&shown.ours, &ghost, eye.cell);
        }
    }
    if show.mesh {
        pen.mesh(session, eye.cell);
    }
    pen.way(session, eye.cell);
    pen.lines.truncate(MOST);
    (pen.lines, numbers)
}

/// Both ends of a line as pixels of the picture; `None` when it is behind the eye.
pub fn on_screen(line: &Segment, projection: &Projection) -> Option<[Vec2; 2]> {
    let (mut a, mut b) = (projection.to_screen(line.a), projection.to_screen(line.b));
    if a.w < Z_NEAR && b.w < Z_NEAR {
        return None;
    }
    if a.w < Z_NEAR {
        a += (b - a) * ((Z_NEAR - a.w) / (b.w - a.w));
    } else if b.w < Z_NEAR {
        b += (a - b) * ((Z_NEAR - b.w) / (a.w - b.w));
    }
    let pixel = |v: Vec4| v.truncate().truncate() / v.w;
    Some([pixel(a), pixel(b)])
}

/// Collects lines.
struct Pen {
    lines: Vec<Segment>,
    eye: Vec3,
}

impl Pen {
    fn outline(&mut self, corners: &[Vec3], color: Color) {
        let near = corners.iter().any(|corner| (*corner - self.eye).length() < REACH);
        let edges = (0..corners.len()).filter(|_| near);
        self.lines.extend(edges.map(|i| Segment {
            a: corners[i],
            b: corners[(i + 1) % corners.len()],
            color,
        }));
    }

    fn polygons(&mut self, set: &PolygonSet, frame: &Frame, shift: Vec3) {
        for polygon in set.polygons() {
            let corners: Vec<Vec3> = set.vertices(polygon).map(|v| frame.apply(v) + shift).collect();
            let walkable = frame.rotate(polygon.plane.normal).z >= FLOOR_Z;
            self.outline(&corners, if walkable { WALKABLE } else { STEEP });
        }
    }

    /// Where an object was said to be: a box, and a line from where it is.
    fn ghost(&mut self, ours: &Position, told: &Position, eye: CellId) {
        let [from, to] = [ours, told].map(|at| at.frame.origin + block_offset(eye, at.cell));
        self.lines.push(Segment { a: from, b: to, color: GHOST });
        let (half, height) = GHOST_SIZE;
        let corner = |x: f32, y: f32, z: f32| to + told.frame.rotate(Vec3::new(x * half, y * half, z));
        for z in [0.0, height] {
            let square = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
            self.outline(&square.map(|(x, y)| corner(x, y, z)), GHOST);
        }
        for (x, y) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
            self.lines.push(Segment { a: corner(x, y, 0.0), b: corner(x, y, height), color: GHOST });
        }
        // The way it faces.
        self.lines.push(Segment { a: corner(0.0, 0.0, height), b: corner(0.0, 2.0, height), color: GHOST });
    }

    /// What is left of the player's way; where its region ended, and from there to where it wanted to go.
    fn way(&mut self, session: &Session, eye: CellId) {
        let point = |at: &Position, height: f32| {
            at.frame.origin + block_offset(eye, at.cell) + Vec3::new(0.0, 0.0, height)
        };
        let mut from = point(&session.drawn_position(), WAY_HEIGHT);
        for place in session.way_ahead() {
            let to = point(place, WAY_HEIGHT);
            self.lines.push(Segment { a: from, b: to, color: WAY });
            self.lines.push(Segment { a: to, b: point(place, 3.0 * WAY_HEIGHT), color: WAY });
            from = to;
        }
        if let Some([end, goal]) = session.region_end() {
            let top = point(end, GHOST_SIZE.1);
            self.lines.push(Segment { a: point(end, 0.0), b: top, color: REGION_END });
            self.lines.push(Segment { a: top, b: point(goal, GHOST_SIZE.1), color: REGION_END });
            self.lines.push(Segment { a: point(goal, GHOST_SIZE.1), b: point(goal, 0.0), color: REGION_END });
        }
    }

    /// Where the player can stand: an outline for every part of the mesh.
    fn mesh(&mut self, session: &Session, eye: CellId) {
        for area in session.ground() {
            let shift = block_offset(eye, area.cell);
            let corner = |x: f32, y: f32| Vec3::new(x, y, area.height + MESH_HEIGHT) + shift;
            let (low, high) = (area.low, area.high);
            let corners = [(low.x, low.y), (high.x, low.y), (high.x, high.y), (low.x, high.y)];
            self.outline(&corners.map(|(x, y)| corner(x, y)), if area.is_open { OPEN } else { FOUND });
        }
    }

    /// The boxes around an object's parts as they stand now: the leaf of an open door is not where that of a closed one is.
    fn entity(&mut self, entity: &Entity, shift: Vec3) {
        for part in entity.parts() {
            let corners =
                part.mesh.bounds.corners().map(|v| part.position.frame.apply(v * part.scale) + shift);
            for face in [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6]] {
                self.outline(&face.map(|i| corners[i]), PICKED);
            }
        }
    }
}

fn rooms(session: &Session, pen: &mut Pen, eye: CellId) {
    let world = session.world();
    for block in world.block_ids() {
        let shift = block_offset(eye, block.cell(1));
        let middle = Vec3::new(96.0, 96.0, 0.0) + shift;
        let Some(data) = world.block_data(block) else { continue };
        if (middle - pen.eye.with_z(0.0)).length() > REACH + 140.0 {
            continue;
        }
        for room in data.env_cells.iter().flatten().filter(|room| world.env_cell(room.id()).is_some()) {
            if let Some(mesh) = &room.structure.physics {
                pen.polygons(&mesh.polygons, &room.position.frame, shift);
            }
        }
    }
}

/// Triangles of the land cells nearby.
fn ground(session: &Session, pen: &mut Pen, eye: CellId) {
    let world = session.world();
    for block in world.block_ids() {
        let Some(land) = world.landscape(block) else { continue };
        let shift = block_offset(eye, block.cell(1));
        for cell in 0..64usize {
            let (x, y) = ((cell / 8) as f32 * CELL_SIDE, (cell % 8) as f32 * CELL_SIDE);
            let middle = Vec3::new(x + CELL_SIDE / 2.0, y + CELL_SIDE / 2.0, 0.0) + shift;
            if (middle - pen.eye.with_z(0.0)).length() > REACH {
                continue;
            }
            for half in 0..2 {
                let corners = land.terrain.triangle(cell, half).map(|v| v + shift);
                let walkable = land.terrain.plane(cell, half).normal.z >= FLOOR_Z;
                pen.outline(&corners, if walkable { WALKABLE } else { STEEP });
            }
        }
    }
}
