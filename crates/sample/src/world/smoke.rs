//! Smoke over a chimney: an object whose script keeps an emitter going.

use super::{
    setup::{ball, facing_picture, single_part},
    skins::Skins,
};
use crate::{builder::WorldBuilder, error::BuildError, mesh::Mesh};
use glam::DVec3;
use threshold_dat::{
    DatId,
    records::{
        Frame, Hook, HookAction, ParticleEmitter, ParticleVector, PhysicsScript, ScriptStep, Setup,
        SetupDefaults,
    },
};

/// Emitter that gives birth by time.
const PER_SECOND: i32 = 1;
/// Particle that keeps the velocity it was born with, whichever way its parent faces.
const GLOBAL_VELOCITY: i32 = 12;
pub(super) fn make(world: &mut WorldBuilder, s: &Skins) -> Result<DatId, BuildError> {
    let puff = facing_picture(world, 0.5, s.smoke)?;
    let along = |vector: [f32; 3], min: f32, max: f32| ParticleVector { vector, min, max };
    let emitter = world.store.add(&ParticleEmitter {
        unknown: 0,
        emitter_type: PER_SECOND,
        particle_type: GLOBAL_VELOCITY,
        model: puff,
        hardware_model: puff,
        birth_rate: 0.6,
        max_particles: 10,
        initial_particles: 0,
        total_particles: 0,
        total_seconds: 0.0,
        life_span: 5.0,
        life_span_random: 1.0,
        offset_direction: [0.0, 0.0, 1.0],
        min_offset: 0.0,
        max_offset: 0.15,
        a: along([0.25, 0.1, 0.9], 0.8, 1.2),
        b: along([0.0; 3], 0.0, 0.0),
        c: along([0.0; 3], 0.0, 0.0),
        start_scale: 0.6,
        final_scale: 2.6,
        scale_random: 0.2,
        start_translucency: 0.4,
        final_translucency: 1.0,
        translucency_random: 0.05,
        parent_local: false,
    })?;
    let start = HookAction::CreateParticle { emitter, part: u32::MAX, offset: Frame::IDENTITY, instance: 0 };
    let script =
        PhysicsScript { steps: vec![ScriptStep { start: 0.0, hook: Hook { direction: 0, action: start } }] };
    let script = world.store.add(&script)?;
    // The object itself is the soot on the chimney's rim.
    let mut rim = Mesh::default();
    let soot = [(-0.3, -0.3), (0.3, -0.3), (0.3, 0.3), (-0.3, 0.3)].map(|(x, y)| DVec3::new(x, y, 0.01));
    rim.picture(soot, s.iron, false);
    let rim = world.mesh(&rim)?;
    let setup = Setup {
        sorting_sphere: ball(1.5, 2.0),
        selection_sphere: ball(0.0, 0.4),
        defaults: SetupDefaults { script, ..SetupDefaults::default() },
        ..single_part(rim)
    };
    Ok(world.store.add(&setup)?)
}
