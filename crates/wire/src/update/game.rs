//! Game properties of an object.

use crate::messages::{Restrictions, WeenieDescription};
use threshold_physics::update::{GameObject, GuestList, House};

impl From<&WeenieDescription> for GameObject {
    fn from(sent: &WeenieDescription) -> GameObject {
        let fields = &sent.fields;
        let is_house = fields.house_owner.is_some() || fields.restrictions.is_some();
        GameObject {
            name: sent.name.to_string(),
            class: sent.class,
            item_type: sent.item_type,
            description: sent.description,
            use_radius: fields.use_radius,
            container: fields.container.map(|guid| guid.0),
            wielder: fields.wielder.map(|guid| guid.0),
            hook_type: fields.hook_type.unwrap_or(0),
            hook_item_types: fields.hook_item_types.unwrap_or(0),
            monarch: fields.monarch.map(|guid| guid.0),
            house: is_house.then(|| House {
                owner: fields.house_owner.map_or(0, |guid| guid.0),
                guests: fields.restrictions.as_ref().map(guest_list),
            }),
        }
    }
}

fn guest_list(sent: &Restrictions) -> GuestList {
    GuestList {
        open: sent.open & 1 != 0,
        monarch: sent.current.as_ref().map_or(0, |head| head.monarch.0),
        guests: sent.guests.iter().map(|guest| guest.guid.0).collect(),
    }
}
