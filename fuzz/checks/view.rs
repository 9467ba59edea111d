//! What must hold for the view into any graph of cells.

use super::bytes::Bytes;
use super::sanity::assert_sane;
use super::support::{BLOCK, Block, House, Node, Opening, Portal, R0, Room, block, room, v};
use std::cell::RefCell;
use threshold_view::{FramePlan, Lens, Options, Planner, Viewer};
use threshold_world::{CellId, Frame, Position, Quat, World};

const MAX_ROOMS: usize = 12;
const MAX_PORTALS: usize = 6;

fn quaternion(bytes: &mut Bytes<'_>) -> Quat {
    match bytes.below(4) {
        0 => Quat::IDENTITY,
        1 | 2 => Quat::from_heading(bytes.finite(180.0)),
        _ => Quat { w: bytes.finite(1.0), v: bytes.vector(1.0) }.normalized(),
    }
}

fn outline(bytes: &mut Bytes<'_>) -> Vec<glam::Vec3> {
    let at = bytes.vector(6.0);
    if bytes.below(4) == 0 {
        return (0..3 + bytes.below(9)).map(|_| bytes.vector(8.0)).collect();
    }
    let (width, height) = (0.2 + bytes.finite(2.0).abs(), 0.2 + bytes.finite(3.0).abs());
    let side = if bytes.below(2) == 0 { v(width, 0.0, 0.0) } else { v(0.0, width, 0.0) };
    let up = v(0.0, 0.0, height);
    vec![at, at + side, at + side + up, at + up]
}

fn random_room(bytes: &mut Bytes<'_>, low: u16, rooms: usize) -> Room {
    let portals = (0..bytes.below(MAX_PORTALS + 1)).map(|_| {
        let target = bytes.below(rooms + 2);
        let (corners, side) = (outline(bytes), bytes.byte() & 1);
        // One more than there are rooms: a cell that does not exist.
        let mut portal = match target.checked_sub(1) {
            Some(room) => Portal::to(R0 + room as u16, corners, side),
            None => Portal::exit(corners, side),
        };
        portal.other = (bytes.below(3) > 0).then(|| bytes.below(MAX_PORTALS + 1) as u16);
        portal.exact = bytes.below(3) > 0;
        portal
    });
    let mut room = room(low, portals.collect());
    room.frame = Frame::new(bytes.vector(10.0), quaternion(bytes));
    room.seen_outside = bytes.below(2) == 0;
    room.loaded = bytes.below(8) > 0;
    room.drawable = bytes.below(8) > 0;
    if bytes.below(3) == 0 {
        room.visible =
            Some((0..bytes.below(rooms + 2)).map(|_| R0 + bytes.below(rooms + 2) as u16).collect());
    }
    room
}

fn random_house(bytes: &mut Bytes<'_>, rooms: usize) -> House {
    let node = |bytes: &mut Bytes<'_>| {
        let corners = outline(bytes);
        let mut polygons = threshold_world::geometry::PolygonSet::default();
        // The support code builds openings that have an area.
        polygons.push(0, &corners)?;
        let opening = Opening::into(R0 + bytes.below(rooms + 1) as u16, corners, bytes.byte() & 1);
        Some(Node { plane: None, openings: vec![opening] })
    };
    let nodes = (0..bytes.below(5)).filter_map(|_| node(bytes)).collect();
    House {
        cell: 1 + bytes.below(64) as u16,
        frame: Frame::new(bytes.vector(40.0), quaternion(bytes)),
        nodes,
        radius: 15.0,
    }
}

/// Rooms that are joined in any way, and an eye anywhere: a sane plan, by either set of options, and the same again.
pub(crate) fn view(data: &[u8]) {
    let mut bytes = Bytes(data);
    let count = 1 + bytes.below(MAX_ROOMS);
    let rooms: Vec<Room> = (0..count).map(|i| random_room(&mut bytes, R0 + i as u16, count)).collect();
    let houses = (0..bytes.below(3)).map(|_| random_house(&mut bytes, count)).collect();
    let mut built: Block = block(rooms).houses(houses);
    built.landscape = bytes.below(4) > 0;
    WORLD.with_borrow_mut(|world| {
        built.add_to(world);
        look_around(world, &mut bytes, count);
    });
}

thread_local! {
    /// Every input replaces its only block.
    static WORLD: RefCell<World> = RefCell::new(World::new());
}

fn look_around(world: &World, bytes: &mut Bytes<'_>, count: usize) {
    for _ in 0..1 + bytes.below(3) {
        let low =
            if bytes.below(4) == 0 { 1 + bytes.below(64) as u16 } else { R0 + bytes.below(count + 1) as u16 };
        let cell: CellId = BLOCK.cell(low);
        let position = Position::new(cell, Frame::new(bytes.vector(12.0), quaternion(bytes)));
        let fov = (10.0 + bytes.finite(150.0).abs()).min(170.0);
        let Some(lens) = Lens::new(fov.to_radians(), 320, 200) else { return };
        let viewer = Viewer { position, lens, player_cell: cell };
        for options in [Options::RETAIL, Options::REPAIRED] {
            let mut planner = Planner::new(options);
            let (mut plan, mut again) = (FramePlan::default(), FramePlan::default());
            planner.plan(world, &(), &viewer, &mut plan);
            assert_sane(&plan);
            planner.plan(world, &(), &viewer, &mut again);
            // The original's depth gate also looks at the frame before.
            assert!(
                again.steps == plan.steps || !options.clear_by_this_frame,
                "{:?}, {:?}",
                plan.steps,
                again.steps
            );
            assert_eq!(again.views.len(), plan.views.len(), "{options:?}");
        }
    }
}
