//! Sources of particles. Spec: dat-portal §13.

use super::{DatRecord, Vec3};
use crate::codec::wire_struct;
use crate::{DatId, RecordKind};

wire_struct! {
    /// A source of particles.
    #[derive(Default)]
    pub struct ParticleEmitter {
        /// Only kept.
        pub unknown: u32,
        /// 1 births per second, 2 births per metre moved.
        pub emitter_type: i32,
        /// 1 still … 12 global velocity.
        pub particle_type: i32,
        /// GfxObj.
        pub model: DatId,
        /// GfxObj for hardware rendering.
        pub hardware_model: DatId,
        /// Interval between births.
        pub birth_rate: f64,
        /// At one time.
        pub max_particles: i32,
        /// At the start.
        pub initial_particles: i32,
        /// In all; 0 for no limit.
        pub total_particles: i32,
        /// 0 for no limit.
        pub total_seconds: f64,
        /// Seconds.
        pub life_span: f64,
        /// Seconds more or less.
        pub life_span_random: f64,
        /// Axis around which particles start.
        pub offset_direction: Vec3,
        /// Metres.
        pub min_offset: f32,
        /// Metres.
        pub max_offset: f32,
        /// First parameter of the movement.
        pub a: ParticleVector,
        /// Second parameter of the movement.
        pub b: ParticleVector,
        /// Third parameter of the movement.
        pub c: ParticleVector,
        /// At birth.
        pub start_scale: f32,
        /// At the end of life.
        pub final_scale: f32,
        /// More or less.
        pub scale_random: f32,
        /// At birth.
        pub start_translucency: f32,
        /// At the end of life.
        pub final_translucency: f32,
        /// More or less.
        pub translucency_random: f32,
        /// Particles move along with the object.
        pub parent_local: bool,
    }
}

impl DatRecord for ParticleEmitter {
    const KIND: RecordKind = RecordKind::ParticleEmitter;
}

wire_struct! {
    /// A direction whose length is chosen at random.
    #[derive(Copy, Default)]
    pub struct ParticleVector {
        /// Direction.
        pub vector: Vec3,
        /// Smallest factor.
        pub min: f32,
        /// Greatest factor.
        pub max: f32,
    }
}
