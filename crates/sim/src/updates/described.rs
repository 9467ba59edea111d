//! What a server said of an object.

use serde::{Deserialize, Serialize};
use threshold_dat::DatId;
use threshold_physics::update::{Appearance, GameObject, ObjectDescription, Stamps};

/// What a server said of an object that is there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Described {
    /// Where the sequence numbers of its aspects stand.
    pub stamps: Stamps,
    /// Its role in the game.
    pub game: GameObject,
    /// What differs from its setup.
    pub appearance: Appearance,
    /// Record with its motions.
    pub motion_table: Option<DatId>,
    /// Record with its sounds.
    pub sound_table: Option<DatId>,
    /// Record with its scripts.
    pub script_table: Option<DatId>,
    /// 0 opaque to 1 invisible.
    pub translucency: f32,
    /// Type of the script that it plays by itself; 0 for none.
    pub default_script: u32,
    /// Its intensity.
    pub default_script_intensity: f32,
}

impl From<&ObjectDescription> for Described {
    fn from(object: &ObjectDescription) -> Described {
        Described {
            stamps: object.stamps,
            game: object.game.clone(),
            appearance: object.appearance.clone(),
            motion_table: object.motion_table,
            sound_table: object.sound_table,
            script_table: object.script_table,
            translucency: object.translucency,
            default_script: object.default_script,
            default_script_intensity: object.default_script_intensity,
        }
    }
}
