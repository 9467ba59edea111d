//! Properties of an object in the game. Spec: entities §7.

use crate::scene::EntityRole;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// Public properties of an object, as far as movement, collision and drawing need them.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct GameObject {
    /// Its name.
    pub name: String,
    /// Number of its class.
    pub class: u32,
    /// Kind of item, as bits.
    pub item_type: u32,
    /// What it is, as bits: player, door, portal …
    pub description: u32,
    /// Distance from which it can be used.
    pub use_radius: Option<f32>,
    /// Its container.
    pub container: Option<u32>,
    /// Its wielder.
    pub wielder: Option<u32>,
    /// Kind of hook for furniture; 0 for none.
    pub hook_type: u16,
    /// Item types that the hook accepts; 0 for none.
    pub hook_item_types: u32,
    /// The monarch that it is sworn to.
    pub monarch: Option<u32>,
    /// Entry rules, if it is the keeper of a house.
    pub house: Option<House>,
}

/// Entry rules of a house.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct House {
    /// Its owner; 0 for none.
    pub owner: u32,
    /// Absent when everyone may enter.
    pub guests: Option<GuestList>,
}

/// Guests of a house besides its owner.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct GuestList {
    /// Everyone.
    pub open: bool,
    /// Everyone sworn to this monarch; 0 for none.
    pub monarch: u32,
    /// These.
    pub guests: Vec<u32>,
}

impl GameObject {
    const CREATURE: u32 = 0x10;
    const PLAYER: u32 = 0x8;
    const ATTACKABLE: u32 = 0x10;
    const PK: u32 = 0x20;
    const DOOR: u32 = 0x1000;
    const CORPSE: u32 = 0x2000;
    const PORTAL: u32 = 0x4_0000;
    const IMPENETRABLE: u32 = 0x20_0000;
    const PK_LITE: u32 = 0x200_0000;
    /// An administrator and immune to restrictions: both are needed.
    const BYPASS: u32 = 0x50_0000;

    fn is(&self, bits: u32) -> bool {
        self.description & bits == bits
    }

    /// A player.
    pub fn is_player(&self) -> bool {
        self.is(Self::PLAYER)
    }

    /// A door.
    pub fn is_door(&self) -> bool {
        self.is(Self::DOOR)
    }

    /// A portal.
    pub fn is_portal(&self) -> bool {
        self.is(Self::PORTAL)
    }

    /// The role that physics derives from it.
    pub fn role(&self) -> EntityRole {
        let is_hook = self.hook_type != 0 && self.hook_item_types != 0;
        EntityRole {
            has_game_object: true,
            is_player: self.is_player(),
            creature: self.item_type & Self::CREATURE != 0,
            attackable: self.is(Self::ATTACKABLE),
            door: self.is_door(),
            impenetrable: self.is(Self::IMPENETRABLE),
            pk: self.is(Self::PK),
            pk_lite: self.is(Self::PK_LITE),
            forced_into_cell: is_hook || self.is(Self::CORPSE),
            bypasses_restrictions: self.is(Self::BYPASS),
        }
    }
}

impl House {
    /// Whether a player may enter, by its id and the monarch that it is sworn to. Retail: `ACCWeenieObject::CanMoveInto`.
    pub fn admits(&self, player: u32, monarch: Option<u32>) -> bool {
        let Some(list) = &self.guests else { return true };
        self.owner == 0
            || self.owner == player
            || list.open
            || (list.monarch != 0 && monarch == Some(list.monarch))
            || list.guests.contains(&player)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_decide_what_an_object_is() {
        let object = |description, item_type| GameObject { description, item_type, ..GameObject::default() };
        assert!(object(0x8, 0x10).role().is_player && object(0x8, 0x10).role().creature);
        assert!(object(0x1014, 0x80).role().door && object(0x1014, 0x80).role().attackable);
        assert!(object(0x2000, 0).role().forced_into_cell && !object(0, 0).role().forced_into_cell);
        assert!(object(0x50_0000, 0).role().bypasses_restrictions);
        assert!(!object(0x10_0000, 0).role().bypasses_restrictions, "both bits are needed");
        let hook = GameObject { hook_type: 1, hook_item_types: 2, ..GameObject::default() };
        assert!(hook.role().forced_into_cell);
    }

    #[test]
    fn a_house_lets_in_its_owner_its_guests_and_their_monarchy() {
        let guests = Some(GuestList { open: false, monarch: 9, guests: vec![2] });
        let house = House { owner: 1, guests };
        assert!(house.admits(1, None) && house.admits(2, None) && house.admits(3, Some(9)));
        assert!(!house.admits(3, None) && !house.admits(3, Some(8)) && !house.admits(3, Some(0)));
        assert!(House { owner: 0, ..house.clone() }.admits(3, None), "nobody owns it");
        let open = GuestList { open: true, ..GuestList::default() };
        assert!(House { owner: 1, guests: Some(open) }.admits(3, None));
        assert!(House { owner: 1, guests: None }.admits(3, None));
    }
}
