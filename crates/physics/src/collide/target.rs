//! One object as a target. Spec: physics-cells §4.6, physics-objects §9.4.

use crate::{
    flags::{MoverFlags, State},
    scene::{Entity, EntityKey},
    sweep::{Sweep, Verdict},
};
use threshold_world::{
    Position,
    coords::block_offset,
    geometry::{Cylinder, Sphere},
    model::Mesh,
};

impl<'w> Sweep<'w> {
    /// Retail: `CPhysicsObj::FindObjCollisions`.
    pub(crate) fn collide_with_target(&mut self, key: EntityKey) -> Verdict {
        let scene = self.scene;
        let Some(target) = scene.get(key) else { return Verdict::Clear };
        let state = target.state;
        if target.parent.is_some()
            || state.contains(State::ETHEREAL | State::IGNORE_COLLISIONS)
            || (target.role.is_creature() && self.is(MoverFlags::VIEWER))
        {
            return Verdict::Clear;
        }
        let mover_is_ghost = self.mover.state.contains(State::ETHEREAL);
        let ghost = state.contains(State::ETHEREAL) || (mover_is_ghost && !state.contains(State::STATIC));
        if ghost && self.path.going_down {
            return Verdict::Clear;
        }
        if self.is_spared(target) || self.ignores_missile(key, target) {
            return Verdict::Clear;
        }
        self.path.ghost_target = ghost;
        let alive = state.contains(State::MISSILE) || target.role.is_creature();
        let mut verdict = self.collide_with_shape(target, alive);
        self.met_object |= verdict != Verdict::Clear;
        if verdict != Verdict::Clear && !self.path.going_down {
            if state.contains(State::STATIC) {
                if !self.is(MoverFlags::CONTACT) {
                    self.log.hit_environment = true;
                }
            } else {
                if ghost || (alive && self.is(MoverFlags::IGNORE_CREATURES)) {
                    verdict = Verdict::Clear;
                    self.log.hit_valid = false;
                } else {
                    self.log.last_touched = Some(key);
                }
                if !self.touched.contains(&key) {
                    self.touched.push(key);
                }
            }
        }
        self.path.ghost_target = false;
        verdict
    }

    /// Players pass each other unless both fight or one cannot be passed.
    fn is_spared(&self, target: &Entity) -> bool {
        let role = &target.role;
        role.is_player
            && self.is(MoverFlags::PLAYER)
            && !role.impenetrable
            && !self.is(MoverFlags::IMPENETRABLE)
            && !(role.pk && self.is(MoverFlags::PK))
            && !(role.pk_lite && self.is(MoverFlags::PK_LITE))
    }

    /// Missiles ignore each other, and what they are not aimed at when it is ethereal or alive.
    fn ignores_missile(&self, key: EntityKey, target: &Entity) -> bool {
        if target.state.contains(State::MISSILE) {
            return true;
        }
        if !self.mover.state.contains(State::MISSILE) || self.mover.target == Some(key) {
            return false;
        }
        (target.state.contains(State::ETHEREAL) && target.role.has_game_object)
            || (self.mover.target.is_some() && target.role.is_creature())
    }

    /// Exactly one kind of shape is tested: parts, else cylinders, else spheres.
    fn collide_with_shape(&mut self, target: &'w Entity, alive: bool) -> Verdict {
        let stop = |verdict: &Verdict| *verdict != Verdict::Clear;
        let model = &target.model;
        let scale = target.scale;
        if target.state.contains(State::HAS_PHYSICS_BSP) {
            for part in target.parts() {
                if self.has_missed(part) || !self.path.is_within_reach(part) {
                    continue;
                }
                match self.collide_with_part(&part.mesh, &part.position, part.scale) {
                    None => self.note_miss(part),
                    Some(Verdict::Clear) => {}
                    Some(verdict) => return verdict,
                }
            }
        } else if !model.cylinders.is_empty() {
            for cylinder in &model.cylinders {
                self.path.look_from(&target.position);
                let place = self.target_origin(&target.position);
                let verdict = self.collide_with_cylinder(&Cylinder {
                    low: place(cylinder.low * scale),
                    radius: cylinder.radius * scale,
                    height: cylinder.height * scale,
                });
                if stop(&verdict) {
                    return verdict;
                }
            }
        } else {
            for sphere in &model.spheres {
                let place = self.target_origin(&target.position);
                let sphere = Sphere { center: place(sphere.center * scale), radius: sphere.radius * scale };
                let verdict = self.collide_with_sphere(&sphere, alive);
                if stop(&verdict) {
                    return verdict;
                }
            }
        }
        Verdict::Clear
    }

    /// Puts points of a target's space into the trial's block coordinates.
    fn target_origin(&self, position: &Position) -> impl Fn(glam::Vec3) -> glam::Vec3 + use<'w> {
        let frame = position.frame;
        let shift = block_offset(self.path.trial.cell, position.cell);
        move |p| frame.apply(p) + shift
    }

    /// None as from [`Self::collide_with_mesh`].
    /// Retail: `CPhysicsPart::find_obj_collisions`, `CGfxObj::find_obj_collisions`. Spec: physics-objects §9.4.
    pub(super) fn collide_with_part(
        &mut self,
        mesh: &'w Mesh,
        position: &'w Position,
        scale: f32,
    ) -> Option<Verdict> {
        let physics = mesh.physics.as_ref()?;
        let bounds = mesh.physics_sphere?;
        self.path.localise(position, scale);
        let spheres = &self.path.local.spheres[..self.path.count];
        if !spheres.iter().any(|sphere| bounds.is_near(sphere)) {
            return None;
        }
        self.collide_with_mesh(physics, scale)
    }
}
