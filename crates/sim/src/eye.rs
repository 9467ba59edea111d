//! The camera: in the player's head, behind it, or flying freely. Its cell always comes from a sweep.

use glam::Vec3;
use serde::{Deserialize, Serialize};
use threshold_physics::{EntityKey, Scene, Sweeper, scene::camera, sweep::SweepInput};
use threshold_view::camera::{Camera, Mode, PIVOT_HEIGHT, Player as CameraPlayer, orientation};
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
/// Height above the feet from which the eye is carried up: clear of the ground, below every ceiling that one can stand
/// under.
const START_HEIGHT: f32 = 0.5;

/// The eye that flies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Flight {
    position: Position,
    yaw: f32,
    pitch: f32,
}

/// Directions of a flight, each −1…1, in the eye's own frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
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

/// The camera of a player.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Eye {
    camera: Camera,
    flight: Option<Flight>,
    current: Option<Position>,
    /// Its course while it flies.
    pub course: Course,
    /// It passes through walls; not part of snapshots. Its cell is then the one that the place lies in, seen from the last
    /// one, because no sweep can hold it.
    #[serde(skip)]
    pub ignores_walls: bool,
}

impl Default for Eye {
    fn default() -> Self {
        let mut camera = Camera::default();
        camera.zoom(-FARTHER);
        Eye { camera, flight: None, current: None, course: Course::default(), ignores_walls: false }
    }
}

impl Eye {
    /// The eye as it was last moved, with its cell.
    pub fn position(&self) -> Option<&Position> {
        self.current.as_ref()
    }

    /// Whether it is in the player's head.
    pub fn is_first_person(&self) -> bool {
        self.flight.is_none() && self.camera.mode == Mode::FirstPerson
    }

    /// Whether it flies freely.
    pub fn is_flying(&self) -> bool {
        self.flight.is_some()
    }

    /// Moves it into the player's head.
    pub fn enter_head(&mut self) {
        self.change_seat(Mode::FirstPerson);
    }

    /// Moves it out of the player's head, back to where it was before.
    pub fn leave_head(&mut self) {
        self.change_seat(Mode::Boom);
    }

    fn change_seat(&mut self, mode: Mode) {
        let first_person = mode == Mode::FirstPerson;
        if first_person != (self.camera.mode == Mode::FirstPerson) {
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

    /// Steps towards the player (negative: away from it), into its head and out of it.
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
    pub fn player_translucency(&self, player: &CameraPlayer) -> f32 {
        if self.flight.is_some() { 0.0 } else { self.camera.player_translucency(player) }
    }

    /// Restarts the camera from the player, after a teleport.
    pub fn reset(&mut self) {
        self.camera.reset();
        self.flight = None;
    }

    /// Moves the eye for a frame.
    pub(crate) fn update(&mut self, around: &mut Surroundings<'_>, player: &CameraPlayer, dt: f32) {
        let (world, ignores_walls) = (around.world, self.ignores_walls);
        let sweep = |from: &Position, to: &Position| match ignores_walls {
            true => Some(around.put(from, to)),
            false => around.carry(from, to),
        };
        self.current = match &mut self.flight {
            Some(flight) => {
                flight.update(&self.course, dt, sweep);
                Some(flight.position)
            }
            None => {
                // An eye in its own head wants no damping.
                self.camera.stiffness = if self.camera.mode == Mode::FirstPerson { 1.0 } else { 0.8 };
                if self.camera.eye().is_none() {
                    self.camera.stiffness = 1.0;
                }
                self.camera.update(world, player, dt, sweep)
            }
        };
    }
}

/// What an eye is carried through.
pub(crate) struct Surroundings<'a> {
    pub(crate) world: &'a World,
    pub(crate) scene: &'a Scene,
    /// Its own player, which it never hits.
    pub(crate) player: Option<EntityKey>,
    pub(crate) sweeper: &'a mut Sweeper,
}

impl Surroundings<'_> {
    /// Sweeps the camera's sphere from one place towards another. `None` when the sweep found no valid position.
    fn carry(&mut self, from: &Position, to: &Position) -> Option<Position> {
        let mover = self.player.map_or_else(camera, |player| self.scene.camera_of(player));
        let input = SweepInput::new(mover, from, to);
        let swept = self.sweeper.sweep(self.world, self.scene, input, None).ok()?;
        swept.cell.filter(|_| swept.ok).map(|cell| Position::new(cell, swept.position.frame))
    }

    /// Puts the camera somewhere, whatever is in the way; where no cell is found it keeps the one it comes from.
    fn put(&self, from: &Position, to: &Position) -> Position {
        let there = Position::new(from.cell, to.frame);
        self.world.reseat(&there, Vec3::ZERO).unwrap_or(there)
    }
}

/// The eye above a place: raised to eye height by the camera's sweep, so that its cell is the one the sweep ended in. If
/// the sweep fails the eye is re-seated, and failing that it stays in the cell of the feet.
/// Spec: visibility §14 steps 4 and 5.
pub fn eye_above(world: &World, scene: &Scene, player: Option<EntityKey>, at: &Position) -> Position {
    let lifted = |height: f32| {
        let mut position = *at;
        position.frame.origin.z += height;
        position
    };
    let eye = lifted(PIVOT_HEIGHT);
    let reseated = |position: &Position| world.reseat(position, Vec3::ZERO);
    let start = lifted(START_HEIGHT);
    let start = if at.cell.is_outdoor() { start } else { reseated(&start).unwrap_or(start) };
    let mut around = Surroundings { world, scene, player, sweeper: &mut Sweeper::new() };
    around.carry(&start, &eye).or_else(|| reseated(&eye)).unwrap_or(eye)
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
