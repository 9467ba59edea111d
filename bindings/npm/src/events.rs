//! What has happened.

use crate::{
    error::Fault,
    types::{JsPosition, JsWorldEvents},
    value::{Fields, list, position},
    world::World,
};
use js_sys::Array;
use threshold_sim::{EntityKey, Event, update::ScriptChoice};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

fn new(kind: &str) -> Fields {
    Fields::new().with("kind", kind)
}

fn about(kind: &str, entity: EntityKey) -> Fields {
    new(kind).with("entity", entity.id() as f64)
}

fn event(event: &Event) -> JsValue {
    let at = position::<JsPosition>;
    let fields = match *event {
        Event::CellChanged { entity, from, to } => about("cell_changed", entity)
            .with("from", from.map(|cell| cell.0))
            .with("to", to.map(|cell| cell.0)),
        Event::Touched { entity, other, profile } => about("touched", entity)
            .with("other", other.id() as f64)
            .with("velocity", list::<Array>(profile.velocity.to_array()))
            .with("flags", profile.flags.bits()),
        Event::MissileHit { missile, target, quadrant } => {
            about("missile_hit", missile).with("other", target.id() as f64).with("flags", quadrant.bits())
        }
        Event::Separated { entity, other } => about("separated", entity).with("other", other.id() as f64),
        Event::HitEnvironment { entity, velocity, had_contact } => about("hit_environment", entity)
            .with("velocity", list::<Array>(velocity.to_array()))
            .with("hadContact", had_contact),
        Event::LeftGround(entity) => about("left_ground", entity),
        Event::HitGround(entity) => about("hit_ground", entity),
        Event::Lost(entity) => about("lost", entity),
        Event::Found(entity) => about("found", entity),
        Event::DoorOpened(entity) => about("door_opened", entity),
        Event::DoorClosed(entity) => about("door_closed", entity),
        Event::DoorBlocked(entity) => about("door_blocked", entity),
        Event::Departed { entity, portal } => {
            about("departed", entity).with("portal", portal.map(|portal| portal.id() as f64))
        }
        Event::Arrived { entity, at: place } => about("arrived", entity).with("position", at(&place)),
        Event::NoRoom { entity, at: place } => about("no_room", entity).with("position", at(&place)),
        Event::Rescued(entity) => about("rescued", entity),
        Event::BlockLoaded(block) => new("block_loaded").with("block", block.0),
        Event::BlockUnloaded(block) => new("block_unloaded").with("block", block.0),
        Event::Created(entity) => about("created", entity),
        Event::Deleted(guid) => new("deleted").with("guid", guid),
        Event::Redressed(entity) => about("redressed", entity),
        Event::Script { entity, script } => match script {
            ScriptChoice::Id(id) => about("script", entity).with("script", id.0),
            ScriptChoice::Type(number, intensity) => {
                about("script_type", entity).with("type", number).with("intensity", intensity)
            }
        },
        Event::Sound { entity, sound, volume } => {
            about("sound", entity).with("sound", sound).with("volume", volume)
        }
        Event::NoSuchPlace { entity, at: place } => {
            about("no_such_place", entity).with("position", at(&place))
        }
        Event::DescriptionWanted(guid) => new("description_wanted").with("guid", guid),
        Event::UpdatesDropped { guid, count } => {
            new("updates_dropped").with("guid", guid).with("count", count as f64)
        }
        Event::UpdateRefused { guid, ref why } => {
            new("update_refused").with("guid", guid).with("text", why.to_string())
        }
        Event::MotionDone { entity, motion, success } => {
            about("motion_done", entity).with("motion", motion.0).with("success", success)
        }
        Event::HookRun { entity, ref hook } => about("hook_run", entity).with("text", format!("{hook:?}")),
        Event::MoveToEnded { entity, code } => about("move_to_ended", entity).with("code", code.0),
        Event::GaveUpFollowing { entity, from } => {
            about("gave_up_following", entity).with("position", at(&from))
        }
        Event::SetOut { entity, .. } => about("set_out", entity),
        Event::CameTo { entity, at: reached } => about("came_to", entity).with("position", at(&reached)),
        Event::GaveUpGoing { entity, at: stopped, .. } => {
            about("gave_up_going", entity).with("position", at(&stopped))
        }
        Event::Problem(ref problem) => new("problem").with("text", problem.to_string()),
        ref other => new("other").with("text", format!("{other:?}")),
    };
    fields.done()
}

#[wasm_bindgen]
impl World {
    /// What has happened since the last call, in order.
    pub fn events(&self) -> Result<JsWorldEvents, Fault> {
        let events: Vec<Event> = self.shared.with(|world| Ok(world.sim.drain_events().collect()))?;
        Ok(list(events.iter().map(event)))
    }
}
