//! Movers, objects and places.

use super::fields::{StateWord, finite, identity, one, rotation, setup_id, yes};
use serde::{Deserialize, Serialize};
use std::ops::Not;
use threshold_dat::DatId;
use threshold_physics::{Admission, EntityRole, Mover, scene::camera};
use threshold_world::{CellId, Frame, Position, Quat};

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
    /// Ignores entry restrictions of cells.
    #[serde(default = "yes", skip_serializing_if = "Clone::clone")]
    pub bypass: bool,
}

impl MoverSpec {
    /// The mover's role in the game.
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
    pub(crate) fn camera(&self) -> Mover {
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

/// Game ids for scenery in captures, because scenery has none: the low bits are a counter.
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
    /// A living object.
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
    /// As the keeper of a cell it admits nobody; otherwise it admits everyone.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub refuses: bool,
}

impl EntitySpec {
    /// The object's role in the game.
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

    /// Which players it admits as the keeper of a cell.
    pub fn admission(&self) -> Admission {
        if self.refuses { Admission::Nobody } else { Admission::Everyone }
    }
}
