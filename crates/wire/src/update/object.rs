//! Descriptions of objects.

use super::place;
use crate::messages::{self, ObjectDescription as Sent};
use threshold_physics::update::{
    Appearance, ColorRange, Hold, ObjectDescription, PartChange, Pose, TextureChange,
};

impl From<&Sent> for ObjectDescription {
    fn from(sent: &Sent) -> ObjectDescription {
        let physics = &sent.physics;
        let absent = ObjectDescription::default();
        let vector = |sent: Option<[f32; 3]>| sent.unwrap_or_default().into();
        let hold = |sent: &messages::Attachment| Hold { guid: sent.guid.0, location: sent.location };
        ObjectDescription {
            guid: sent.guid.0,
            game: (&sent.weenie).into(),
            appearance: (&sent.appearance).into(),
            state: physics.state,
            pose: match &physics.pose {
                messages::Pose::Placed(placement) => Pose::Placed(*placement),
                messages::Pose::Moving(Some((movement, autonomous))) => {
                    Pose::Moving { order: Box::new(movement.into()), autonomous: *autonomous }
                }
                messages::Pose::Moving(None) | messages::Pose::Unsaid => Pose::default(),
            },
            position: physics.position.as_ref().filter(|position| position.cell.0 != 0).map(place),
            setup: physics.setup,
            motion_table: physics.motion_table,
            sound_table: physics.sound_table,
            script_table: physics.script_table,
            parent: physics.parent.as_ref().map(hold),
            children: physics.children.iter().flatten().map(hold).collect(),
            scale: physics.scale.unwrap_or(absent.scale),
            friction: physics.friction.unwrap_or(absent.friction),
            elasticity: physics.elasticity.unwrap_or(absent.elasticity),
            translucency: physics.translucency.unwrap_or(absent.translucency),
            velocity: vector(physics.velocity),
            omega: vector(physics.omega),
            default_script: physics.default_script.unwrap_or(0),
            default_script_intensity: physics.default_script_intensity.unwrap_or(0.0),
            stamps: (&physics.stamps).into(),
        }
    }
}

impl From<&messages::Appearance> for Appearance {
    fn from(sent: &messages::Appearance) -> Appearance {
        let color = |range: &messages::Subpalette| ColorRange {
            palette: range.palette,
            first: range.first_color() as u16,
            count: range.colors() as u16,
        };
        let texture = |change: &messages::TextureChange| TextureChange {
            part: change.part,
            old: change.old,
            new: change.new,
        };
        let part = |change: &messages::PartChange| PartChange { part: change.part, mesh: change.model };
        Appearance {
            palette: (!sent.subpalettes.is_empty()).then_some(sent.palette),
            colors: sent.subpalettes.iter().map(color).collect(),
            textures: sent.textures.iter().map(texture).collect(),
            parts: sent.parts.iter().map(part).collect(),
        }
    }
}
