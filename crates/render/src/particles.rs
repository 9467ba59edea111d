//! Particles: emitters and the motion of particles. Spec: render-data §13.
//!
//! Retail: `ParticleEmitter::UpdateParticles` (0x0051D180), `Particle::Init` (0x0051C930), `Particle::Update`
//! (0x0051C290).

use glam::Vec3;
use std::sync::Arc;
use threshold_dat::records::{ParticleEmitter, ParticleVector};
use threshold_world::{EPSILON, Frame, Quat};

/// More than any shipped emitter has alive at once.
const MAX_LIVE: usize = 1000;

/// A small generator: effects look random and are the same in every run.
#[derive(Clone, Debug)]
struct Dice(u64);

impl Dice {
    /// Uniform between two numbers.
    fn between(&mut self, low: f32, high: f32) -> f32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        let unit = ((z ^ z >> 31) >> 40) as f32 / (1u32 << 24) as f32;
        low + (high - low) * unit
    }

    fn vary(&mut self, value: f32, by: f32) -> f32 {
        value + by * self.between(-1.0, 1.0)
    }

    fn vector(&mut self, source: &ParticleVector) -> Vec3 {
        Vec3::from_array(source.vector) * self.between(source.min, source.max)
    }
}

/// The look of a particle at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParticleView {
    /// Its place.
    pub frame: Frame,
    /// Its size.
    pub scale: f32,
    /// Its translucency; 1 is invisible.
    pub translucency: f32,
}

#[derive(Clone, Debug)]
struct Particle {
    birth: f64,
    life: f64,
    /// Where the emitter's parent was; its orientation stays that of birth.
    anchor: Frame,
    offset: Vec3,
    a: Vec3,
    b: Vec3,
    c: Vec3,
    scale: (f32, f32),
    translucency: (f32, f32),
}

/// An emitter at work.
#[derive(Clone, Debug)]
pub struct Emitter {
    info: Arc<ParticleEmitter>,
    /// Offset of the hook that made it.
    offset: Vec3,
    dice: Dice,
    particles: Vec<Particle>,
    started: f64,
    last_birth: f64,
    last_place: Vec3,
    emitted: i32,
    stopped: bool,
}

impl Emitter {
    /// An emitter; `seed` makes it differ from others of its kind.
    pub fn new(info: Arc<ParticleEmitter>, offset: Vec3, parent: &Frame, now: f64, seed: u64) -> Emitter {
        let initial = info.initial_particles.clamp(0, info.max_particles.clamp(0, MAX_LIVE as i32));
        let mut emitter = Emitter {
            info,
            offset,
            dice: Dice(seed.wrapping_mul(0x2545_F491_4F6C_DD1D) | 1),
            particles: Vec::new(),
            started: now,
            last_birth: now,
            last_place: parent.origin,
            emitted: 0,
            stopped: false,
        };
        for _ in 0..initial {
            emitter.give_birth(parent, now);
        }
        emitter
    }

    /// Emits no more.
    pub fn stop(&mut self) {
        self.stopped = true;
    }

    /// Whether it has no particles left and will emit no more.
    pub fn is_over(&self) -> bool {
        self.stopped && self.particles.is_empty()
    }

    /// Advances time: removes old particles, and emits at most one.
    pub fn update(&mut self, parent: &Frame, now: f64) {
        self.particles.retain(|particle| now - particle.birth < particle.life);
        let info = &self.info;
        let over = |limit: f64| limit > 0.0 && now - self.started > limit;
        if (info.total_particles > 0 && self.emitted >= info.total_particles) || over(info.total_seconds) {
            self.stopped = true;
        }
        let room = self.particles.len() < info.max_particles.clamp(0, MAX_LIVE as i32) as usize;
        // Also false when the rate is NaN; 0 or less emits only the initial ones.
        let due = info.birth_rate > 0.0
            && if info.emitter_type & 1 != 0 {
                now - self.last_birth > info.birth_rate
            } else {
                f64::from((parent.origin - self.last_place).length()) >= info.birth_rate
            };
        if !self.stopped && room && due {
            self.give_birth(parent, now);
            self.last_birth = now;
            self.last_place = parent.origin;
        }
    }

    fn give_birth(&mut self, parent: &Frame, now: f64) {
        let (info, dice) = (&self.info, &mut self.dice);
        let life = f64::from(dice.between(-1.0, 1.0)) * info.life_span_random + info.life_span;
        let direction = Vec3::from_array(info.offset_direction);
        let random = Vec3::new(dice.between(-1.0, 1.0), dice.between(-1.0, 1.0), dice.between(-1.0, 1.0));
        let aside = random - direction * direction.dot(random);
        let length = aside.length();
        let aside = if length < EPSILON { Vec3::ZERO } else { aside / length };
        let spread = aside * dice.between(info.min_offset, info.max_offset);
        let (a, b, mut c) = (dice.vector(&info.a), dice.vector(&info.b), dice.vector(&info.c));
        let mut offset = parent.rotate(spread + self.offset);
        let local = |v: Vec3| parent.rotate(v);
        let (a, b) = match info.particle_type {
            2..=5 => (local(a), b),
            8 | 9 => (local(a), local(b)),
            _ => (a, b),
        };
        match info.particle_type {
            6 => {
                let (theta, phi) = (
                    dice.between(-std::f32::consts::PI, std::f32::consts::PI),
                    dice.between(-std::f32::consts::PI, std::f32::consts::PI),
                );
                let flat = libm::cosf(phi);
                let out = Vec3::new(libm::cosf(theta) * flat, libm::sinf(theta) * flat, libm::sinf(phi)) * c;
                let length = out.length();
                c = if length < EPSILON { Vec3::ZERO } else { out / length };
            }
            7 => {
                offset *= c;
                c = offset;
            }
            9 => c = local(c),
            _ => {}
        }
        let scale = |dice: &mut Dice, value: f32| dice.vary(value, info.scale_random).clamp(0.1, 10.0);
        let fade = |dice: &mut Dice, value: f32| dice.vary(value, info.translucency_random).clamp(0.0, 1.0);
        let particle = Particle {
            birth: now,
            life: if life.is_finite() { life.max(0.0) } else { 0.1 },
            anchor: *parent,
            offset,
            a,
            b,
            c,
            scale: (scale(dice, info.start_scale), scale(dice, info.final_scale)),
            translucency: (fade(dice, info.start_translucency), fade(dice, info.final_translucency)),
        };
        self.particles.push(particle);
        self.emitted = self.emitted.saturating_add(1);
    }

    /// Number of particles alive.
    pub fn count(&self) -> usize {
        self.particles.len()
    }

    /// The `index`th particle; `parent` is where the emitter's parent is now.
    pub fn particle(&self, index: usize, parent: &Frame, now: f64) -> Option<ParticleView> {
        let particle = self.particles.get(index)?;
        let age = now - particle.birth;
        let t = age as f32;
        let part = if particle.life > 0.0 { (age / particle.life).clamp(0.0, 1.0) as f32 } else { 1.0 };
        let mix = |(from, to): (f32, f32)| from + (to - from) * part;
        let origin = if self.info.parent_local { parent.origin } else { particle.anchor.origin };
        let place = origin + particle.offset + motion(self.info.particle_type, particle, t);
        let turned = match self.info.particle_type {
            4 | 9 | 11 => spin(particle.anchor.rotation(), particle.c * t),
            _ => particle.anchor.rotation(),
        };
        Some(ParticleView {
            frame: Frame::new(place, turned),
            scale: mix(particle.scale),
            translucency: mix(particle.translucency),
        })
    }
}

/// Way of a particle from where it was born, by the kind of its emitter.
fn motion(kind: i32, p: &Particle, t: f32) -> Vec3 {
    match kind {
        2 | 12 => p.a * t,
        3 | 4 | 8 | 9 | 10 | 11 => p.a * t + p.b * (0.5 * t * t),
        5 => {
            let sway = Vec3::new(
                libm::cosf(t * p.b.x) * p.c.x,
                libm::sinf(t * p.b.y) * p.c.y,
                libm::cosf(t * p.b.z) * p.c.z,
            );
            p.a * t + sway
        }
        6 => (p.b * t + p.c * p.a.x) * t + Vec3::new(0.0, 0.0, t * p.a.z),
        7 => p.c * libm::cosf(p.a.x * t) + p.b * (t * t),
        _ => Vec3::ZERO,
    }
}

/// An orientation turned by a rotation vector.
fn spin(from: Quat, by: Vec3) -> Quat {
    let angle = by.length();
    if angle < EPSILON {
        return from;
    }
    let half = angle / 2.0;
    Quat { w: libm::cosf(half), v: by * (libm::sinf(half) / angle) } * from
}

#[cfg(test)]
mod tests {
    use super::*;

    fn smoke() -> ParticleEmitter {
        ParticleEmitter {
            emitter_type: 1,
            particle_type: 2,
            birth_rate: 0.1,
            max_particles: 5,
            life_span: 1.0,
            a: ParticleVector { vector: [0.0, 1.0, 0.0], min: 2.0, max: 2.0 },
            start_scale: 1.0,
            final_scale: 3.0,
            final_translucency: 1.0,
            ..ParticleEmitter::default()
        }
    }

    fn run(info: ParticleEmitter, parent: &Frame, seconds: f64) -> (Emitter, f64) {
        let mut emitter = Emitter::new(Arc::new(info), Vec3::ZERO, parent, 0.0, 7);
        let mut now = 0.0;
        while now < seconds {
            now += 0.05;
            emitter.update(parent, now);
        }
        (emitter, now)
    }

    #[test]
    fn one_is_born_at_a_time_up_to_the_most() {
        let (emitter, _) = run(smoke(), &Frame::IDENTITY, 0.31);
        assert_eq!(emitter.count(), 2);
        let (emitter, _) = run(smoke(), &Frame::IDENTITY, 5.0);
        assert_eq!(emitter.count(), 5);
    }

    #[test]
    fn local_velocity_turns_with_the_parent_and_looks_change_with_age() {
        let east = Frame::new(Vec3::new(1.0, 2.0, 3.0), Quat::from_heading(90.0));
        let info = ParticleEmitter { initial_particles: 1, birth_rate: 9.0, ..smoke() };
        let (emitter, now) = run(info, &east, 0.5);
        let view = emitter.particle(0, &east, now).unwrap();
        assert!((view.frame.origin - Vec3::new(1.0 + 2.0 * now as f32, 2.0, 3.0)).length() < 1e-4);
        assert!((view.scale - (1.0 + 2.0 * now as f32)).abs() < 1e-4);
        assert!((view.translucency - now as f32).abs() < 1e-4);
        let moved = Frame::at(Vec3::new(10.0, 0.0, 0.0));
        assert_eq!(emitter.particle(0, &moved, now).unwrap().frame.origin, view.frame.origin);
    }

    #[test]
    fn example_21_swarm() {
        let still = |v: [f32; 3]| ParticleVector { vector: v, min: 1.0, max: 1.0 };
        let info = ParticleEmitter {
            particle_type: 5,
            initial_particles: 1,
            a: still([0.0; 3]),
            b: still([0.0; 3]),
            c: still([1.0, 2.0, 3.0]),
            life_span: 9.0,
            ..smoke()
        };
        for seconds in [0.1, 3.0] {
            let (emitter, now) = run(info.clone(), &Frame::IDENTITY, seconds);
            let place = emitter.particle(0, &Frame::IDENTITY, now).unwrap().frame.origin;
            assert!((place - Vec3::new(1.0, 0.0, 3.0)).length() < 1e-5, "{place}");
        }
    }

    #[test]
    fn an_emitter_ends_with_its_total_or_its_time() {
        let (emitter, _) = run(ParticleEmitter { total_particles: 3, ..smoke() }, &Frame::IDENTITY, 9.0);
        assert!(emitter.is_over());
        let (emitter, _) = run(ParticleEmitter { total_seconds: 2.0, ..smoke() }, &Frame::IDENTITY, 9.0);
        assert!(emitter.is_over());
        let (emitter, _) = run(smoke(), &Frame::IDENTITY, 9.0);
        assert!(!emitter.is_over());
    }

    #[test]
    fn hostile_numbers_neither_hang_nor_grow() {
        let info = ParticleEmitter {
            birth_rate: f64::NAN,
            max_particles: i32::MAX,
            initial_particles: i32::MAX,
            life_span: 1e6,
            start_scale: f32::NAN,
            particle_type: 99,
            ..smoke()
        };
        let (emitter, now) = run(info, &Frame::IDENTITY, 1.0);
        assert_eq!(emitter.count(), MAX_LIVE);
        assert!(emitter.particle(0, &Frame::IDENTITY, now).is_some());
    }
}
