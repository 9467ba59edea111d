//! The game's side of an object's description. Spec: wire §8.4.

use super::flag;
use crate::{
    Guid,
    codec::{Codec, Layout, Result, layout_struct},
    error::Reason,
};
use threshold_dat::{DatId, records::Text};

const ICON: u32 = 0x0600_0000;
/// Bit of the description: a second header follows.
const SECOND_HEADER: u32 = 0x0400_0000;

/// Public properties of an object. Retail: `PublicWeenieDesc::UnPack`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WeenieDescription {
    /// Its name.
    pub name: Text,
    /// Number of its class.
    pub class: u32,
    /// Its icon.
    pub icon: DatId,
    /// Kind of item, as bits.
    pub item_type: u32,
    /// What it is, as bits: door, portal, player …
    pub description: u32,
    /// Optional fields.
    pub fields: WeenieFields,
}

impl WeenieDescription {
    /// Whether it is a player.
    pub fn is_player(&self) -> bool {
        self.description & 0x8 != 0
    }

    /// Whether it is a door.
    pub fn is_door(&self) -> bool {
        self.description & 0x1000 != 0
    }

    /// Whether it is a portal.
    pub fn is_portal(&self) -> bool {
        self.description & 0x4_0000 != 0
    }
}

impl Layout for WeenieDescription {
    const MIN: usize = 18;

    fn layout<C: Codec>(&mut self, c: &mut C, _: &'static str) -> Result<()> {
        let [first, second] = self.fields.headers();
        let header = c.word::<4>(first, "weenie header")?;
        c.value(&mut self.name, "name")?;
        c.class(&mut self.class, "class")?;
        c.known(&mut self.icon, ICON, "icon")?;
        c.value(&mut self.item_type, "item_type")?;
        c.value(&mut self.description, "description")?;
        c.align();
        if self.description & SECOND_HEADER != 0 {
            let second = c.word::<4>(second, "second weenie header")?;
            self.fields.layout(c, [header.sent, second.sent])?;
            c.settle(second, self.fields.headers()[1]);
        } else if second != 0 {
            return Err(c.fault(Reason::Value, "description"));
        } else {
            self.fields.layout(c, [header.sent, 0])?;
        }
        c.settle(header, self.fields.headers()[0]);
        c.align();
        Ok(())
    }
}

/// One of the fields, for listing them.
#[derive(Clone, Copy, Debug)]
pub enum WeenieField<'a> {
    /// A text.
    Text(&'a Text),
    /// A number.
    Number(u32),
    /// Bits.
    Bits(u32),
    /// A measure.
    Float(f32),
    /// A measure of more precision.
    Double(f64),
    /// Another object.
    Guid(Guid),
    /// A record.
    Icon(DatId),
    /// Entry rules of a house.
    Restrictions(&'a Restrictions),
}

/// Types of the table below: how each is held, sent and listed.
macro_rules! kind {
    (type Text) => {
        Text
    };
    (type U8) => {
        u8
    };
    (type U16) => {
        u16
    };
    (type U32) => {
        u32
    };
    (type Bits) => {
        u32
    };
    (type F32) => {
        f32
    };
    (type F64) => {
        f64
    };
    (type Guid) => {
        Guid
    };
    (type Icon) => {
        DatId
    };
    (type Restrictions) => {
        Restrictions
    };
    (code Icon, $c:ident, $value:ident, $field:expr) => {
        $c.known($value, ICON, $field)
    };
    (code $other:ident, $c:ident, $value:ident, $field:expr) => {
        $c.value($value, $field)
    };
    (list U8, $value:ident) => {
        WeenieField::Number((*$value).into())
    };
    (list U16, $value:ident) => {
        WeenieField::Number((*$value).into())
    };
    (list U32, $value:ident) => {
        WeenieField::Number(*$value)
    };
    (list Bits, $value:ident) => {
        WeenieField::Bits(*$value)
    };
    (list F32, $value:ident) => {
        WeenieField::Float(*$value)
    };
    (list F64, $value:ident) => {
        WeenieField::Double(*$value)
    };
    (list Guid, $value:ident) => {
        WeenieField::Guid(*$value)
    };
    (list Icon, $value:ident) => {
        WeenieField::Icon(*$value)
    };
    (list Text, $value:ident) => {
        WeenieField::Text($value)
    };
    (list Restrictions, $value:ident) => {
        WeenieField::Restrictions($value)
    };
}

/// The fields in the order in which they are sent, each with its header (0 or 1) and its bit there.
macro_rules! weenie_fields {
    ($($header:literal $bit:literal $name:ident: $kind:ident, $doc:literal;)*) => {
        /// The optional fields of a weenie.
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct WeenieFields { $(#[doc = $doc] pub $name: Option<kind!(type $kind)>,)* }

        impl WeenieFields {
            fn headers(&self) -> [u32; 2] {
                let mut headers = [0; 2];
                $(headers[$header] |= flag(&self.$name, $bit);)*
                headers
            }

            fn layout<C: Codec>(&mut self, c: &mut C, headers: [u32; 2]) -> Result<()> {
                $(c.optional_with(headers[$header] & $bit != 0, &mut self.$name, |c, value| {
                    kind!(code $kind, c, value, stringify!($name))
                })?;)*
                Ok(())
            }

            /// The fields that are there, by name, in the order in which they are sent.
            pub fn list(&self) -> impl Iterator<Item = (&'static str, WeenieField<'_>)> {
                [$(self.$name.as_ref().map(|value| (stringify!($name), kind!(list $kind, value))),)*]
                    .into_iter()
                    .flatten()
            }
        }
    };
}

weenie_fields! {
    0 0x1 plural_name: Text, "Its name when there are several.";
    0 0x2 items_capacity: U8, "Items that fit into it.";
    0 0x4 containers_capacity: U8, "Containers that fit into it.";
    0 0x100 ammo_type: U16, "Ammunition it uses or is.";
    0 0x8 value: U32, "Its price.";
    0 0x10 usable: Bits, "From where it can be used.";
    0 0x20 use_radius: F32, "How near one must be to use it.";
    0 0x8_0000 target_type: Bits, "What it can be used on.";
    0 0x80 effects: Bits, "Effects of its icon.";
    0 0x200 combat_use: U8, "1 melee, 2 missile, 3 ammunition, 4 shield, 5 two-handed.";
    0 0x400 structure: U16, "Uses that are left.";
    0 0x800 max_structure: U16, "Uses when new.";
    0 0x1000 stack_size: U16, "How many lie in the stack.";
    0 0x2000 max_stack_size: U16, "How many may lie in a stack.";
    0 0x4000 container: Guid, "What it is in.";
    0 0x8000 wielder: Guid, "Who holds it.";
    0 0x1_0000 valid_locations: Bits, "Where it can be worn.";
    0 0x2_0000 location: Bits, "Where it is worn.";
    0 0x4_0000 priority: Bits, "Which clothing covers which.";
    0 0x10_0000 blip_color: U8, "Colour of its dot on the radar.";
    0 0x80_0000 radar: U8, "When it is on the radar.";
    0 0x800_0000 script: U16, "Script that it plays.";
    0 0x100_0000 workmanship: F32, "Its workmanship.";
    0 0x20_0000 burden: U16, "Its weight.";
    0 0x40_0000 spell: U16, "Its spell.";
    0 0x200_0000 house_owner: Guid, "Who owns the house.";
    0 0x400_0000 restrictions: Restrictions, "Who may enter the house.";
    0 0x2000_0000 hook_item_types: Bits, "What can be hung on the hook.";
    0 0x40 monarch: Guid, "Its monarch.";
    0 0x1000_0000 hook_type: U16, "Kind of hook.";
    0 0x4000_0000 icon_overlay: Icon, "Icon drawn over its own.";
    1 0x1 icon_underlay: Icon, "Icon drawn under its own.";
    0 0x8000_0000 material: U32, "What it is made of.";
    1 0x2 cooldown_id: U32, "Which cooldown it shares.";
    1 0x4 cooldown: F64, "Seconds until it can be used again.";
    1 0x8 pet_owner: Guid, "Whose pet it is.";
}

/// Entry rules of a house. Retail: `RestrictionDB::UnPack`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Restrictions {
    /// Version and monarch; the older form has neither.
    pub current: Option<RestrictionHead>,
    /// Whether everybody may enter.
    pub open: u32,
    /// Guests.
    pub guests: Vec<Guest>,
}

layout_struct! {
    /// Fields that only the current form of restrictions has.
    pub struct RestrictionHead {
        /// 0x10000002; its upper half is never zero.
        pub version: u32,
        /// The monarch whose vassals may enter.
        pub monarch: Guid,
    }

    /// A guest of a house.
    pub struct Guest {
        /// The player.
        pub guid: Guid,
        /// Whether the storage may be used.
        pub storage: u32,
    }
}

impl Layout for Restrictions {
    const MIN: usize = 8;

    fn layout<C: Codec>(&mut self, c: &mut C, _: &'static str) -> Result<()> {
        let is_version = |word: u32| word >> 16 != 0;
        let mut first = self.current.as_ref().map_or(self.open, |head| head.version);
        if is_version(first) != self.current.is_some() {
            return Err(c.fault(Reason::Value, "restrictions version"));
        }
        c.value(&mut first, "restrictions version")?;
        if is_version(first) {
            let head = self.current.get_or_insert_default();
            head.version = first;
            c.value(&mut self.open, "restrictions open")?;
            c.value(&mut head.monarch, "restrictions monarch")?;
        } else {
            self.open = first;
        }
        // 24 bits of count; above them the size of the original's table.
        let guests = self.guests.len() as u32;
        if guests > 0xFF_FFFF {
            return Err(c.fault(Reason::Count, "guests"));
        }
        let count = c.word::<4>(guests, "guests")?;
        c.elements((count.sent & 0xFF_FFFF) as usize, &mut self.guests, "guests")?;
        c.settle(count, self.guests.len() as u32);
        Ok(())
    }
}
