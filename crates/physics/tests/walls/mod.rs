//! Walking along every wall of a house, and what must hold on the way.
#![allow(dead_code, reason = "every test binary uses a part of it")]

use crate::{
    support::{PLAYER, Setting, WALKER, moved, object, player},
    watch::Watch,
};
use glam::Vec3;
use std::f32::consts::TAU;
use threshold_physics::{EntityKey, EntityRole, Spawn, Transient, bsp};
use threshold_world::{Position, geometry::Sphere};

/// A wall holds the body; what it may sink in is what the original's tests allow around edges.
const DEPTH: f32 = 0.03;

pub(crate) fn body(setting: &Setting, key: EntityKey) -> Position {
    setting.scene.get(key).expect("the body").position
}

/// Moves a body under the rules of the latch.
pub(crate) fn step(setting: &mut Setting, key: EntityKey, by: [f32; 3]) -> Watch {
    let from = body(setting, key);
    let mut watch = Watch::new(from, setting.scene.get(key).expect("the body").cell);
    setting.scene.move_to(&setting.world, key, &moved(&from, by), Some(&mut watch)).expect("a move");
    watch
}

/// Moves a body; the cells it went through in order.
pub(crate) fn walk(setting: &mut Setting, key: EntityKey, by: [f32; 3], times: usize) -> Vec<u32> {
    let mut cells = vec![body(setting, key).cell.0];
    for _ in 0..times {
        let watch = step(setting, key, by);
        let to = body(setting, key);
        assert_eq!(Some(to.cell), setting.scene.get(key).expect("the body").cell, "never lost: {to:?}");
        if to.cell.0 != cells[cells.len() - 1] {
            assert!(watch.crossings > 0);
            cells.push(to.cell.0);
        }
    }
    cells
}

/// Whether there is room for a body that stands at a spot.
pub(crate) fn can_stand(setting: &mut Setting, spot: &Position) -> bool {
    let spawn = Spawn {
        role: EntityRole { is_player: true, ..EntityRole::default() },
        ..object(setting, 9, PLAYER, *spot, WALKER)
    };
    let key = setting.scene.spawn(&setting.world, spawn).expect("a body");
    let placed = setting.scene.place(&setting.world, key, spot, Default::default()).expect("a placement");
    let stands = placed.1.ok && setting.scene.get(key).expect("the body").has(Transient::ON_WALKABLE);
    setting.scene.despawn(&setting.world, key).expect("the body");
    stands
}

/// Walks from every spot in sixteen directions until something stops it, sliding along whatever there is: the body is
/// never lost, stays above `floor` and out of the walls. Shows every place it was in; returns how often it slid.
pub(crate) fn along_every_wall(
    setting: &mut Setting,
    spots: &[Position],
    floor: f32,
    mut look: impl FnMut(&Setting, &Position),
) -> usize {
    let mut slid = 0;
    for spot in spots {
        for direction in 0..16_u8 {
            setting.reset();
            let key = player(setting, 1, *spot);
            let (sin, cos) = (TAU * f32::from(direction) / 16.0).sin_cos();
            for _ in 0..60 {
                let from = body(setting, key);
                walk(setting, key, [0.15 * sin, 0.15 * cos, 0.0], 1);
                let to = body(setting, key);
                assert!(to.frame.origin.z > floor, "{to:?} fell out of the world");
                let depth = deepest_in_a_wall(setting, &to);
                assert!(depth < DEPTH, "{depth} m in a wall at {to:?}");
                look(setting, &to);
                let way = from.offset_to(&to);
                slid +=
                    usize::from(way.truncate().length() > 0.01 && way.dot(Vec3::new(sin, cos, 0.0)) < 0.14);
            }
        }
    }
    slid
}

/// Every wall polygon of the cell that the body is in, except where it stands on it.
fn deepest_in_a_wall(setting: &Setting, position: &Position) -> f32 {
    let mut deepest = 0.0_f32;
    for (z, radius) in [(0.475, 0.48), (1.35, 0.48)] {
        let center = position.frame.apply(Vec3::new(0.0, 0.0, z));
        let Some(cell) = setting.world.env_cell(position.cell) else { continue };
        let Some(mesh) = &cell.structure.physics else { continue };
        let center = cell.position.frame.apply_inverse(center);
        for polygon in mesh.polygons.polygons().iter().filter(|p| p.plane.normal.z.abs() < 0.5) {
            let mut reach = radius;
            while reach > 0.0
                && bsp::overlap(&mesh.polygons, polygon, &Sphere { center, radius: reach }).is_some()
            {
                reach -= 0.005;
            }
            deepest = deepest.max(radius - reach);
        }
    }
    deepest
}
