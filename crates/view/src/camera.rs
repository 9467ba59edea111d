//! The camera: where it wants to be, how it gets there, and which cell it is in.
//!
//! The eye is carried through the same sweep as a body, by a closure of the caller, so that its cell is never derived
//! from a point. Spec: visibility §14.

use glam::Vec3;
use serde::{Deserialize, Serialize};
use threshold_world::{CellId, EPSILON, Frame, Position, Quat, World, coords::block_offset};

/// Height of the point the camera turns around above the player's origin.
pub const PIVOT_HEIGHT: f32 = 1.5;
/// Radius of the sphere that is swept for the eye.
pub const VIEWER_RADIUS: f32 = 0.3;

/// Reach of a first-person eye before the pivot.
const FIRST_PERSON_REACH: f32 = 0.18;
/// Where the boom stands when it is first used, and after first person.
const DEFAULT_OFFSET: Vec3 = Vec3::new(0.0, -2.5, 0.75);
const NEAR_OFFSET: Vec3 = Vec3::new(0.0, -0.6, 0.5);
/// Looking down on the player: direction in its frame, and how far back along it.
const DOWN: Vec3 = Vec3::new(0.0, 0.5, -1.8);
const DOWN_BACK: f32 = 2.0;
const MAP_BACK: f32 = 450.0;
/// Limits of the boom.
const HORIZONTAL_MAX: f32 = 10.0;
const VERTICAL: (f32, f32) = (-1.8, 450.0);
const LENGTH_MIN: f32 = 0.5;
/// One step of zooming multiplies the boom by 1 ± this.
const ZOOM_STEP: f32 = 0.2;
/// The boom never stands straight above or below the player, where it would have no heading.
const STEEPEST: f32 = 1.55;
/// A smaller change than this leaves the camera where it is.
const PARKING_DISTANCE: f32 = 0.000_4;
/// The boom follows slopes unless it stands further aside than this.
const SIDE_MAX: f32 = 1.0;
/// Distances from eye to pivot at which the player's model is invisible and wholly visible.
const FADE: (f32, f32) = (0.2, 0.45);

/// How the camera follows the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Mode {
    /// Behind the player, on the boom.
    #[default]
    Boom,
    /// In the player's head.
    FirstPerson,
    /// From above.
    LookDown,
    /// From so far above that it is a map.
    Map,
}

/// What the camera needs to know about the player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Player {
    /// Its position and cell.
    pub position: Position,
    /// Normal of the ground it stands on; `None` in the air.
    pub ground: Option<Vec3>,
    /// Its velocity, averaged over five ticks.
    pub velocity: Vec3,
}

/// The camera's state from frame to frame.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Camera {
    /// How it follows the player.
    pub mode: Mode,
    /// The boom: from the pivot to the eye (x right, y forward, z up) in the frame of the player's heading.
    pub offset: Vec3,
    /// Up in radians, in first person.
    pub pitch: f32,
    /// How fast it moves and turns to its target; 1 is immediately.
    pub stiffness: f32,
    /// The boom tilts with the ground.
    pub follows_slopes: bool,
    /// When the camera has no cell, it looks from the player. The original sees nothing for that frame.
    pub falls_back: bool,
    published: Option<Position>,
}

impl Default for Camera {
    fn default() -> Self {
        Camera {
            mode: Mode::Boom,
            offset: DEFAULT_OFFSET,
            pitch: 0.0,
            stiffness: 0.45,
            follows_slopes: true,
            falls_back: true,
            published: None,
        }
    }
}

/// The orientation that looks `yaw` degrees clockwise from north and `pitch` degrees up.
pub fn orientation(yaw: f32, pitch: f32) -> Quat {
    let half = pitch.to_radians() / 2.0;
    let tilt = Quat { w: libm::cosf(half), v: Vec3::new(libm::sinf(half), 0.0, 0.0) };
    Quat::from_heading(yaw) * tilt
}

/// The upright orientation that looks along a direction; the identity for none.
fn looking_along(direction: Vec3) -> Quat {
    let level = direction.truncate().length();
    if level < EPSILON && direction.z.abs() < EPSILON {
        return Quat::IDENTITY;
    }
    let yaw = if level < EPSILON { 0.0 } else { libm::atan2f(direction.x, direction.y) };
    orientation(yaw.to_degrees(), libm::atan2f(direction.z, level).to_degrees())
}

impl Camera {
    /// The eye as it was last published.
    pub fn eye(&self) -> Option<&Position> {
        self.published.as_ref()
    }

    /// After a teleport: the eye starts again from the player.
    pub fn reset(&mut self) {
        self.published = None;
    }

    /// One step towards the player (negative: away).
    pub fn zoom(&mut self, steps: i32) {
        let factor = if steps > 0 { 1.0 - ZOOM_STEP } else { 1.0 + ZOOM_STEP };
        for _ in 0..steps.unsigned_abs().min(64) {
            self.set_offset(self.offset * factor);
        }
    }

    /// Turns the boom around the player by degrees to the right and up.
    pub fn orbit(&mut self, right: f32, up: f32) {
        let level = self.offset.truncate().length();
        let heading = libm::atan2f(-self.offset.x, -self.offset.y) + right.to_radians();
        let rise = (libm::atan2f(self.offset.z, level) + up.to_radians()).clamp(-STEEPEST, STEEPEST);
        let (level, z) = (self.offset.length() * libm::cosf(rise), self.offset.length() * libm::sinf(rise));
        self.set_offset(Vec3::new(-level * libm::sinf(heading), -level * libm::cosf(heading), z));
    }

    /// Steps into or out of the player's head.
    pub fn set_first_person(&mut self, first_person: bool) {
        if first_person {
            self.mode = Mode::FirstPerson;
        } else if self.mode == Mode::FirstPerson {
            self.mode = Mode::Boom;
            self.offset = NEAR_OFFSET;
        }
    }

    fn set_offset(&mut self, offset: Vec3) {
        let allowed = offset.x.abs() < HORIZONTAL_MAX
            && offset.y.abs() < HORIZONTAL_MAX
            && offset.z > VERTICAL.0
            && offset.z < VERTICAL.1
            && offset.length() >= LENGTH_MIN;
        if allowed {
            self.offset = offset;
        }
    }

    /// Moves the camera for a frame of `dt` seconds; the result is the eye with its cell, none when there is no cell.
    ///
    /// `sweep` carries the viewer's sphere from one position to the origin of another in the same block coordinates, and
    /// answers where it got to, with the cell it is then in. Retail: `SmartBox::update_viewer` (0x00453CE0).
    pub fn update(
        &mut self,
        world: &World,
        player: &Player,
        dt: f32,
        sweep: impl FnOnce(&Position, &Position) -> Option<Position>,
    ) -> Option<Position> {
        let pivot = pivot_of(&player.position);
        let published = self.published.unwrap_or(player.position);
        let desired = self.desired(player, &pivot);
        let sought = self.sought(&published, &desired, dt);
        let start = start_of_sweep(world, player, &pivot);
        let mut target = Position::new(start.cell, sought.frame);
        target.frame.origin += block_offset(start.cell, sought.cell);
        let eye = match sweep(&start, &target) {
            Some(held) => {
                let mut frame = sought.frame;
                frame.origin = held.frame.origin;
                Some(Position::new(held.cell, frame))
            }
            None => world.reseat(&sought, Vec3::ZERO),
        };
        self.published = Some(eye.unwrap_or(player.position));
        match eye {
            None if self.falls_back => Some(player.position).filter(|p| p.cell != CellId::NONE),
            eye => eye,
        }
    }

    /// Where the camera would be without walls and damping, in the player's block. Retail: `CameraManager::UpdateCamera`.
    fn desired(&self, player: &Player, pivot: &Position) -> Position {
        let facing = player.position.frame.rotate(Vec3::Y);
        let heading = if self.follows_slopes && self.offset.x.abs() <= SIDE_MAX && self.mode == Mode::Boom {
            on_slope(facing, player)
        } else {
            facing
        };
        let mut frame = Frame::new(pivot.frame.origin, looking_along(heading));
        let (eye, direction) = match self.mode {
            Mode::FirstPerson => {
                let level = frame.rotate(Vec3::Y);
                frame.set_rotation(looking_along(level) * orientation(0.0, self.pitch.to_degrees()));
                (pivot.frame.origin + level * FIRST_PERSON_REACH, frame.rotate(Vec3::Y))
            }
            Mode::Boom => {
                let eye = frame.apply(self.offset);
                (eye, pivot.frame.origin - eye)
            }
            Mode::LookDown | Mode::Map => {
                let back = if self.mode == Mode::Map { MAP_BACK } else { DOWN_BACK };
                let direction = frame.rotate(DOWN / DOWN.length());
                (pivot.frame.origin - direction * back, direction)
            }
        };
        Position::new(pivot.cell, Frame::new(eye, looking_along(direction)))
    }

    /// Part of the way from the published to the desired pose, in the block of the published one, whose cell it carries.
    fn sought(&self, published: &Position, desired: &Position, dt: f32) -> Position {
        let alpha =
            if self.stiffness > 1.0 - EPSILON { 1.0 } else { (self.stiffness * dt * 10.0).clamp(0.0, 1.0) };
        let from = published.frame.origin;
        let step = published.offset_to(desired) * alpha;
        let rotation = published.frame.rotation().interpolate(desired.frame.rotation(), alpha);
        let before = published.frame.rotation();
        let turned = 1.0 - rotation.dot(before).abs();
        if alpha < 1.0 && step.length() < PARKING_DISTANCE && turned < EPSILON {
            return *published;
        }
        Position::new(published.cell, Frame::new(from + step, rotation))
    }

    /// How transparent the player's own model is for a published eye: 0 solid, 1 invisible.
    pub fn player_translucency(&self, player: &Player) -> f32 {
        let Some(eye) = &self.published else { return 0.0 };
        let distance = pivot_of(&player.position).distance_to(eye);
        ((FADE.1 - distance) / (FADE.1 - FADE.0)).clamp(0.0, 1.0)
    }
}

/// The point the camera turns around.
fn pivot_of(player: &Position) -> Position {
    let mut pivot = *player;
    pivot.frame.origin = player.frame.apply(Vec3::new(0.0, 0.0, PIVOT_HEIGHT));
    pivot
}

/// The pivot with the cell the sweep starts in. Spec: visibility §14 step 4.
fn start_of_sweep(world: &World, player: &Player, pivot: &Position) -> Position {
    if player.position.cell.is_outdoor() {
        return *pivot;
    }
    world.reseat(pivot, Vec3::ZERO).unwrap_or(*pivot)
}

/// The facing tilted with the ground, or in the air with the way of flight. Spec: visibility §14 step 1.
fn on_slope(facing: Vec3, player: &Player) -> Vec3 {
    let normal = match player.ground {
        Some(normal) => normal,
        None => {
            let flight = Vec3::new(player.velocity.x, player.velocity.y, player.velocity.z * 0.1);
            let speed = player.velocity.length();
            let direction = flight / flight.length().max(EPSILON);
            if speed < EPSILON || direction.x.abs() < EPSILON || direction.y.abs() < EPSILON {
                return facing;
            }
            let aside = direction.cross(Vec3::Z);
            aside.cross(direction)
        }
    };
    let along = facing - normal * facing.dot(normal);
    let length = along.length();
    if length < EPSILON { facing } else { along / length }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player() -> Player {
        let at = Frame::new(Vec3::new(50.0, 50.0, 10.0), Quat::IDENTITY);
        Player {
            position: Position::new(CellId(0xA9B4_0013), at),
            ground: Some(Vec3::Z),
            velocity: Vec3::ZERO,
        }
    }

    /// A sweep through an empty world.
    fn free(start: &Position, end: &Position) -> Option<Position> {
        Some(Position::new(start.cell, end.frame))
    }

    fn settle(
        camera: &mut Camera,
        player: &Player,
        sweep: impl Fn(&Position, &Position) -> Option<Position>,
    ) -> Position {
        let world = World::new();
        let mut eye = None;
        for _ in 0..500 {
            eye = camera.update(&world, player, 1.0 / 60.0, &sweep);
        }
        eye.unwrap()
    }

    #[test]
    fn the_boom_comes_to_rest_behind_and_above_the_player() {
        let mut camera = Camera::default();
        let eye = settle(&mut camera, &player(), free);
        assert!((eye.frame.origin - Vec3::new(50.0, 47.5, 12.25)).length() < 0.01, "{}", eye.frame.origin);
        let looks = eye.frame.rotate(Vec3::Y);
        assert!(looks.dot(Vec3::new(0.0, 2.5, -0.75).normalize()) > 0.9999, "it looks at the pivot: {looks}");
    }

    #[test]
    fn a_camera_at_rest_does_not_move_by_a_bit() {
        let mut camera = Camera::default();
        let eye = settle(&mut camera, &player(), free);
        for _ in 0..100 {
            assert_eq!(camera.update(&World::new(), &player(), 1.0 / 60.0, free), Some(eye));
        }
    }

    #[test]
    fn the_eye_starts_from_where_it_was_held_not_from_where_it_wanted_to_be() {
        // A wall holds the eye 1 m behind the player.
        let wall = |start: &Position, end: &Position| {
            let mut held = *end;
            held.cell = start.cell;
            held.frame.origin.y = held.frame.origin.y.max(49.0);
            Some(held)
        };
        let mut camera = Camera::default();
        let held = settle(&mut camera, &player(), wall);
        assert!((held.frame.origin.y - 49.0).abs() < 1e-3);
        let mut sought = Vec3::ZERO;
        camera.update(&World::new(), &player(), 1.0 / 60.0, |start, end| {
            sought = end.frame.origin;
            wall(start, end)
        });
        assert!(sought.y > 48.8 && sought.y < 49.0, "one frame's part of the way: {sought}");
    }

    #[test]
    fn a_failed_sweep_without_a_cell_shows_the_player_s_place_or_nothing() {
        let mut inside = player();
        inside.position.cell = CellId(0xA9B4_0100);
        let mut camera = Camera::default();
        let blocked = |_: &Position, _: &Position| None;
        assert_eq!(camera.update(&World::new(), &inside, 0.1, blocked), Some(inside.position));
        camera.falls_back = false;
        assert_eq!(camera.update(&World::new(), &inside, 0.1, blocked), None);
        assert_eq!(camera.eye(), Some(&inside.position), "the boom extends again from the player");
    }

    #[test]
    fn a_failed_sweep_outdoors_seats_the_sought_eye() {
        let mut camera = Camera { stiffness: 1.0, ..Camera::default() };
        let eye = camera.update(&World::new(), &player(), 0.1, |_, _| None).unwrap();
        assert!((eye.frame.origin - Vec3::new(50.0, 47.5, 12.25)).length() < 1e-3);
        assert_eq!(eye.cell, CellId(0xA9B4_0012), "the land cell under it");
    }

    #[test]
    fn the_sweep_starts_at_the_pivot() {
        let mut camera = Camera::default();
        let mut from = Vec3::ZERO;
        camera.update(&World::new(), &player(), 0.1, |start, end| {
            from = start.frame.origin;
            free(start, end)
        });
        assert_eq!(from, Vec3::new(50.0, 50.0, 11.5));
    }

    #[test]
    fn zoom_and_orbit_stay_within_their_limits() {
        let mut camera = Camera::default();
        camera.zoom(1);
        assert!((camera.offset - DEFAULT_OFFSET * 0.8).length() < 1e-6);
        camera.zoom(60);
        assert!(camera.offset.length() >= LENGTH_MIN);
        camera.zoom(-60);
        assert!(camera.offset.y.abs() < HORIZONTAL_MAX && camera.offset.y.abs() > 8.0);
        let mut camera = Camera::default();
        camera.orbit(90.0, 0.0);
        assert!((camera.offset - Vec3::new(-2.5, 0.0, 0.75)).length() < 1e-3, "{}", camera.offset);
        let mut camera = Camera::default();
        camera.orbit(0.0, 30.0);
        assert!(camera.offset.z > 0.75 && (camera.offset.length() - DEFAULT_OFFSET.length()).abs() < 1e-3);
    }

    #[test]
    fn first_person_looks_from_the_head_and_leaves_it_close_behind() {
        let mut camera = Camera { stiffness: 1.0, pitch: 0.3, ..Camera::default() };
        camera.set_first_person(true);
        let eye = camera.update(&World::new(), &player(), 0.1, free).unwrap();
        assert!((eye.frame.origin - Vec3::new(50.0, 50.18, 11.5)).length() < 1e-4);
        assert!((eye.frame.rotate(Vec3::Y).z - 0.3f32.sin()).abs() < 1e-4);
        assert_eq!(camera.player_translucency(&player()), 1.0);
        camera.set_first_person(false);
        assert_eq!((camera.mode, camera.offset), (Mode::Boom, NEAR_OFFSET));
    }

    #[test]
    fn the_boom_follows_a_slope() {
        let mut uphill = player();
        uphill.ground = Some(Vec3::new(0.0, -1.0, 1.0).normalize());
        let mut camera = Camera { stiffness: 1.0, ..Camera::default() };
        let eye = camera.update(&World::new(), &uphill, 0.1, free).unwrap();
        // Behind and below: 2.5 m down the slope, 0.75 m off it.
        let expected =
            Vec3::new(50.0, 50.0 - (2.5 + 0.75) * 0.5f32.sqrt(), 11.5 - (2.5 - 0.75) * 0.5f32.sqrt());
        assert!((eye.frame.origin - expected).length() < 1e-3, "{}", eye.frame.origin);
    }

    #[test]
    fn orientation_is_yaw_clockwise_from_north_and_pitch_up() {
        let forward = |yaw, pitch| Frame::new(Vec3::ZERO, orientation(yaw, pitch)).rotate(Vec3::Y);
        assert!((forward(90.0, 0.0) - Vec3::X).length() < 1e-6);
        assert!((forward(0.0, 30.0) - Vec3::new(0.0, 0.75f32.sqrt(), 0.5)).length() < 1e-6);
        let oblique = forward(200.0, -40.0);
        assert!((looking_along(oblique).dot(orientation(200.0, -40.0)).abs() - 1.0).abs() < 1e-5);
    }
}
