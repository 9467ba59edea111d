//! The eye: in the player's head, behind him, or flying on its own. Its cell always comes from a sweep.

use glam::Vec3;
use threshold_physics::{EntityKey, Scene, Sweeper, sweep::SweepInput};
use threshold_view::camera::{Camera, Mode, Player, orientation};
use threshold_world::{Frame, Position, World};

/// A boom shorter than this is left for the head when it is shortened further.
const SHORTEST: f32 = 0.75;
/// Highest and lowest look in first person and in flight, degrees.
const STEEPEST: f32 = 85.0;
/// Metres per second in flight, and how much faster when hurrying.
const FLIGHT: f32 = 6.0;
const HURRY: f32 = 4.0;
/// Steps of the zoom that the boom is longer at first than the original's: there is more to see.
const FARTHER: i32 = 2;
/// How far up from its middle the boom may be brought, and how far down.
const RISE: (f32, f32) = (-25.0, 70.0);

/// The eye that flies.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Flight {
    position: Position,
    yaw: f32,
    pitch: f32,
}

/// Directions of a flight, each −1…1, in the eye's own frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Course {
    /// To the right.
    pub right: f32,
    /// Ahead.
    pub ahead: f32,
    /// Up.
    pub up: f32,
    /// Faster.
    pub hurry: bool,
}

/// Where the world is seen from.
pub struct Eye {
    camera: Camera,
    flight: Option<Flight>,
    sweeper: Sweeper,
    current: Option<Position>,
}

impl Default for Eye {
    fn default() -> Self {
        let mut camera = Camera::default();
        camera.zoom(-FARTHER);
        Eye { camera, flight: None, sweeper: Sweeper::new(), current: None }
    }
}

impl Eye {
    /// The eye as it was last moved, with its cell.
    pub fn position(&self) -> Option<&Position> {
        self.current.as_ref()
    }

    /// It is in the player's head.
    pub fn is_first_person(&self) -> bool {
        self.flight.is_none() && self.camera.mode == Mode::FirstPerson
    }

    /// It flies on its own.
    pub fn is_flying(&self) -> bool {
        self.flight.is_some()
    }

    /// Into the player's head or out of it.
    pub fn set_first_person(&mut self, first_person: bool) {
        if first_person != (self.camera.mode == Mode::FirstPerson) {
            // Whoever comes out of the head stands where he stood before.
            let offset = self.camera.offset;
            self.camera.set_first_person(first_person);
            self.camera.offset = offset;
            self.camera.pitch = 0.0;
            self.camera.reset();
        }
    }

    /// Takes off from where the eye is, or returns to the player.
    pub fn toggle_flight(&mut self) {
        self.flight = match (self.flight, self.current) {
            (None, Some(position)) => Some(Flight::from(position)),
            _ => None,
        };
        self.camera.reset();
    }

    /// Flies to a place at once.
    pub fn fly_to(&mut self, position: Position) {
        self.flight = Some(Flight::from(position));
        self.current = Some(position);
    }

    /// Steps towards the player (negative: away from him), into his head and out of it.
    pub fn zoom(&mut self, steps: i32) {
        for _ in 0..steps.unsigned_abs().min(32) {
            match (self.camera.mode, steps > 0) {
                (Mode::FirstPerson, true) => {}
                (Mode::FirstPerson, false) => self.camera.set_first_person(false),
                (_, true) if self.camera.offset.length() * 0.8 < SHORTEST => {
                    self.camera.set_first_person(true);
                    self.camera.pitch = 0.0;
                }
                (_, towards) => self.camera.zoom(if towards { 1 } else { -1 }),
            }
        }
    }

    /// Looks up by degrees; in flight also to the right, which otherwise turns the player.
    pub fn look(&mut self, right: f32, up: f32) {
        if let Some(flight) = &mut self.flight {
            flight.yaw = (flight.yaw + right).rem_euclid(360.0);
            flight.pitch = (flight.pitch + up).clamp(-STEEPEST, STEEPEST);
        } else if self.camera.mode == Mode::FirstPerson {
            let limit = STEEPEST.to_radians();
            self.camera.pitch = (self.camera.pitch + up.to_radians()).clamp(-limit, limit);
        } else {
            let offset = self.camera.offset;
            let rise = libm::atan2f(offset.z, offset.truncate().length()).to_degrees();
            let wanted = (rise - up).clamp(RISE.0, RISE.1);
            self.camera.orbit(0.0, wanted - rise);
        }
    }

    /// How transparent the player's own model is: 0 solid, 1 invisible.
    pub fn player_translucency(&self, player: &Player) -> f32 {
        if self.flight.is_some() { 0.0 } else { self.camera.player_translucency(player) }
    }

    /// The eye starts again from the player, after a teleport.
    pub fn reset(&mut self) {
        self.camera.reset();
        self.flight = None;
    }

    /// Moves the eye for a frame.
    pub(super) fn update(
        &mut self,
        world: &World,
        scene: &Scene,
        key: EntityKey,
        player: &Player,
        course: &Course,
        dt: f32,
    ) {
        let sweeper = &mut self.sweeper;
        let mut sweep = |from: &Position, to: &Position| {
            let mover = scene.camera_of(key);
            let swept = sweeper.sweep(world, scene, SweepInput::new(mover, from, to), None).ok()?;
            swept.cell.filter(|_| swept.ok).map(|cell| Position::new(cell, swept.position.frame))
        };
        self.current = match &mut self.flight {
            Some(flight) => {
                flight.update(course, dt, sweep);
                Some(flight.position)
            }
            None => {
                // Whoever looks out of his own head wants no damping.
                self.camera.stiffness = if self.camera.mode == Mode::FirstPerson { 1.0 } else { 0.8 };
                if self.camera.eye().is_none() {
                    self.camera.stiffness = 1.0;
                }
                self.camera.update(world, player, dt, &mut sweep)
            }
        };
    }
}

impl From<Position> for Flight {
    fn from(position: Position) -> Flight {
        let forward = position.frame.rotate(Vec3::Y);
        let pitch = libm::asinf(forward.z.clamp(-1.0, 1.0)).to_degrees();
        Flight { position, yaw: position.frame.heading(), pitch: pitch.clamp(-STEEPEST, STEEPEST) }
    }
}

impl Flight {
    fn update(
        &mut self,
        course: &Course,
        dt: f32,
        sweep: impl FnOnce(&Position, &Position) -> Option<Position>,
    ) {
        self.position.frame.set_rotation(orientation(self.yaw, self.pitch));
        let frame = &self.position.frame;
        let speed = FLIGHT * if course.hurry { HURRY } else { 1.0 };
        let step = frame.rotate(Vec3::new(course.right, course.ahead, 0.0)) + Vec3::Z * course.up;
        let step = step.clamp_length_max(1.0) * (speed * dt);
        if step == Vec3::ZERO {
            return;
        }
        let target = Position::new(self.position.cell, Frame::new(frame.origin + step, frame.rotation()));
        if let Some(held) = sweep(&self.position, &target) {
            self.position = Position::new(held.cell, Frame::new(held.frame.origin, frame.rotation()));
        }
    }
}
