//! Entry to cells that have a keeper. Spec: physics-cells §4.7.

use super::{EntityKey, Scene, SceneError};
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Which players the keeper of a cell admits, as decided by the host. Plain data, so that a scene can be saved and swept
/// from several threads. Retail: the result of `CanMoveInto` of the keeper's game object, from a house's guest list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub enum Admission {
    /// Every player.
    #[default]
    Everyone,
    /// No player.
    Nobody,
    /// The players with these game ids.
    Only(BTreeSet<u32>),
}

impl Admission {
    /// Whether a mover with this game id is let in.
    pub fn admits(&self, guid: Option<u32>) -> bool {
        match self {
            Admission::Everyone => true,
            Admission::Nobody => false,
            Admission::Only(guests) => guid.is_some_and(|guid| guests.contains(&guid)),
        }
    }
}

impl Scene {
    /// Sets which players an object admits as the keeper of a cell; all by default. Only players that do not bypass
    /// restrictions ([`EntityRole::bypasses_restrictions`](super::EntityRole)) are ever checked.
    pub fn set_admission(&mut self, keeper: EntityKey, admission: Admission) -> Result<(), SceneError> {
        self.entities.get_mut(keeper).ok_or(SceneError::NoSuchEntity)?.extras_mut().admission = admission;
        Ok(())
    }

    /// Whether the keeper with a game id lets a mover in; one that is absent lets in nobody.
    pub(crate) fn is_admitted(&self, mover: Option<EntityKey>, keeper: u32) -> bool {
        let guid = mover.and_then(|mover| self.get(mover)?.guid);
        let keeper = self.entity_by_guid(keeper).filter(|keeper| keeper.role.has_game_object);
        keeper.is_some_and(|keeper| keeper.admission().admits(guid))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        flags::State,
        scene::{EntityRole, Spawn},
        testing::{BLOCK, LAND, ROOM, at, block, flat, floor, mesh, model, room, v, with_mesh, with_portal},
    };
    use glam::Vec3;
    use std::sync::Arc;
    use threshold_world::{
        CellId, Position, World,
        cell::{EnvCell, PortalTarget},
        geometry::Sphere,
    };

    const KEEPER: u32 = 0x7A9B_4001;
    const MOVER: u32 = 0x5000_0001;
    /// The guarded cells: the room east of [`ROOM`], the outdoor cell east of [`LAND`].
    const GUARDED_ROOM: CellId = CellId(ROOM.0 + 1);
    const GUARDED_LAND: CellId = CellId(0xA9B4_0009);

    /// Two rooms side by side, the eastern one with a keeper, and ground whose second column has one.
    fn world() -> World {
        let opening = v(6.0, 3.0, 1.0);
        let furnish = |number: u16, x: [f32; 2], normal: Vec3| {
            let empty = room(number, v(x[0], 0.0, 20.0), v(x[1], 6.0, 23.0));
            let solid = with_mesh(empty, mesh(&[floor(x, [0.0, 6.0], 20.0)]));
            let other = CellId(ROOM.0 + u32::from(1 - number));
            with_portal(solid, opening, normal, PortalTarget::Cell(other))
        };
        let west = furnish(0, [0.0, 6.0], Vec3::X);
        let east = EnvCell { restriction: Some(KEEPER), ..furnish(1, [6.0, 12.0], Vec3::NEG_X) };
        let mut block = block(BLOCK, flat(0.0), vec![west, east], vec![]);
        block.restrictions = Box::new([(u32::from(GUARDED_LAND.low()), KEEPER)]);
        let mut world = World::new();
        world.insert_resident(Arc::new(block));
        world
    }

    /// Walks east from a place, two and a half metres in five sweeps: where the mover ends, how far that is, and the
    /// normal of what it hit last.
    fn walk(
        scene: &mut Scene,
        world: &World,
        from: Position,
        role: EntityRole,
    ) -> (CellId, f32, Option<Vec3>) {
        let sphere = Sphere { center: v(0.0, 0.0, 0.48), radius: 0.48 };
        let model = model(&[sphere], &[]);
        let spawn =
            Spawn { guid: Some(MOVER), model, position: from, state: State::GRAVITY, scale: 1.0, role };
        let key = scene.spawn(world, spawn).expect("a mover");
        let mut hit = None;
        for _ in 0..5 {
            let mut to = scene.get(key).expect("a mover").position;
            to.frame.origin.x += 0.5;
            scene.move_to(world, key, &to, None).expect("a sweep");
            let log = scene.last_sweep().outcome().log;
            hit = log.hit_valid.then_some(log.hit).or(hit);
        }
        let end = scene.get(key).expect("a mover").position;
        scene.despawn(world, key).expect("it was there");
        (end.cell, from.offset_to(&end).x, hit)
    }

    fn player() -> EntityRole {
        EntityRole { is_player: true, bypasses_restrictions: false, ..EntityRole::default() }
    }

    /// Every rule, from a place 1.5 m before the guarded cell, which begins 1 m beyond the mover's skin. Returns the
    /// normal of the refusal.
    fn check(from: Position, guarded: CellId) -> Option<Vec3> {
        let world = world();
        let mut refusal = None;
        let mut check = |keeper: Option<Admission>, role: EntityRole, enters: bool| {
            let mut scene = Scene::new();
            if let Some(admission) = keeper.clone() {
                let spawn = Spawn {
                    guid: Some(KEEPER),
                    model: model(&[], &[]),
                    position: at(LAND, 3.0, 20.0, 0.0),
                    state: State::empty(),
                    scale: 1.0,
                    role: EntityRole::default(),
                };
                let key = scene.spawn(&world, spawn).expect("a keeper");
                scene.set_admission(key, admission).expect("it is there");
            }
            let (cell, way, hit) = walk(&mut scene, &world, from, role);
            if enters {
                assert_eq!(cell, guarded, "{keeper:?} {role:?}");
                assert!((way - 2.5).abs() < 1e-3, "{way}");
            } else {
                assert_eq!(cell, from.cell, "{keeper:?} {role:?}");
                assert!((0.45..=1.03).contains(&way), "it walks up to the border, and no farther: {way}");
                refusal = hit;
            }
        };
        let only = |guid: u32| Some(Admission::Only([guid].into()));
        check(None, player(), false);
        check(Some(Admission::Nobody), player(), false);
        check(only(MOVER + 1), player(), false);
        check(only(MOVER), player(), true);
        check(Some(Admission::Everyone), player(), true);
        for keeper in [None, Some(Admission::Nobody)] {
            check(keeper.clone(), EntityRole { bypasses_restrictions: true, ..player() }, true);
            check(keeper, EntityRole { is_player: false, ..player() }, true);
        }
        refusal
    }

    #[test]
    fn the_keeper_of_a_room_decides_who_enters_it() {
        check(at(ROOM, 4.5, 3.0, 20.0), GUARDED_ROOM);
    }

    #[test]
    fn the_keeper_of_a_land_cell_decides_who_enters_it_and_it_turns_the_mover_back() {
        let refusal = check(at(LAND, 22.5, 10.0, 0.0), GUARDED_LAND);
        // From the middle of the guarded cell the mover is in the west.
        assert_eq!(refusal, Some(Vec3::NEG_X));
    }
}
