//! Objects, doors, and players that are driven by keys.

use crate::{
    argument::{Options, vector, whole},
    error::Fault,
    position::{PlaceArg, arrays},
    report,
    shared::Shared,
    types::{
        JsDoor, JsDoorChange, JsHit, JsKeys, JsPlace, JsPlaced, JsPosition, JsPositions, JsSkills, JsSwept,
        JsVector,
    },
    value::{self, list},
    world::{Inner, World},
};
use js_sys::Uint32Array;
use std::rc::Rc;
use threshold_physics::{Placement, State};
use threshold_sim::{Controls, DoorChange, EntityKey, Skills, TICKS_PER_SECOND};
use wasm_bindgen::{JsCast, JsValue, prelude::wasm_bindgen};

/// An object of a world. The number of an object that is gone never becomes another's.
#[wasm_bindgen]
pub struct Entity {
    pub(crate) world: Rc<Shared<Inner>>,
    pub(crate) key: EntityKey,
}

impl Entity {
    fn get<R>(&self, read: impl FnOnce(&threshold_physics::Entity) -> R) -> Result<R, Fault> {
        self.world.with(|world| Ok(read(world.sim.entity(self.key)?)))
    }
}

/// A word that TypeScript knows as one of several.
fn word<T: JsCast>(word: &str) -> T {
    JsValue::from(word).unchecked_into()
}

#[wasm_bindgen]
impl Entity {
    /// Its number in the world.
    #[wasm_bindgen(getter)]
    pub fn id(&self) -> f64 {
        self.key.id() as f64
    }

    /// Game id.
    #[wasm_bindgen(getter)]
    pub fn guid(&self) -> Result<Option<u32>, Fault> {
        self.get(|entity| entity.guid)
    }

    /// Its model: a setup or a GfxObj.
    #[wasm_bindgen(getter)]
    pub fn setup(&self) -> Result<u32, Fault> {
        self.get(|entity| entity.model.id.0)
    }

    /// Where it is.
    #[wasm_bindgen(getter)]
    pub fn position(&self) -> Result<JsPosition, Fault> {
        let place = self.get(|entity| entity.position)?;
        Ok(value::position(&place))
    }

    /// State word of the game.
    #[wasm_bindgen(getter)]
    pub fn state(&self) -> Result<u32, Fault> {
        self.get(|entity| entity.state.bits())
    }

    #[wasm_bindgen(setter)]
    pub fn set_state(&self, state: f64) -> Result<(), Fault> {
        let state = State::from_bits_retain(whole("state", state)?);
        self.world.with(|world| Ok(world.sim.parts_mut().1.set_state(self.key, state)?))
    }

    /// Metres per second.
    #[wasm_bindgen(getter)]
    pub fn velocity(&self) -> Result<JsVector, Fault> {
        let velocity = self.get(|entity| entity.velocity)?;
        Ok(list(velocity.to_array()))
    }

    #[wasm_bindgen(setter)]
    pub fn set_velocity(&self, velocity: &JsVector) -> Result<(), Fault> {
        let velocity = vector("velocity", velocity)?;
        self.world.with(|world| Ok(world.sim.parts_mut().1.set_velocity(self.key, velocity)?))
    }

    /// 1 is the size of its model.
    #[wasm_bindgen(getter)]
    pub fn scale(&self) -> Result<f32, Fault> {
        self.get(|entity| entity.scale)
    }

    /// Height in metres.
    #[wasm_bindgen(getter)]
    pub fn height(&self) -> Result<f32, Fault> {
        self.get(|entity| entity.model.height * entity.scale)
    }

    /// Radius in metres.
    #[wasm_bindgen(getter)]
    pub fn radius(&self) -> Result<f32, Fault> {
        self.get(|entity| entity.model.radius * entity.scale)
    }

    /// Whether it stands on ground that one can walk on.
    #[wasm_bindgen(getter)]
    pub fn stands(&self) -> Result<bool, Fault> {
        self.get(|entity| entity.transient.bits() & 3 == 3)
    }

    /// Whether it is open, if it is a door.
    #[wasm_bindgen(getter)]
    pub fn door(&self) -> Result<Option<JsDoor>, Fault> {
        self.world.with(|world| {
            world.sim.entity(self.key)?;
            Ok(world.sim.door(self.key).map(|door| word(if door.open { "open" } else { "closed" })))
        })
    }

    /// Cells in whose lists it is: where it can be hit.
    #[wasm_bindgen(getter, js_name = shadowCells)]
    pub fn shadow_cells(&self) -> Result<Uint32Array, Fault> {
        let cells: Vec<u32> = self.get(|entity| {
            let joined = entity.shadows().iter().filter(|shadow| shadow.is_joined());
            joined.map(|shadow| shadow.cell.0).collect()
        })?;
        Ok(Uint32Array::from(&cells[..]))
    }

    /// Uses it as a player would: opens a closed door, closes an open one. What became of a door.
    #[wasm_bindgen(js_name = use)]
    pub fn use_it(&self) -> Result<Option<JsDoorChange>, Fault> {
        self.world.with(|world| {
            world.sim.entity(self.key)?;
            Ok(world.sim.use_object(self.key)?.map(|change| {
                word(match change {
                    DoorChange::Opened => "open",
                    DoorChange::Closed => "closed",
                    DoorChange::Blocked => "blocked",
                })
            }))
        })
    }

    /// Puts it somewhere with the original's search for a free spot.
    #[wasm_bindgen(js_name = place)]
    pub fn put(&self, place: &JsPlace) -> Result<JsPlaced, Fault> {
        let place = PlaceArg::read(place)?;
        self.world.with(|world| {
            let place = place.resolve(&world.sim)?;
            Ok(word(match world.sim.place(self.key, &place)? {
                Placement::Placed => "placed",
                Placement::NoValidPosition => "no room",
                Placement::NoCell => "no cell",
                Placement::Collided => "collided",
            }))
        })
    }

    /// Sweeps it from where it stands, with its own body and footing; it stays where it is.
    pub fn sweep(&self, to: &JsPlace) -> Result<JsSwept, Fault> {
        let to = PlaceArg::read(to)?;
        self.world.with(|world| {
            let to = to.resolve(&world.sim)?;
            Ok(report::swept(&world.sim.sweep_entity(self.key, &to)?))
        })
    }

    /// Takes it out of the world.
    pub fn despawn(&self) -> Result<(), Fault> {
        self.world.with(|world| Ok(world.sim.despawn(self.key)?))
    }
}

/// What a player is able to do, as callers may say it.
pub(crate) fn skills(value: &JsValue) -> Result<Skills, Fault> {
    let mut options = Options::new(value)?;
    let skills = read_skills(&mut options)?;
    options.end()?;
    Ok(skills)
}

pub(crate) fn read_skills(options: &mut Options) -> Result<Skills, Fault> {
    let (run, jump) = (options.whole("run", 200)?, options.whole("jump", 200)?);
    let burden = options.float("burden", 0.0)?;
    if !(burden.is_finite() && burden >= 0.0) {
        return Err(Fault::argument("a burden is NaN, infinite or out of range"));
    }
    Ok(Skills { run, jump, burden })
}

/// Keys, as callers may say them.
fn keys(keys: Option<JsKeys>, forward: bool) -> Result<Controls, Fault> {
    let mut keys = Options::new(&keys.into())?;
    let controls = Controls {
        forward: keys.flag("forward", forward)?,
        back: keys.flag("back", false)?,
        left: keys.flag("left", false)?,
        right: keys.flag("right", false)?,
        turn_left: keys.flag("turnLeft", false)?,
        turn_right: keys.flag("turnRight", false)?,
        toggle_run: keys.flag("slow", false)?,
        jump: keys.flag("jump", false)?,
    };
    keys.end()?;
    Ok(controls)
}

/// A player that is driven by keys.
#[wasm_bindgen(extends = Entity)]
pub struct Walker {}

impl Walker {
    pub(crate) fn of(entity: Entity) -> Walker {
        Walker { parent: entity.into() }
    }
}

#[wasm_bindgen]
impl Walker {
    /// Brings a player into a world.
    #[wasm_bindgen(constructor)]
    pub fn new(world: &World, place: &JsPlace, skills: Option<JsSkills>) -> Result<Walker, Fault> {
        world.walker(place, skills)
    }

    /// Holds keys from now on, until the next call.
    pub fn drive(&self, keys: Option<JsKeys>) -> Result<(), Fault> {
        let (me, controls) = (self.parent.borrow(), self::keys(keys, false)?);
        me.world.with(|world| Ok(world.sim.control(me.key, controls)?))
    }

    /// Holds keys for some seconds, then lets go; `forward` is held unless it is false. Where it was after every tick.
    pub fn walk(&self, seconds: f64, keys: Option<JsKeys>) -> Result<JsPositions, Fault> {
        let (me, controls) = (self.parent.borrow(), self::keys(keys, true)?);
        if !(0.0..=threshold_sim::MAX_ADVANCE).contains(&seconds) {
            return Err(Fault::argument(format!("cannot advance by {seconds} seconds in one call")));
        }
        me.world.with(|world| {
            let sim = &mut world.sim;
            sim.control(me.key, controls)?;
            let ticks = (seconds * TICKS_PER_SECOND as f64).round() as u32;
            let mut way = Vec::new();
            for _ in 0..ticks {
                sim.advance(threshold_sim::TICK)?;
                way.push(sim.position(me.key)?);
            }
            sim.control(me.key, Controls::default())?;
            Ok(arrays(&way))
        })
    }

    /// Looks around by degrees: turns right, and its eye up.
    pub fn look(&self, right: f32, up: Option<f32>) -> Result<(), Fault> {
        let me = self.parent.borrow();
        me.world.with(|world| Ok(world.sim.look(me.key, right, up.unwrap_or(0.0))?))
    }

    /// Goes to a place; it is put down there as soon as the place is loaded.
    pub fn teleport(&self, place: &JsPlace) -> Result<(), Fault> {
        let (me, place) = (self.parent.borrow(), PlaceArg::read(place)?);
        me.world.with(|world| {
            let place = place.resolve(&world.sim)?;
            Ok(world.sim.teleport(me.key, place)?)
        })
    }

    /// What it points at in a direction of its eye's block.
    pub fn pick(&self, direction: &JsVector) -> Result<Option<JsHit>, Fault> {
        let (me, direction) = (self.parent.borrow(), vector("direction", direction)?);
        me.world.with(|world| Ok(world.sim.pick(me.key, direction)?.as_ref().map(report::hit)))
    }
}
