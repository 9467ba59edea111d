//! Worlds made by hand: rooms with doors, buildings on flat ground.
#![allow(dead_code, unreachable_pub)] // Each test file uses its own part.

use std::sync::Arc;
use threshold_dat::DatId;
use threshold_view::{FramePlan, Lens, Options, Planner, SeenCell, Span, Step, Viewer};
use threshold_world::{
    BlockId, CellId, Frame, Position, Quat, World,
    bsp::CellVolume,
    cell::{CellPortal, CellStruct, EnvCell, PortalTarget},
    geometry::{Aabb, Plane, PolygonSet, Sphere},
    landblock::{Building, BuildingPortal, Landblock},
    model::{Mesh, Model, ModelPart, ShellOpening},
    terrain::Terrain,
};

pub use glam::{Vec2, Vec3};

pub const BLOCK: BlockId = BlockId(0xA9B4);
/// The room most tests start in.
pub const R0: u16 = 0x100;
pub const R1: u16 = 0x101;
pub const R2: u16 = 0x102;

pub fn id(low: u16) -> CellId {
    BLOCK.cell(low)
}

pub fn v(x: f32, y: f32, z: f32) -> Vec3 {
    Vec3::new(x, y, z)
}

/// An opening in the plane y = const, counter-clockwise seen from the south: its normal is (0, -1, 0).
pub fn door(y: f32, x: [f32; 2], z: [f32; 2]) -> Vec<Vec3> {
    vec![v(x[0], y, z[0]), v(x[1], y, z[0]), v(x[1], y, z[1]), v(x[0], y, z[1])]
}

/// The spec's door D0.
pub fn d0() -> Vec<Vec3> {
    door(5.0, [-1.0, 1.0], [0.0, 2.0])
}

/// A portal of a room to be built.
#[derive(Clone, Debug)]
pub struct Portal {
    pub corners: Vec<Vec3>,
    /// 0: the room lies on the positive side of the polygon, 1: on the negative side.
    pub side: u8,
    pub target: Option<u16>,
    pub other: Option<u16>,
    pub exact: bool,
}

impl Portal {
    pub fn to(target: u16, corners: Vec<Vec3>, side: u8) -> Portal {
        Portal { corners, side, target: Some(target), other: None, exact: true }
    }

    pub fn exit(corners: Vec<Vec3>, side: u8) -> Portal {
        Portal { corners, side, target: None, other: None, exact: true }
    }

    pub fn other(mut self, other: u16) -> Portal {
        self.other = Some(other);
        self
    }

    pub fn inexact(mut self) -> Portal {
        self.exact = false;
        self
    }
}

/// A room to be built; portals are in the coordinates of its frame.
#[derive(Clone, Debug)]
pub struct Room {
    pub low: u16,
    pub min: Vec3,
    pub max: Vec3,
    pub frame: Frame,
    pub portals: Vec<Portal>,
    /// None: everything.
    pub visible: Option<Vec<u16>>,
    pub seen_outside: bool,
    pub drawable: bool,
    pub loaded: bool,
}

pub fn room(low: u16, portals: Vec<Portal>) -> Room {
    Room {
        low,
        min: v(-5.0, -5.0, 0.0),
        max: v(5.0, 5.0, 3.0),
        frame: Frame::IDENTITY,
        portals,
        visible: None,
        seen_outside: false,
        drawable: true,
        loaded: true,
    }
}

impl Room {
    pub fn bounds(mut self, min: Vec3, max: Vec3) -> Room {
        (self.min, self.max) = (min, max);
        self
    }

    pub fn visible(mut self, cells: &[u16]) -> Room {
        self.visible = Some(cells.to_vec());
        self
    }

    pub fn seen_outside(mut self) -> Room {
        self.seen_outside = true;
        self
    }

    pub fn not_loaded(mut self) -> Room {
        self.loaded = false;
        self
    }

    pub fn not_drawable(mut self) -> Room {
        self.drawable = false;
        self
    }
}

/// A building to be built: openings are (corners in shell space, record).
#[derive(Clone, Debug)]
pub struct House {
    /// Land cell that owns it.
    pub cell: u16,
    pub frame: Frame,
    /// One node per entry, in the stored order S.
    pub nodes: Vec<Node>,
    pub radius: f32,
}

#[derive(Clone, Debug)]
pub struct Node {
    /// Splitting plane; none: the plane of the first opening.
    pub plane: Option<Plane>,
    pub openings: Vec<Opening>,
}

#[derive(Clone, Debug)]
pub struct Opening {
    pub corners: Vec<Vec3>,
    pub side: u8,
    pub cell: u16,
    pub other: Option<u16>,
    pub visible: Vec<u16>,
}

impl Opening {
    pub fn into(cell: u16, corners: Vec<Vec3>, side: u8) -> Opening {
        Opening { corners, side, cell, other: Some(0), visible: vec![cell] }
    }

    pub fn sees(mut self, cells: &[u16]) -> Opening {
        self.visible = cells.to_vec();
        self
    }

    pub fn node(self) -> Node {
        Node { plane: None, openings: vec![self] }
    }
}

pub fn house(nodes: Vec<Node>) -> House {
    House { cell: 1, frame: Frame::IDENTITY, nodes, radius: 15.0 }
}

/// A block to be built.
#[derive(Clone, Debug)]
pub struct Block {
    pub id: BlockId,
    pub height: f32,
    pub rooms: Vec<Room>,
    pub houses: Vec<House>,
    pub landscape: bool,
}

pub fn block(rooms: Vec<Room>) -> Block {
    Block { id: BLOCK, height: 0.0, rooms, houses: vec![], landscape: true }
}

impl Block {
    pub fn houses(mut self, houses: Vec<House>) -> Block {
        self.houses = houses;
        self
    }

    pub fn no_landscape(mut self) -> Block {
        self.landscape = false;
        self
    }

    pub fn add_to(self, world: &mut World) {
        let count = self.rooms.iter().map(|r| usize::from(r.low) - 0x100 + 1).max().unwrap_or(0);
        let mut cells: Vec<Option<EnvCell>> = vec![None; count];
        let lows: Vec<u16> = self.rooms.iter().map(|r| r.low).collect();
        for room in &self.rooms {
            cells[usize::from(room.low) - 0x100] = Some(env_cell(self.id, room, &lows));
        }
        let buildings: Vec<Building> = self.houses.iter().map(|h| building(self.id, h)).collect();
        let landblock = Landblock {
            id: self.id,
            terrain: Terrain::new(self.id, [self.height; 81], [0; 81]),
            has_land: true,
            cell_buildings: Landblock::assign_buildings(self.id, &buildings),
            buildings: buildings.into(),
            statics: Box::default(),
            scenery: Box::default(),
            env_cells: cells.into(),
            restrictions: Default::default(),
        };
        world.insert_resident(Arc::new(landblock));
        world.set_landscape_resident(self.id, self.landscape);
        for room in self.rooms.iter().filter(|room| !room.loaded) {
            world.set_cell_resident(self.id.cell(room.low), false);
        }
    }

    pub fn world(self) -> World {
        let mut world = World::new();
        self.add_to(&mut world);
        world
    }
}

fn env_cell(block: BlockId, room: &Room, lows: &[u16]) -> EnvCell {
    let mut polygons = PolygonSet::default();
    let mut portals = Vec::new();
    for (index, portal) in room.portals.iter().enumerate() {
        // A loop without area keeps its place: its polygon does not exist.
        let polygon = polygons.push(index as u16, &portal.corners).unwrap_or(usize::from(u16::MAX));
        let plane = polygons.polygons().get(polygon).map_or(Plane::default(), |p| p.plane);
        portals.push(CellPortal {
            plane,
            polygon: polygon as u16,
            target: portal.target.map_or(PortalTarget::Outside, |low| PortalTarget::Cell(block.cell(low))),
            other_portal: portal.other,
            exact_match: portal.exact,
            neighbour_is_positive: portal.side == 1,
        });
    }
    let bounds = Aabb { min: room.min, max: room.max };
    let (center, size) = ((room.min + room.max) / 2.0, room.max - room.min);
    EnvCell {
        position: Position::new(block.cell(room.low), room.frame),
        structure: Arc::new(CellStruct {
            environment: DatId(0x0D00_0001),
            key: 0,
            volume: CellVolume::from_iter(box_planes(&bounds)),
            physics: None,
            portal_polygons: polygons,
            bounds,
            drawing_sphere: room.drawable.then_some(Sphere { center, radius: size.length() / 2.0 }),
        }),
        portals: portals.into(),
        visible_cells: room.visible.clone().unwrap_or_else(|| lows.to_vec()).into(),
        seen_outside: room.seen_outside,
        statics: Box::default(),
        surfaces: Box::default(),
        restriction: None,
    }
}

fn box_planes(bounds: &Aabb) -> Vec<Plane> {
    let mut planes = Vec::new();
    for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
        planes.push(Plane::through(axis, bounds.min));
        planes.push(Plane::through(-axis, bounds.max));
    }
    planes
}

fn building(block: BlockId, house: &House) -> Building {
    let mut polygons = PolygonSet::default();
    let mut portals = Vec::new();
    let mut openings = Vec::new();
    for node in &house.nodes {
        let mut pairs = Vec::new();
        let mut plane = node.plane;
        for opening in &node.openings {
            let polygon = polygons.push(0, &opening.corners).expect("an opening has an area");
            plane.get_or_insert(polygons.polygons()[polygon].plane);
            pairs.push((polygon as u16, portals.len() as u16));
            portals.push(BuildingPortal {
                cell: block.cell(opening.cell),
                other_portal: opening.other,
                exact_match: true,
                neighbour_is_positive: opening.side == 1,
                visible_cells: opening.visible.clone().into(),
            });
        }
        openings.push(ShellOpening { plane: plane.unwrap_or_default(), portals: pairs.into() });
    }
    let mesh = Mesh {
        id: DatId(0x0100_0001),
        physics: None,
        physics_sphere: None,
        drawing_sphere: Some(Sphere { center: Vec3::ZERO, radius: house.radius }),
        bounds: Aabb::default(),
        flat_only: false,
        sort_center: Vec3::ZERO,
        ladder: None,
        is_drawn: true,
        openings: openings.into(),
        opening_polygons: polygons,
    };
    let part = ModelPart { mesh: Some(Arc::new(mesh)), frame: Frame::IDENTITY, scale: Vec3::ONE };
    let model = Model {
        id: DatId(0x0100_0001),
        parts: Box::new([part]),
        cylinders: Box::default(),
        spheres: Box::default(),
        height: 0.0,
        radius: 0.0,
        step_up: 0.0,
        step_down: 0.0,
        sorting_sphere: Sphere::default(),
        free_heading: false,
        holdings: Box::default(),
        motion: Default::default(),
        plays_when_static: false,
    };
    let position = Position::new(block.cell(house.cell), house.frame);
    Building::new(DatId(0x0100_0001), Some(Arc::new(model)), position, portals.into())
}

/// The spec's picture: 600 × 600, 90 degrees.
pub fn square_lens() -> Lens {
    Lens::new(90f32.to_radians(), 600, 600).unwrap()
}

/// A viewer in a cell of the block who looks `yaw` degrees clockwise from north.
pub fn viewer(low: u16, eye: Vec3, yaw: f32) -> Viewer {
    let position = Position::new(id(low), Frame::new(eye, Quat::from_heading(yaw)));
    Viewer { position, lens: square_lens(), player_cell: id(low) }
}

/// The spec's eye E, looking north.
pub fn e() -> Viewer {
    viewer(R0, v(0.0, 0.0, 1.0), 0.0)
}

/// A plan made as the original makes it, by a fresh planner.
pub fn plan(world: &World, viewer: &Viewer) -> FramePlan {
    plan_with(Options::RETAIL, world, viewer)
}

pub fn plan_with(options: Options, world: &World, viewer: &Viewer) -> FramePlan {
    let mut plan = FramePlan::default();
    Planner::new(options).plan(world, &(), viewer, &mut plan);
    plan
}

/// Numbers of the cells seen from the viewer's own, nearest first.
pub fn draw(plan: &FramePlan) -> Vec<u16> {
    plan.interior_cells().iter().map(|cell| cell.id.low()).collect()
}

pub fn seen(plan: &FramePlan, low: u16) -> SeenCell {
    *plan
        .interior_cells()
        .iter()
        .find(|c| c.id.low() == low)
        .unwrap_or_else(|| panic!("{low:04X} is not seen"))
}

/// Regions of a list in normalised device coordinates.
pub fn regions(plan: &FramePlan, list: Span) -> Vec<Vec<Vec2>> {
    plan.views(list).map(|view| plan.region(view).collect()).collect()
}

/// Regions a cell is seen through.
pub fn regions_of(plan: &FramePlan, low: u16) -> Vec<Vec<Vec2>> {
    regions(plan, seen(plan, low).views)
}

/// The rectangle with these sides as a region.
pub fn rect(x: [f32; 2], y: [f32; 2]) -> Vec<Vec2> {
    vec![Vec2::new(x[0], y[0]), Vec2::new(x[1], y[0]), Vec2::new(x[1], y[1]), Vec2::new(x[0], y[1])]
}

/// Equal up to cyclic rotation, within 1e-3.
#[track_caller]
pub fn assert_region(found: &[Vec2], expected: &[Vec2]) {
    let same = |shift: usize| {
        (0..expected.len())
            .all(|i| (found[(i + shift) % found.len()] - expected[i]).abs().max_element() < 1e-3)
    };
    let equal = found.len() == expected.len() && (0..found.len()).any(same);
    assert!(equal, "found {found:?}, expected {expected:?}");
}

#[track_caller]
pub fn assert_regions(found: &[Vec<Vec2>], expected: &[Vec<Vec2>]) {
    assert_eq!(found.len(), expected.len(), "found {found:?}, expected {expected:?}");
    found.iter().zip(expected).for_each(|(found, expected)| assert_region(found, expected));
}

/// Names of a plan's steps, for the order of operations.
pub fn ops(plan: &FramePlan) -> Vec<String> {
    plan.steps
        .iter()
        .map(|step| match step {
            Step::BeginFrame => "begin".into(),
            Step::Lights { set } => format!("lights {set:?}").to_lowercase(),
            Step::Landscape { .. } => "landscape".into(),
            Step::Sky => "sky".into(),
            Step::Terrain { .. } => "terrain".into(),
            Step::BuildingBegin { building } => format!("building {building}"),
            Step::Punch { .. } => "punch".into(),
            Step::FloodBegin { .. } => "flood".into(),
            Step::Cell { id, .. } => format!("cell {:X}", id.low()),
            Step::Objects { cell, .. } => format!("objects {:X}", cell.low()),
            Step::FloodEnd => "flood end".into(),
            Step::BuildingShell { building } => format!("shell {building}"),
            Step::FlushAlpha { threshold } => format!("flush {threshold}"),
            Step::AdvanceStamp => "stamp".into(),
            Step::ClearDepth => "clear depth".into(),
            Step::Seal { .. } => "seal".into(),
            Step::Weather => "weather".into(),
            Step::EndFrame => "end".into(),
        })
        .collect()
}

/// The same without terrain, of which there is much.
pub fn ops_without_terrain(plan: &FramePlan) -> Vec<String> {
    ops(plan).into_iter().filter(|op| op != "terrain").collect()
}

pub fn count(plan: &FramePlan, op: &str) -> usize {
    ops(plan).iter().filter(|o| *o == op).count()
}
