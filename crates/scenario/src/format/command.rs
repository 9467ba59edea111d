//! Commands for objects.

use super::{
    PlaceSpec,
    fields::{CommandWord, bits, finite_option, number, number_option, one, rotation_option},
};
use serde::{Deserialize, Deserializer, de::Error as _};
use threshold_physics::motion::{HoldKey, MovementParameters};
use threshold_world::{CellId, Quat};

fn hold_key<'de, D: Deserializer<'de>>(deserializer: D) -> Result<HoldKey, D::Error> {
    let key = u32::deserialize(deserializer)?;
    HoldKey::from_number(key)
        .ok_or_else(|| D::Error::custom(format_args!("{key} is not a hold key; 0 is as held, 1 none, 2 run")))
}

/// Movement parameters; absent ones have the original's defaults.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(default)]
pub struct ParameterSpec {
    /// Bits.
    #[serde(deserialize_with = "bits")]
    pub bits: u32,
    /// Speed.
    #[serde(deserialize_with = "number")]
    pub speed: f32,
    /// Near enough.
    #[serde(deserialize_with = "number")]
    pub distance: f32,
    /// Too near.
    #[serde(deserialize_with = "number")]
    pub minimum: f32,
    /// Too far from the start.
    #[serde(deserialize_with = "number")]
    pub fail_distance: f32,
    /// Degrees.
    #[serde(deserialize_with = "number")]
    pub heading: f32,
    /// Farther than this from being near enough: run.
    #[serde(deserialize_with = "number")]
    pub threshold: f32,
    /// Run key.
    #[serde(deserialize_with = "hold_key")]
    pub key: HoldKey,
}

impl Default for ParameterSpec {
    fn default() -> Self {
        let MovementParameters {
            bits, speed, distance, minimum, fail_distance, heading, threshold, key, ..
        } = MovementParameters::default();
        ParameterSpec { bits, speed, distance, minimum, fail_distance, heading, threshold, key }
    }
}

impl From<ParameterSpec> for MovementParameters {
    fn from(spec: ParameterSpec) -> MovementParameters {
        let ParameterSpec { bits, speed, distance, minimum, fail_distance, heading, threshold, key } = spec;
        MovementParameters {
            bits,
            speed,
            distance,
            minimum,
            fail_distance,
            heading,
            threshold,
            key,
            ..MovementParameters::default()
        }
    }
}

/// Whether a command is a player's or has been interpreted already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MotionType {
    /// As a key means it.
    #[default]
    Raw,
    /// As the motion table knows it.
    Interpreted,
}

/// A command.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct MotionSpec {
    /// Which.
    pub command: CommandWord,
    /// A player's or an interpreted one.
    #[serde(rename = "type", default)]
    pub kind: MotionType,
    /// How.
    #[serde(flatten)]
    pub parameters: ParameterSpec,
}

/// The word for everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum All {
    /// Everything.
    All,
}

/// Stops a command, or everything.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged, expecting = "`stop` needs a command, or the word \"all\"")]
pub enum StopSpec {
    /// Stops everything.
    All(All),
    /// Of one.
    One(MotionSpec),
}

/// An action that a server orders.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ServerActionSpec {
    /// Which.
    pub command: CommandWord,
    /// Number of 15 bits.
    #[serde(default)]
    pub stamp: u16,
    /// Speed.
    #[serde(default = "one", deserialize_with = "number")]
    pub speed: f32,
    /// The player's own doing.
    #[serde(default)]
    pub autonomous: bool,
}

/// A movement state from a server; absent fields have their defaults on the wire.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct MovementSpec {
    /// Style.
    pub style: Option<CommandWord>,
    /// Forward, or another substate.
    pub forward: Option<CommandWord>,
    /// To the side.
    pub side: Option<CommandWord>,
    /// Turn.
    pub turn: Option<CommandWord>,
    /// Speed forward.
    #[serde(default = "one", deserialize_with = "number")]
    pub forward_speed: f32,
    /// Speed to the side.
    #[serde(default = "one", deserialize_with = "number")]
    pub side_speed: f32,
    /// Speed of the turn.
    #[serde(default = "one", deserialize_with = "number")]
    pub turn_speed: f32,
    /// Actions, oldest first.
    #[serde(default)]
    pub actions: Vec<ServerActionSpec>,
    /// The object to stick to.
    pub sticky: Option<u32>,
    /// About to make a long jump.
    #[serde(default)]
    pub long_jump: bool,
}

#[derive(Deserialize)]
struct RawMoveTo {
    entity: Option<u32>,
    cell: Option<CellId>,
    #[serde(default, deserialize_with = "finite_option")]
    origin: Option<[f32; 3]>,
    #[serde(default, deserialize_with = "rotation_option")]
    rotation: Option<Quat>,
    #[serde(default, deserialize_with = "number_option")]
    run_rate: Option<f32>,
    #[serde(flatten)]
    parameters: ParameterSpec,
}

/// Where to go.
#[derive(Clone, Debug, PartialEq)]
pub enum Goal {
    /// To an object; 0 is the mover.
    Entity(u32),
    /// To a place.
    Place(PlaceSpec),
}

/// An object or a place to go to.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "RawMoveTo")]
pub struct MoveToSpec {
    /// Where.
    pub goal: Goal,
    /// Run rate to take over first.
    pub run_rate: Option<f32>,
    /// How.
    pub parameters: ParameterSpec,
}

impl TryFrom<RawMoveTo> for MoveToSpec {
    type Error = &'static str;

    fn try_from(raw: RawMoveTo) -> Result<MoveToSpec, &'static str> {
        let goal = match (raw.entity, raw.cell, raw.origin) {
            (Some(entity), None, None) => Goal::Entity(entity),
            (None, Some(cell), Some(origin)) => {
                let rotation = raw.rotation.unwrap_or(Quat::IDENTITY);
                Goal::Place(PlaceSpec { cell, origin, rotation, slide: None })
            }
            _ => return Err("`move_to` needs an entity, or a cell and an origin"),
        };
        Ok(MoveToSpec { goal, run_rate: raw.run_rate, parameters: raw.parameters })
    }
}

/// An object to turn to; without one, the heading of the parameters.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct TurnToSpec {
    /// The object; 0 is the mover.
    pub entity: Option<u32>,
    /// How, and the heading.
    #[serde(flatten)]
    pub parameters: ParameterSpec,
}

/// A position that a server reports.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct InterpolateSpec {
    /// Where.
    #[serde(flatten)]
    pub place: PlaceSpec,
    /// The object does not turn.
    #[serde(default)]
    pub keep_heading: bool,
}

/// Where the distance is measured from.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged, expecting = "`constrain` needs a position, or true for the object's own")]
pub enum ConstrainSpec {
    /// From where the object is.
    Own(bool),
    /// From a place.
    Place(PlaceSpec),
}

/// A command for an object.
#[derive(Clone, Debug, PartialEq)]
pub enum ObjectCommand {
    /// A command.
    Motion(MotionSpec),
    /// The end of one.
    Stop(StopSpec),
    /// The run key.
    HoldKey(HoldKey),
    /// A jump is charged.
    Charge,
    /// A jump of a power.
    Jump(f32),
    /// A movement state from a server.
    Movement(MovementSpec),
    /// Somewhere to go.
    MoveTo(MoveToSpec),
    /// Turns to an object or heading.
    TurnTo(TurnToSpec),
    /// The end of going and turning, with a code.
    CancelMoveTo(u32),
    /// A position to follow.
    InterpolateTo(InterpolateSpec),
    /// No more positions to follow.
    StopInterpolating,
    /// An object to stick to; 0 is the mover.
    StickTo(u32),
    /// No longer sticks.
    Unstick,
    /// Starts measuring the distance it moves.
    Constrain(ConstrainSpec),
    /// Stops measuring the distance it moves.
    Unconstrain,
}
