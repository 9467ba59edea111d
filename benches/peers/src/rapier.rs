//! The same geometry in rapier, with its character controller.

use crate::geometry::Geometry;
use anyhow::Result;
use rapier3d::{
    control::{CharacterAutostep, CharacterLength, KinematicCharacterController},
    parry::{query::ShapeCastOptions, shape::Capsule},
    prelude::*,
};

/// A world of rapier; nothing in it moves.
pub struct Peer {
    bodies: RigidBodySet,
    colliders: ColliderSet,
    broad_phase: BroadPhaseBvh,
    narrow_phase: NarrowPhase,
    controller: KinematicCharacterController,
    /// A person.
    pub person: Capsule,
    /// From the feet of a person to its middle.
    pub middle: f32,
}

/// Vectors of rapier.
pub fn vector(v: glam::Vec3) -> Vector {
    Vector::new(v.x, v.y, v.z)
}

impl Peer {
    /// Geometry for a person as tall and as wide as the model's spheres, who climbs steps of so many metres.
    pub fn new(geometry: &Geometry, radius: f32, height: f32, step: f32) -> Result<Peer> {
        let mut peer = Peer {
            bodies: RigidBodySet::new(),
            colliders: ColliderSet::new(),
            broad_phase: BroadPhaseBvh::new(),
            narrow_phase: NarrowPhase::new(),
            controller: KinematicCharacterController {
                up: Vector::Z,
                autostep: Some(CharacterAutostep {
                    max_height: CharacterLength::Absolute(step),
                    min_width: CharacterLength::Absolute(radius / 2.0),
                    include_dynamic_bodies: false,
                }),
                max_slope_climb_angle: 0.664_f32.acos(),
                min_slope_slide_angle: 0.664_f32.acos(),
                snap_to_ground: Some(CharacterLength::Absolute(step)),
                ..KinematicCharacterController::default()
            },
            person: Capsule::new_z((height / 2.0 - radius).max(0.01), radius),
            middle: height / 2.0,
        };
        let vertices = geometry.vertices.iter().map(|&v| vector(v)).collect();
        peer.insert(ColliderBuilder::trimesh(vertices, geometry.triangles.clone())?.build());
        for cylinder in &geometry.cylinders {
            let half = cylinder.height / 2.0;
            let middle = vector(cylinder.low) + Vector::Z * half;
            // Cylinders of rapier stand along y.
            let upright = Vector::X * std::f32::consts::FRAC_PI_2;
            let builder = ColliderBuilder::cylinder(half.max(0.01), cylinder.radius);
            peer.insert(builder.translation(middle).rotation(upright).build());
        }
        for sphere in &geometry.spheres {
            peer.insert(ColliderBuilder::ball(sphere.radius).translation(vector(sphere.center)).build());
        }
        Ok(peer)
    }

    fn insert(&mut self, collider: Collider) {
        let bounds = collider.compute_aabb();
        let handle = self.colliders.insert(collider);
        self.broad_phase.set_aabb(&IntegrationParameters::default(), handle, bounds);
    }

    fn queries(&self) -> QueryPipeline<'_> {
        let dispatcher = self.narrow_phase.query_dispatcher();
        self.broad_phase.as_query_pipeline(dispatcher, &self.bodies, &self.colliders, QueryFilter::default())
    }

    /// Where the controller brings a person that wants to move.
    pub fn walk(&self, from: Vector, wanted: Vector) -> Vector {
        let pose = Pose::from_translation(from);
        let moved = self.controller.move_shape(1.0 / 30.0, &self.queries(), &self.person, &pose, wanted, |_| ());
        from + moved.translation
    }

    /// One cast of a person's capsule, without any answer to what it meets; how far it gets, 0 to 1.
    pub fn cast(&self, from: Vector, wanted: Vector) -> f32 {
        let options = ShapeCastOptions::with_max_time_of_impact(1.0);
        let hit = self.queries().cast_shape(&Pose::from_translation(from), wanted, &self.person, options);
        hit.map_or(1.0, |(_, hit)| hit.time_of_impact)
    }
}
