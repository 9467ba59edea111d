//! Plain structs, and what they mean to the engine.

use crate::fault::Fault;
use bytemuck::AnyBitPattern;
use glam::Vec3;
use threshold_physics::{EntityKey, scene::check_position};
use threshold_sim::{Controls, Hit, Skills, Spot, Target, Walker, WalkerBody};
use threshold_world::{BlockId, CellId, Frame, Position, Quat};

/// The id of an object in a world; 0 means none. The id of a removed object is never reused.
pub type ThEntity = u64;

/// A point or direction: x east, y north, z up, in metres.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, AnyBitPattern)]
pub struct ThVec3 {
    /// East.
    pub x: f32,
    /// North.
    pub y: f32,
    /// Up.
    pub z: f32,
}

/// A rotation. All zeros mean no rotation: upright, facing north.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, AnyBitPattern)]
pub struct ThQuat {
    /// Real part.
    pub w: f32,
    /// Imaginary part, east.
    pub x: f32,
    /// Imaginary part, north.
    pub y: f32,
    /// Imaginary part, up.
    pub z: f32,
}

/// A place: a cell, and an origin in metres from the south-west corner of the cell's block.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, AnyBitPattern)]
pub struct ThPosition {
    /// The cell, such as 0xA9B40019.
    pub cell: u32,
    /// Where.
    pub origin: ThVec3,
    /// Its rotation.
    pub rotation: ThQuat,
}

/// Kinds of obstacles.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ThTargetKind {
    /// Nothing.
    #[default]
    None = 0,
    /// An object.
    Entity = 1,
    /// A wall, floor or ceiling of an interior cell.
    Room = 2,
    /// The outside of a building.
    Shell = 3,
    /// The ground of a land cell.
    Ground = 4,
}

/// An obstacle.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ThTarget {
    /// Its kind.
    pub kind: ThTargetKind,
    /// The cell of a room, shell or ground; 0 for an object.
    pub cell: u32,
    /// The object.
    pub entity: ThEntity,
}

/// The first thing that a ray hit. The kind of the target is TH_TARGET_KIND_NONE when it hit nothing.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ThHit {
    /// What.
    pub target: ThTarget,
    /// Metres from the start of the ray.
    pub distance: f32,
    /// Where, in the coordinates of the block of `cell`.
    pub point: ThVec3,
    /// The cell that the ray was in.
    pub cell: u32,
    /// Padding: keeps the size the same on all platforms.
    pub reserved: u32,
}

/// Skills of a body.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, AnyBitPattern)]
pub struct ThSkills {
    /// Run skill.
    pub run: u32,
    /// Jump skill.
    pub jump: u32,
    /// Burden as a fraction of capacity: below 1 it does not reduce the skills, from 2 on they count as 0.
    pub burden: f32,
}

/// Held keys; combine them with OR.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThControl {
    /// Ahead.
    Forward = 1,
    /// Backwards.
    Back = 2,
    /// A step to the left.
    Left = 4,
    /// A step to the right.
    Right = 8,
    /// Turn left.
    TurnLeft = 16,
    /// Turn right.
    TurnRight = 32,
    /// Walk instead of running.
    Walk = 64,
    /// Charge a jump; releasing the key jumps.
    Jump = 128,
}

/// Bodies that a walker can have.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThBody {
    /// A player.
    Player = 0,
    /// A creature with a setup and a scale.
    Creature = 1,
    /// A body like that of an object in the world, which does not hit the object itself.
    Entity = 2,
}

/// A body that walks. Where a walker is optional, null means a running player of average skill.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, AnyBitPattern)]
pub struct ThWalker {
    /// One of ThBody.
    pub body: u32,
    /// 0 runs, 1 walks.
    pub walks: u32,
    /// Setup of a creature.
    pub setup: u32,
    /// Size of a creature.
    pub scale: f32,
    /// The object.
    pub entity: ThEntity,
    /// What it can do.
    pub skills: ThSkills,
    /// Padding: keeps the size the same on all platforms.
    pub reserved: u32,
}

/// An end of a line of sight: an object, at five sixths of its height, or a place when the object is 0.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, AnyBitPattern)]
pub struct ThSpot {
    /// The object; it never blocks the line itself.
    pub entity: ThEntity,
    /// The place.
    pub position: ThPosition,
}

impl From<ThVec3> for Vec3 {
    fn from(v: ThVec3) -> Vec3 {
        Vec3::new(v.x, v.y, v.z)
    }
}

impl From<Vec3> for ThVec3 {
    fn from(v: Vec3) -> ThVec3 {
        ThVec3 { x: v.x, y: v.y, z: v.z }
    }
}

impl From<Position> for ThPosition {
    fn from(position: Position) -> ThPosition {
        let rotation = position.frame.rotation();
        ThPosition {
            cell: position.cell.0,
            origin: position.frame.origin.into(),
            rotation: ThQuat { w: rotation.w, x: rotation.v.x, y: rotation.v.y, z: rotation.v.z },
        }
    }
}

impl ThPosition {
    /// The position, if it can be on the map at all.
    pub(crate) fn check(self) -> Result<Position, Fault> {
        let ThQuat { w, x, y, z } = self.rotation;
        let mut rotation = Quat { w, v: Vec3::new(x, y, z) };
        let length = rotation.dot(rotation);
        if length == 0.0 {
            rotation = Quat::IDENTITY;
        } else if !(1e-6..=1e6).contains(&length) {
            return Err(Fault::argument("the rotation of a position is not a usable quaternion"));
        }
        let position = Position::new(CellId(self.cell), Frame::new(self.origin.into(), rotation));
        check_position(&position)?;
        Ok(position)
    }
}

impl From<Target> for ThTarget {
    fn from(target: Target) -> ThTarget {
        let (kind, cell, entity) = match target {
            Target::Entity(key) => (ThTargetKind::Entity, 0, key.id()),
            Target::Room(cell) => (ThTargetKind::Room, cell.0, 0),
            Target::Shell(cell) => (ThTargetKind::Shell, cell.0, 0),
            Target::Ground(cell) => (ThTargetKind::Ground, cell.0, 0),
        };
        ThTarget { kind, cell, entity }
    }
}

impl From<Hit> for ThHit {
    fn from(hit: Hit) -> ThHit {
        let Hit { target, distance, point, cell } = hit;
        ThHit { target: target.into(), distance, point: point.into(), cell: cell.0, reserved: 0 }
    }
}

impl From<ThSkills> for Skills {
    fn from(skills: ThSkills) -> Skills {
        Skills { run: skills.run, jump: skills.jump, burden: skills.burden }
    }
}

impl ThSkills {
    pub(crate) fn check(self) -> Result<Skills, Fault> {
        let is_good = self.burden.is_finite() && self.burden >= 0.0;
        is_good
            .then(|| self.into())
            .ok_or_else(|| Fault::argument("a burden is NaN, infinite or out of range"))
    }
}

impl ThWalker {
    pub(crate) fn check(self) -> Result<Walker, Fault> {
        let body = match self.body {
            0 => WalkerBody::Player,
            1 => WalkerBody::Creature { setup: threshold_dat::DatId(self.setup), scale: self.scale },
            2 => WalkerBody::Entity(entity(self.entity)?),
            other => return Err(Fault::argument(format!("unknown body {other}"))),
        };
        let gait = match self.walks {
            0 => threshold_sim::Gait::Run,
            1 => threshold_sim::Gait::Walk,
            other => return Err(Fault::argument(format!("walks must be 0 or 1, not {other}"))),
        };
        Ok(Walker { body, skills: self.skills.check()?, gait })
    }
}

impl ThSpot {
    pub(crate) fn check(self) -> Result<Spot, Fault> {
        if self.entity == 0 { Ok(self.position.check()?.into()) } else { Ok(entity(self.entity)?.into()) }
    }
}

/// The key of an object's id.
pub(crate) fn entity(id: ThEntity) -> Result<EntityKey, Fault> {
    EntityKey::from_id(id).ok_or_else(|| Fault::not_found("such object"))
}

pub(crate) fn block(id: u32) -> Result<BlockId, Fault> {
    let id =
        u16::try_from(id).map_err(|_| Fault::argument(format!("{id:#x} is not a block: 0 to 0xFFFF")))?;
    Ok(BlockId(id))
}

pub(crate) fn controls(keys: u32) -> Result<Controls, Fault> {
    if keys > 255 {
        return Err(Fault::argument(format!("the keys {keys:#x} have unknown bits")));
    }
    let held = |key: ThControl| keys & key as u32 != 0;
    Ok(Controls {
        forward: held(ThControl::Forward),
        back: held(ThControl::Back),
        left: held(ThControl::Left),
        right: held(ThControl::Right),
        turn_left: held(ThControl::TurnLeft),
        turn_right: held(ThControl::TurnRight),
        toggle_run: held(ThControl::Walk),
        jump: held(ThControl::Jump),
    })
}

/// A direction or velocity.
pub(crate) fn finite(v: ThVec3, name: &str) -> Result<Vec3, Fault> {
    let v = Vec3::from(v);
    v.is_finite()
        .then_some(v)
        .ok_or_else(|| Fault::argument(format!("{name} is NaN, infinite or out of range")))
}
