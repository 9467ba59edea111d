//! Descriptions of objects as JSON.

use super::{write_movement, write_position, writer::Object};
use crate::messages::{
    Appearance, Attachment, ObjectDescription, PhysicsDescription, Pose, Restrictions, WeenieField,
};

pub(super) fn write(o: &mut Object<'_>, object: &ObjectDescription) {
    let weenie = &object.weenie;
    o.text("name", &weenie.name.to_string());
    o.number("class", weenie.class);
    o.hex("icon", weenie.icon.0);
    o.hex("item_type", weenie.item_type);
    o.hex("description", weenie.description);
    write_physics(o, &object.physics);
    write_appearance(o, &object.appearance);
    let mut fields = weenie.fields.list().peekable();
    if fields.peek().is_some() {
        o.object("weenie", |o| fields.for_each(|(name, field)| write_field(o, name, field)));
    }
}

fn write_physics(o: &mut Object<'_>, physics: &PhysicsDescription) {
    o.hex("state", physics.state);
    o.maybe(physics.position.as_ref(), write_position);
    let records = [
        ("setup", physics.setup),
        ("motion_table", physics.motion_table),
        ("sound_table", physics.sound_table),
        ("script_table", physics.script_table),
    ];
    for (name, id) in records {
        o.maybe(id, |o, id| o.hex(name, id.0));
    }
    match &physics.pose {
        Pose::Placed(placement) => o.number("placement", placement),
        Pose::Moving(Some((movement, autonomous))) => {
            o.object("movement", |o| write_movement(o, movement));
            o.truth("autonomous", *autonomous);
        }
        Pose::Moving(None) | Pose::Unsaid => {}
    }
    o.maybe(physics.parent.as_ref(), |o, parent| o.object("parent", |o| write_attachment(o, parent)));
    o.maybe(physics.children.as_ref(), |o, children| o.list("children", children, write_attachment));
    let numbers = [
        ("scale", physics.scale),
        ("friction", physics.friction),
        ("elasticity", physics.elasticity),
        ("translucency", physics.translucency),
        ("default_script_intensity", physics.default_script_intensity),
    ];
    for (name, number) in numbers {
        o.maybe(number, |o, number| o.float(name, number));
    }
    let vectors =
        [("velocity", physics.velocity), ("acceleration", physics.acceleration), ("omega", physics.omega)];
    for (name, vector) in vectors {
        o.maybe(vector, |o, vector| o.floats(name, &vector));
    }
    o.maybe(physics.default_script, |o, script| o.number("default_script", script));
    let at = &physics.stamps;
    super::stamps(
        o,
        &[
            ("position", at.position),
            ("movement", at.movement),
            ("state", at.state),
            ("vector", at.vector),
            ("teleport", at.teleport),
            ("server_control", at.server_control),
            ("force_position", at.force_position),
            ("appearance", at.appearance),
            ("instance", at.instance),
        ],
    );
}

fn write_attachment(o: &mut Object<'_>, attachment: &Attachment) {
    o.hex("guid", attachment.guid.0);
    o.number("location", attachment.location);
}

/// Left out when it changes nothing.
pub(super) fn write_appearance(o: &mut Object<'_>, appearance: &Appearance) {
    if appearance.is_empty() {
        return;
    }
    o.object("appearance", |o| {
        if !appearance.subpalettes.is_empty() {
            o.hex("palette", appearance.palette.0);
            o.list("subpalettes", &appearance.subpalettes, |o, range| {
                o.hex("palette", range.palette.0);
                o.number("offset", range.first_color());
                o.number("count", range.colors());
            });
        }
        if !appearance.textures.is_empty() {
            o.list("textures", &appearance.textures, |o, change| {
                o.number("part", change.part);
                o.hex("old", change.old.0);
                o.hex("new", change.new.0);
            });
        }
        if !appearance.parts.is_empty() {
            o.list("parts", &appearance.parts, |o, change| {
                o.number("part", change.part);
                o.hex("model", change.model.0);
            });
        }
    });
}

fn write_field(o: &mut Object<'_>, name: &str, field: WeenieField<'_>) {
    match field {
        WeenieField::Text(text) => o.text(name, &text.to_string()),
        WeenieField::Number(number) => o.number(name, number),
        WeenieField::Bits(bits) => o.hex(name, bits),
        WeenieField::Float(number) => o.float(name, number),
        WeenieField::Double(number) => o.double(name, number),
        WeenieField::Guid(guid) => o.hex(name, guid.0),
        WeenieField::Icon(id) => o.hex(name, id.0),
        WeenieField::Restrictions(restrictions) => {
            o.object(name, |o| write_restrictions(o, restrictions));
        }
    }
}

fn write_restrictions(o: &mut Object<'_>, restrictions: &Restrictions) {
    o.maybe(restrictions.current.as_ref(), |o, head| {
        o.hex("version", head.version);
        o.hex("monarch", head.monarch.0);
    });
    o.number("open", restrictions.open);
    o.list("guests", &restrictions.guests, |o, guest| {
        o.hex("guid", guest.guid.0);
        o.number("storage", guest.storage);
    });
}
