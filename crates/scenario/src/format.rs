//! Scenarios and captures as they are written down.

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error as _, IgnoredAny},
};
use std::ops::Not;
use threshold_dat::{DatId, parse_hex};
use threshold_physics::{Admission, EntityRole, Mover, flags::State, scene::camera};
use threshold_world::{CellId, Frame, Position, Quat};

/// A state word, written as hex text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct StateWord(pub State);

impl<'de> Deserialize<'de> for StateWord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        hex(deserializer, "a state word such as 0x00400408")
            .map(|bits| StateWord(State::from_bits_retain(bits)))
    }
}

impl Serialize for StateWord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("0x{:08X}", self.0.bits()))
    }
}

fn hex<'de, D: Deserializer<'de>>(deserializer: D, what: &str) -> Result<u32, D::Error> {
    let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
    parse_hex(&text).map_err(|_| D::Error::custom(format_args!("`{text}` is not {what}")))
}

fn setup_id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<DatId, D::Error> {
    hex(deserializer, "a setup id such as 0x02000001").map(DatId)
}

/// Numbers beyond the range of f32 would read as infinite.
fn finite<'de, D, const N: usize>(deserializer: D) -> Result<[f32; N], D::Error>
where
    D: Deserializer<'de>,
    [f32; N]: Deserialize<'de>,
{
    let numbers = <[f32; N]>::deserialize(deserializer)?;
    if numbers.iter().all(|x| x.is_finite()) {
        Ok(numbers)
    } else {
        Err(D::Error::custom("a coordinate is too large"))
    }
}

#[derive(Deserialize)]
#[serde(bound(deserialize = "[f32; N]: Deserialize<'de>"))]
struct Finite<const N: usize>(#[serde(deserialize_with = "finite")] [f32; N]);

fn finite_option<'de, D, const N: usize>(deserializer: D) -> Result<Option<[f32; N]>, D::Error>
where
    D: Deserializer<'de>,
    [f32; N]: Deserialize<'de>,
{
    Ok(Option::<Finite<N>>::deserialize(deserializer)?.map(|Finite(numbers)| numbers))
}

/// How far from 1 the squared length of a written rotation may be; people round.
const ROTATION_SLACK: f32 = 0.1;

fn rotation<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Quat, D::Error> {
    let rotation = Quat::deserialize(deserializer)?;
    let length_sq = rotation.dot(rotation);
    if (length_sq - 1.0).abs() <= ROTATION_SLACK {
        Ok(rotation)
    } else {
        Err(D::Error::custom(format_args!("a rotation must have length 1, not {}", length_sq.sqrt())))
    }
}

fn rotation_option<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Quat>, D::Error> {
    #[derive(Deserialize)]
    struct Rotation(#[serde(deserialize_with = "rotation")] Quat);
    Ok(Option::<Rotation>::deserialize(deserializer)?.map(|Rotation(rotation)| rotation))
}

fn yes() -> bool {
    true
}

fn one() -> f32 {
    1.0
}

fn identity() -> Quat {
    Quat::IDENTITY
}

/// Who moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoverSpec {
    /// Setup or GfxObj.
    #[serde(deserialize_with = "setup_id")]
    pub setup: DatId,
    /// State word.
    pub state: StateWord,
    /// The player-only rules apply.
    #[serde(default)]
    pub is_player: bool,
    /// Size.
    #[serde(default = "one")]
    pub scale: f32,
    /// The mover is the camera.
    #[serde(default)]
    pub viewer: bool,
    /// Player killer.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub pk: bool,
    /// Player killer, lite.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub pk_lite: bool,
    /// Collides with players.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub impenetrable: bool,
    /// Enters every cell, whatever its keeper says.
    #[serde(default = "yes", skip_serializing_if = "Clone::clone")]
    pub bypass: bool,
}

impl MoverSpec {
    /// What the game says of the mover.
    pub fn role(&self) -> EntityRole {
        EntityRole {
            is_player: self.is_player,
            pk: self.pk,
            pk_lite: self.pk_lite,
            impenetrable: self.impenetrable,
            bypasses_restrictions: self.bypass,
            ..EntityRole::default()
        }
    }

    /// The mover as a camera that belongs to no object.
    pub(super) fn camera(&self) -> Mover {
        let (role, unowned) = (self.role(), camera());
        Mover {
            flags: unowned.flags | role.mover_flags(),
            state: self.state.0,
            bypasses_restrictions: role.bypasses_restrictions,
            ..unowned
        }
    }
}

/// A place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlaceSpec {
    /// The cell.
    pub cell: CellId,
    /// Block coordinates.
    #[serde(deserialize_with = "finite")]
    pub origin: [f32; 3],
    /// Orientation, w first.
    #[serde(default = "identity", deserialize_with = "rotation")]
    pub rotation: Quat,
    /// For a teleport: search around the spot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slide: Option<bool>,
}

impl PlaceSpec {
    /// The place as a position.
    pub fn position(&self) -> Position {
        Position::new(self.cell, Frame::new(self.origin.into(), self.rotation))
    }
}

/// Game ids of scenery, which has none of its own, in captures: the low bits count.
pub const SCENERY_IDS: u32 = 0xE000_0000;

/// An object of a scenario.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EntitySpec {
    /// Name in the script and in results.
    pub id: u32,
    /// Setup or GfxObj.
    #[serde(deserialize_with = "setup_id")]
    pub setup: DatId,
    /// The cell.
    pub cell: CellId,
    /// Block coordinates.
    #[serde(deserialize_with = "finite")]
    pub origin: [f32; 3],
    /// Orientation, w first.
    #[serde(default = "identity", deserialize_with = "rotation")]
    pub rotation: Quat,
    /// Size.
    #[serde(default = "one")]
    pub scale: f32,
    /// State word; bit 0 makes it static.
    pub state: StateWord,
    /// A player.
    #[serde(default)]
    pub is_player: bool,
    /// Something that lives.
    #[serde(default)]
    pub creature: bool,
    /// Players collide with it.
    #[serde(default)]
    pub impenetrable: bool,
    /// Player killer.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub pk: bool,
    /// Player killer, lite.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub pk_lite: bool,
    /// As the keeper of a cell it lets nobody in; otherwise it lets everyone in.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub refuses: bool,
}

impl EntitySpec {
    /// What the game says of the object.
    pub fn role(&self) -> EntityRole {
        EntityRole {
            is_player: self.is_player,
            creature: self.creature,
            impenetrable: self.impenetrable,
            pk: self.pk,
            pk_lite: self.pk_lite,
            ..EntityRole::default()
        }
    }

    /// Whom it lets in as the keeper of a cell.
    pub fn admission(&self) -> Admission {
        if self.refuses { Admission::Nobody } else { Admission::Everyone }
    }
}

/// A new state for an object, or for the mover.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct SetState {
    /// The object; none for the mover.
    pub entity: Option<u32>,
    /// State word.
    pub state: StateWord,
}

/// A new place for an object.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct PlaceEntity {
    /// The object.
    pub entity: u32,
    /// Where.
    #[serde(flatten)]
    pub place: PlaceSpec,
}

/// An object to take out.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct RemoveEntity {
    /// The object.
    pub entity: u32,
}

/// One step of a scenario. Exactly one action, except that `move` and `rotate` may come together and `velocity` with
/// any of them.
#[derive(Clone, Debug, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Displacement in the current block's frame.
    #[serde(rename = "move", default, deserialize_with = "finite_option")]
    pub offset: Option<[f32; 3]>,
    /// New orientation.
    #[serde(default, deserialize_with = "rotation_option")]
    pub rotate: Option<Quat>,
    /// Placement elsewhere.
    pub teleport: Option<PlaceSpec>,
    /// State change.
    pub set_state: Option<SetState>,
    /// An object put elsewhere.
    pub place_entity: Option<PlaceEntity>,
    /// An object taken out.
    pub remove_entity: Option<RemoveEntity>,
    /// Seconds of physics.
    pub tick: Option<f64>,
    /// Velocity to set first.
    #[serde(default, deserialize_with = "finite_option")]
    pub velocity: Option<[f32; 3]>,
    /// For people.
    pub note: Option<IgnoredAny>,
}

impl Step {
    /// Why the step cannot be played, if so.
    pub(super) fn problem(&self) -> Option<&'static str> {
        let moves = self.offset.is_some() || self.rotate.is_some();
        let actions = [
            moves,
            self.teleport.is_some(),
            self.set_state.is_some(),
            self.place_entity.is_some(),
            self.remove_entity.is_some(),
            self.tick.is_some(),
        ];
        match actions.iter().filter(|&&present| present).count() {
            0 if self.velocity.is_none() => Some("the step does nothing"),
            2.. => Some("the step does several things; only move and rotate go together"),
            _ if self.tick.is_some_and(|seconds| seconds < 0.0) => Some("time does not run backwards"),
            _ => None,
        }
    }
}

/// A scripted walk.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Scenario {
    /// Title.
    #[serde(default)]
    pub name: String,
    /// Who walks.
    pub mover: MoverSpec,
    /// From where.
    pub start: PlaceSpec,
    /// Objects, spawned in order before the mover.
    #[serde(default)]
    pub entities: Vec<EntitySpec>,
    /// What happens.
    #[serde(default)]
    pub steps: Vec<Step>,
    /// Scenery grows as in the client.
    #[serde(default = "yes")]
    pub scenery: bool,
    /// What is not loaded from the beginning: interior cells, or whole blocks named by any of their land cells.
    #[serde(default)]
    pub unloaded: Vec<CellId>,
}

/// State of a mover before a recorded sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Before {
    /// The cell.
    pub cell: CellId,
    /// Block coordinates.
    #[serde(deserialize_with = "finite")]
    pub origin: [f32; 3],
    /// Orientation, w first.
    #[serde(default = "identity", deserialize_with = "rotation")]
    pub rotation: Quat,
    /// On the ground.
    pub contact: bool,
    /// On walkable ground.
    pub on_walkable: bool,
    /// The ground.
    #[serde(default, deserialize_with = "finite_option")]
    pub contact_plane: Option<[f32; 4]>,
    /// The cell the ground was found in.
    #[serde(default)]
    pub contact_plane_cell: Option<CellId>,
    /// The ground is under water.
    #[serde(default)]
    pub water: bool,
    /// What the mover slides along.
    #[serde(default, deserialize_with = "finite_option")]
    pub sliding_normal: Option<[f32; 3]>,
    /// Rung of the stationary ladder.
    #[serde(default)]
    pub stationary: u8,
    /// Velocity.
    #[serde(default, deserialize_with = "finite")]
    pub velocity: [f32; 3],
}

/// Where a recorded sweep was to go, in the frame of the start's block.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Target {
    /// Block coordinates.
    #[serde(deserialize_with = "finite")]
    pub origin: [f32; 3],
    /// Orientation, w first.
    #[serde(default = "identity", deserialize_with = "rotation")]
    pub rotation: Quat,
}

/// What came of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct After {
    /// A valid position was found.
    pub ok: bool,
    /// The cell.
    pub cell: CellId,
    /// Block coordinates.
    #[serde(deserialize_with = "finite")]
    pub origin: [f32; 3],
    /// Orientation, w first; compared where it is given.
    #[serde(default, deserialize_with = "rotation_option", skip_serializing_if = "Option::is_none")]
    pub rotation: Option<Quat>,
    /// On the ground.
    pub contact: bool,
    /// On walkable ground.
    pub on_walkable: bool,
    /// The ground.
    #[serde(default, deserialize_with = "finite_option")]
    pub contact_plane: Option<[f32; 4]>,
    /// What the mover slides along.
    #[serde(default, deserialize_with = "finite_option")]
    pub sliding_normal: Option<[f32; 3]>,
    /// What was hit; absent in the lines of scenarios.
    #[serde(default, deserialize_with = "finite_option")]
    pub collision_normal: Option<[f32; 3]>,
    /// The environment was hit.
    #[serde(default)]
    pub collided_env: bool,
    /// Objects touched, in order.
    #[serde(default)]
    pub collided_with: Vec<u32>,
    /// Cells the sweep ended with, in order.
    #[serde(default)]
    pub cell_array: Vec<CellId>,
    /// The mover ended in no cell.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub lost: bool,
}

/// A recorded sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Name.
    pub id: String,
    /// World it was recorded in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub world: Option<String>,
    /// Who moved.
    pub mover: MoverSpec,
    /// Objects; left out when the same as in the record above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entities: Option<Vec<EntitySpec>>,
    /// State before.
    pub before: Before,
    /// Where to.
    pub target: Target,
    /// What came of it.
    pub after: After,
    /// The outcome hangs on arithmetic noise or an open point.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub fragile: bool,
    /// Only the cell set does.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub fragile_cells: bool,
}
