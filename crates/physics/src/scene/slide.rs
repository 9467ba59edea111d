//! Slides whose cause no longer exists.
//!
//! An object that walks straight into another keeps a sliding normal, and a sweep straight against that normal goes
//! nowhere before it tests anything: once the door has opened, a mover that pushed squarely against it is stuck.
//! The original does this, and so do [`Scene::update`] and [`Scene::move_to`]. A program with a human player calls
//! [`Scene::end_stale_slide`] before each update of that player; nothing else does.

use super::{EntityKey, Scene};
use crate::flags::{State, Transient};
use glam::Vec3;

impl Scene {
    /// Ends an object's slide if the obstacle can no longer be hit: it was removed, is carried or ethereal, or is in none of
    /// the object's cells. Slides along walls, ground and anything still solid stay. True when a slide was ended.
    pub fn end_stale_slide(&mut self, key: EntityKey) -> bool {
        let is_stale = self.get(key).is_some_and(|entity| {
            entity.has(Transient::SLIDING)
                && entity.slid_along.is_some_and(|cause| !self.can_be_hit_by(key, cause))
        });
        if is_stale && let Some(entity) = self.entities.get_mut(key) {
            entity.transient -= Transient::SLIDING;
            entity.sliding_normal = Vec3::ZERO;
            entity.slid_along = None;
        }
        is_stale
    }

    /// Whether a solid object is in the list of a cell that another one is in.
    fn can_be_hit_by(&self, mover: EntityKey, target: EntityKey) -> bool {
        let is_solid =
            |target: &super::Entity| target.parent.is_none() && !target.state.contains(State::ETHEREAL);
        let cells = self.get(mover).map_or(&[][..], |mover| mover.shadows());
        self.get(target).is_some_and(is_solid)
            && cells.iter().any(|shadow| self.shadows_in(shadow.cell).contains(&target))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        scene::{Attachment, EntityRole, Spawn},
        testing::{LAND, at, flat, model, v, world},
    };
    use threshold_world::{
        World,
        geometry::{Cylinder, Sphere},
    };

    /// What is done to the post that a player pushes against.
    type Change = fn(&mut Scene, &World, EntityKey);

    fn pushed_on(scene: &mut Scene, world: &World, key: EntityKey, times: usize) -> f32 {
        for _ in 0..times {
            let mut to = scene.get(key).expect("a player").position;
            to.frame.origin.y += 0.1;
            scene.move_to(world, key, &to, None).expect("a sweep");
        }
        scene.get(key).expect("a player").position.frame.origin.y
    }

    /// A player who pushed squarely, northward, against a post at (12, 14).
    fn stuck(world: &World) -> (Scene, EntityKey, EntityKey) {
        let mut scene = Scene::new();
        let mut spawn = |guid, y, model, role| {
            let position = at(LAND, 12.0, y, 0.0);
            let spawn = Spawn { guid: Some(guid), model, position, state: State::GRAVITY, scale: 1.0, role };
            scene.spawn(world, spawn).expect("an object")
        };
        let sphere = Sphere { center: v(0.0, 0.0, 0.48), radius: 0.48 };
        let post = Cylinder { low: Vec3::ZERO, radius: 0.3, height: 2.0 };
        let role = EntityRole { is_player: true, ..EntityRole::default() };
        let post = spawn(2, 14.0, model(&[], &[post]), EntityRole::default());
        let player = spawn(1, 12.0, model(&[sphere], &[]), role);
        // It stands, then walks into the post until it slides.
        let y = pushed_on(&mut scene, world, player, 20);
        assert!((13.0..13.25).contains(&y), "{y}");
        assert!(scene.get(player).expect("a player").has(Transient::SLIDING));
        (scene, player, post)
    }

    #[test]
    fn a_slide_ends_when_its_cause_can_no_longer_be_hit() {
        let world = world(flat(0.0), vec![], vec![]);
        let changes: [(&str, Change); 4] = [
            ("ethereal", |scene, world, post| scene.set_ethereal(world, post, true).expect("it is there")),
            ("gone", |scene, world, post| scene.despawn(world, post).expect("it is there")),
            ("moved to another cell", |scene, world, post| {
                scene.update_position(world, post, at(LAND, 60.0, 60.0, 0.0)).expect("it is there");
            }),
            ("carried", |scene, world, post| {
                let player = scene.key_of(1);
                scene.set_parent(world, post, player, Attachment::default()).expect("it is there");
            }),
        ];
        for (what, change) in changes {
            let (mut scene, player, post) = stuck(&world);
            change(&mut scene, &world, post);
            let before = scene.get(player).expect("a player").position.frame.origin.y;
            // As in the original: the sweep ends before anything is tested.
            assert_eq!(pushed_on(&mut scene, &world, player, 5), before, "{what}");
            assert!(scene.end_stale_slide(player), "{what}");
            let after = pushed_on(&mut scene, &world, player, 5);
            assert!((after - before - 0.5).abs() < 1e-3, "{what}: {before} to {after}");
            assert!(!scene.end_stale_slide(player), "{what}: only once");
        }
    }

    #[test]
    fn a_slide_along_what_is_still_there_goes_on() {
        let world = world(flat(0.0), vec![], vec![]);
        let (mut scene, player, _) = stuck(&world);
        let hash = scene.state_hash();
        assert!(!scene.end_stale_slide(player));
        assert_eq!(scene.state_hash(), hash);
        assert!(scene.get(player).expect("a player").has(Transient::SLIDING));
    }
}
