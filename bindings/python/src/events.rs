//! Events.

use crate::{position::Position, world::World};
use pyo3::{prelude::*, types::PyDict};
use threshold_sim::{EntityKey, Event, update::ScriptChoice};

/// An event as a dict, one field after the other.
struct Told<'py>(Bound<'py, PyDict>);

impl<'py> Told<'py> {
    fn new(py: Python<'py>, kind: &str) -> PyResult<Told<'py>> {
        Told(PyDict::new(py)).with("kind", kind)
    }

    fn with(self, name: &str, value: impl IntoPyObject<'py>) -> PyResult<Told<'py>> {
        self.0.set_item(name, value)?;
        Ok(self)
    }

    fn about(py: Python<'py>, kind: &str, entity: EntityKey) -> PyResult<Told<'py>> {
        Told::new(py, kind)?.with("entity", entity.id())
    }
}

fn tell<'py>(py: Python<'py>, event: &Event) -> PyResult<Bound<'py, PyDict>> {
    let about = |kind, entity| Told::about(py, kind, entity);
    let told = match *event {
        Event::CellChanged { entity, from, to } => about("cell_changed", entity)?
            .with("from", from.map(|cell| cell.0))?
            .with("to", to.map(|cell| cell.0))?,
        Event::Touched { entity, other, profile } => about("touched", entity)?
            .with("other", other.id())?
            .with("velocity", profile.velocity.to_array())?
            .with("flags", profile.flags.bits())?,
        Event::MissileHit { missile, target, quadrant } => {
            about("missile_hit", missile)?.with("other", target.id())?.with("flags", quadrant.bits())?
        }
        Event::Separated { entity, other } => about("separated", entity)?.with("other", other.id())?,
        Event::HitEnvironment { entity, velocity, had_contact } => about("hit_environment", entity)?
            .with("velocity", velocity.to_array())?
            .with("had_contact", had_contact)?,
        Event::LeftGround(entity) => about("left_ground", entity)?,
        Event::HitGround(entity) => about("hit_ground", entity)?,
        Event::Lost(entity) => about("lost", entity)?,
        Event::Found(entity) => about("found", entity)?,
        Event::DoorOpened(entity) => about("door_opened", entity)?,
        Event::DoorClosed(entity) => about("door_closed", entity)?,
        Event::DoorBlocked(entity) => about("door_blocked", entity)?,
        Event::Departed { entity, portal } => {
            about("departed", entity)?.with("portal", portal.map(|portal| portal.id()))?
        }
        Event::Arrived { entity, at } => about("arrived", entity)?.with("position", Position(at))?,
        Event::NoRoom { entity, at } => about("no_room", entity)?.with("position", Position(at))?,
        Event::Rescued(entity) => about("rescued", entity)?,
        Event::BlockLoaded(block) => Told::new(py, "block_loaded")?.with("block", block.0)?,
        Event::BlockUnloaded(block) => Told::new(py, "block_unloaded")?.with("block", block.0)?,
        Event::Created(entity) => about("created", entity)?,
        Event::Deleted(guid) => Told::new(py, "deleted")?.with("guid", guid)?,
        Event::Redressed(entity) => about("redressed", entity)?,
        Event::Script { entity, script } => match script {
            ScriptChoice::Id(id) => about("script", entity)?.with("script", id.0)?,
            ScriptChoice::Type(number, intensity) => {
                about("script", entity)?.with("type", number)?.with("intensity", intensity)?
            }
        },
        Event::Sound { entity, sound, volume } => {
            about("sound", entity)?.with("sound", sound)?.with("volume", volume)?
        }
        Event::NoSuchPlace { entity, at } => {
            about("no_such_place", entity)?.with("position", Position(at))?
        }
        Event::DescriptionWanted(guid) => Told::new(py, "description_wanted")?.with("guid", guid)?,
        Event::UpdatesDropped { guid, count } => {
            Told::new(py, "updates_dropped")?.with("guid", guid)?.with("count", count)?
        }
        Event::UpdateRefused { guid, ref why } => {
            Told::new(py, "update_refused")?.with("guid", guid)?.with("text", why)?
        }
        Event::MotionDone { entity, motion, success } => {
            about("motion_done", entity)?.with("motion", motion.0)?.with("success", success)?
        }
        Event::HookRun { entity, ref hook } => {
            about("hook_run", entity)?.with("text", format!("{hook:?}"))?
        }
        Event::MoveToEnded { entity, code } => about("move_to_ended", entity)?.with("code", code.0)?,
        Event::GaveUpFollowing { entity, from } => {
            about("gave_up_following", entity)?.with("position", Position(from))?
        }
        Event::SetOut { entity, .. } => about("set_out", entity)?,
        Event::CameTo { entity, at } => about("came_to", entity)?.with("position", Position(at))?,
        Event::GaveUpGoing { entity, at, .. } => {
            about("gave_up_going", entity)?.with("position", Position(at))?
        }
        Event::Problem(ref problem) => Told::new(py, "problem")?.with("text", problem.to_string())?,
        ref other => Told::new(py, "other")?.with("text", format!("{other:?}"))?,
    };
    Ok(told.0)
}

#[pymethods]
impl World {
    /// Events since the last call, in order: a dict each, with at least `kind`.
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let events: Vec<Event> = self.shared.with(|world| Ok(world.sim.drain_events().collect()))?;
        events.iter().map(|event| tell(py, event)).collect()
    }
}
