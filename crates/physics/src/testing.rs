//! Worlds made by hand, for the worked examples of the specification (physics-tests).
//!
//! Rooms have the identity frame, so that their own space is the block's.

use crate::{
    flags::{MoverFlags, State},
    sweep::{MAX_MOVER_SPHERES, Mover},
};
use glam::Vec3;
use std::sync::Arc;
use threshold_dat::DatId;
use threshold_world::{
    BlockId, CellId, Frame, Position, World,
    bsp::{PhysicsMesh, PhysicsNode, PhysicsTree},
    cell::{CellPortal, CellStruct, EnvCell, PortalTarget},
    geometry::{Aabb, Cylinder, Plane, PolygonSet, Sphere},
    landblock::{Building, Landblock},
    model::Model,
    terrain::Terrain,
};

/// The block most examples are in.
pub(crate) const BLOCK: BlockId = BlockId(0xA9B4);
/// Its first outdoor cell, from (0, 0) to (24, 24).
pub(crate) const LAND: CellId = CellId(0xA9B4_0001);
/// Its first interior cell.
pub(crate) const ROOM: CellId = CellId(0xA9B4_0100);

pub(crate) fn v(x: f32, y: f32, z: f32) -> Vec3 {
    Vec3::new(x, y, z)
}

pub(crate) fn at(cell: CellId, x: f32, y: f32, z: f32) -> Position {
    Position::new(cell, Frame::at(v(x, y, z)))
}

#[track_caller]
pub(crate) fn assert_close(found: f32, expected: f32) {
    assert!((found - expected).abs() < 1e-4, "{found} instead of {expected}");
}

#[track_caller]
pub(crate) fn assert_near(found: Vec3, expected: Vec3) {
    assert!((found - expected).abs().max_element() < 1e-4, "{found} instead of {expected}");
}

/// Ground of one height.
pub(crate) fn flat(height: f32) -> Terrain {
    Terrain::new(BLOCK, [height; 81], [0; 81])
}

/// A block with everything in it resident. Rooms count from [`ROOM`].
pub(crate) fn world(terrain: Terrain, rooms: Vec<EnvCell>, buildings: Vec<Building>) -> World {
    let mut world = World::new();
    world.insert_resident(Arc::new(block(BLOCK, terrain, rooms, buildings)));
    world
}

pub(crate) fn block(
    id: BlockId,
    terrain: Terrain,
    rooms: Vec<EnvCell>,
    buildings: Vec<Building>,
) -> Landblock {
    Landblock {
        id,
        terrain,
        has_land: true,
        cell_buildings: Landblock::assign_buildings(id, &buildings),
        buildings: buildings.into(),
        statics: Box::default(),
        scenery: Box::default(),
        env_cells: rooms.into_iter().map(Some).collect(),
        restrictions: Box::default(),
    }
}

/// The room with a number (0 is [`ROOM`]) that fills a box; nothing in it can be hit, and nothing leads out.
pub(crate) fn room(number: u16, min: Vec3, max: Vec3) -> EnvCell {
    let volume = [Vec3::X, Vec3::Y, Vec3::Z]
        .into_iter()
        .flat_map(|axis| [Plane::through(axis, min), Plane::through(-axis, max)])
        .collect();
    EnvCell {
        position: at(CellId(ROOM.0 + u32::from(number)), 0.0, 0.0, 0.0),
        structure: Arc::new(CellStruct {
            environment: DatId(0x0D00_0001),
            key: 0,
            volume,
            physics: None,
            portal_polygons: PolygonSet::default(),
            bounds: Aabb { min, max },
            drawing_sphere: None,
        }),
        portals: Box::default(),
        visible_cells: Box::default(),
        seen_outside: false,
        statics: Box::default(),
        surfaces: Box::default(),
        restriction: None,
    }
}

/// The room with something to hit.
pub(crate) fn with_mesh(mut room: EnvCell, mesh: PhysicsMesh) -> EnvCell {
    Arc::make_mut(&mut room.structure).physics = Some(mesh);
    room
}

/// The room with an opening: the plane through `point` with a normal that points to the neighbour.
pub(crate) fn with_portal(mut room: EnvCell, point: Vec3, normal: Vec3, target: PortalTarget) -> EnvCell {
    let portal = CellPortal {
        plane: Plane::through(normal, point),
        polygon: 0,
        target,
        other_portal: Some(0),
        exact_match: true,
        neighbour_is_positive: true,
    };
    room.portals = room.portals.iter().cloned().chain([portal]).collect();
    room
}

/// A tree of one leaf over some vertex loops, counter-clockwise seen from the front.
pub(crate) fn mesh(loops: &[[Vec3; 4]]) -> PhysicsMesh {
    leaf(loops, false)
}

/// As [`mesh`], inside matter.
pub(crate) fn solid(loops: &[[Vec3; 4]]) -> PhysicsMesh {
    leaf(loops, true)
}

fn leaf(loops: &[[Vec3; 4]], solid: bool) -> PhysicsMesh {
    let mut polygons = PolygonSet::default();
    for (id, corners) in loops.iter().enumerate() {
        polygons.push(id as u16, corners).expect("a polygon with an area");
    }
    let bounds = Aabb::around(loops.iter().flatten().copied()).expect("polygons");
    let center = (bounds.min + bounds.max) / 2.0;
    let sphere = Sphere { center, radius: bounds.max.distance(center) };
    let node = PhysicsNode::Leaf { sphere, solid, first: 0, count: loops.len() as u32 };
    let leaf_polygons = (0..loops.len() as u16).collect();
    PhysicsMesh::new(polygons, PhysicsTree { nodes: Box::new([node]), leaf_polygons })
}

/// A floor at a height.
pub(crate) fn floor(x: [f32; 2], y: [f32; 2], z: f32) -> [Vec3; 4] {
    [v(x[0], y[0], z), v(x[1], y[0], z), v(x[1], y[1], z), v(x[0], y[1], z)]
}

/// A ceiling at a height.
pub(crate) fn ceiling(x: [f32; 2], y: [f32; 2], z: f32) -> [Vec3; 4] {
    let [a, b, c, d] = floor(x, y, z);
    [d, c, b, a]
}

/// A wall across the x axis that faces west.
pub(crate) fn wall_facing_west(x: f32, y: [f32; 2], z: [f32; 2]) -> [Vec3; 4] {
    [v(x, y[0], z[0]), v(x, y[0], z[1]), v(x, y[1], z[1]), v(x, y[1], z[0])]
}

/// A wall across the x axis that faces east.
pub(crate) fn wall_facing_east(x: f32, y: [f32; 2], z: [f32; 2]) -> [Vec3; 4] {
    let [a, b, c, d] = wall_facing_west(x, y, z);
    [d, c, b, a]
}

/// A mover of one sphere whose origin is the sphere's centre.
pub(crate) fn ball(radius: f32, flags: MoverFlags) -> Mover {
    Mover {
        entity: None,
        flags,
        spheres: [Sphere { center: Vec3::ZERO, radius }; MAX_MOVER_SPHERES],
        sphere_count: 1,
        step_up: 0.6,
        step_down: 1.5,
        state: State::GRAVITY,
        target: None,
        bypasses_restrictions: true,
    }
}

/// A mover of two spheres of 0.48 m, the upper one `height` above the lower one, whose origin is the lower centre.
pub(crate) fn pair(height: f32, flags: MoverFlags) -> Mover {
    let mut mover = ball(0.48, flags);
    mover.spheres[1].center.z = height;
    mover.sphere_count = 2;
    mover
}

/// Flags of a mover that stands on walkable ground.
pub(crate) fn standing() -> MoverFlags {
    MoverFlags::CONTACT | MoverFlags::ON_WALKABLE
}

/// A model of nothing but spheres or cylinders.
pub(crate) fn model(spheres: &[Sphere], cylinders: &[Cylinder]) -> Arc<Model> {
    Arc::new(Model {
        id: DatId(0x0200_0001),
        parts: Box::default(),
        cylinders: cylinders.into(),
        spheres: spheres.into(),
        height: 1.835,
        radius: 0.48,
        step_up: 0.6,
        step_down: 1.5,
        sorting_sphere: Sphere { center: Vec3::ZERO, radius: 2.0 },
        free_heading: false,
        holdings: Box::default(),
        motion: Default::default(),
        plays_when_static: false,
    })
}
