//! Life of a world, what of it is loaded, and its time.

use crate::{
    argument::{Options, bytes, choice, shown, text, whole},
    entity::{Entity, Walker, skills},
    error::Fault,
    position::PlaceArg,
    ranges::Ranged,
    shared::Shared,
    types::{
        JsBytes, JsDatFiles, JsFound, JsLoad, JsPlace, JsPortals, JsPosition, JsResidency, JsSkills,
        JsSpawnOptions, JsStrings, JsText,
    },
    value::{self, Fields, list},
};
use js_sys::{Float32Array, Uint8Array, Uint32Array};
use std::{path::Path, rc::Rc, sync::Arc};
use threshold_dat::{
    DatId,
    container::DatFile,
};
use threshold_physics::{EntityRole, State};
use threshold_sim::{
    Builder, EntityKey, NewObject, ObserverId, Residency, Simulation, SimulationView, Snapshot,
};
use threshold_world::{
    BlockId, CellId, LoadedBlock,
    cell::PortalTarget,
    load_block,
    placed::{parse_objects, parse_places},
    source::DatSource,
    stream::StreamConfig,
    terrain::SAMPLES_PER_SIDE,
};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

/// What a world object holds.
pub(crate) struct Inner {
    pub(crate) sim: Simulation,
    /// Makes another world of the same data.
    origin: Builder,
    /// What draws pictures, once one was asked for.
    pub(crate) view: Option<SimulationView>,
}

/// A world that runs: cells, objects, doors, players, and answers to questions about them.
///
/// Metres, seconds, degrees. Coordinates are those of a landblock: x east, y north, z up, from its south-west corner.
/// What is refused is an `Error` with the engine's message, and the world stays as it was.
#[wasm_bindgen]
pub struct World {
    pub(crate) shared: Rc<Shared<Inner>>,
}

#[derive(Clone, Copy)]
enum Resident {
    Automatic,
    Whole,
    Observed,
}

fn open(origin: Builder, residency: Option<JsResidency>) -> Result<World, Fault> {
    let choices =
        [("automatic", Resident::Automatic), ("whole", Resident::Whole), ("observed", Resident::Observed)];
    let builder = origin.clone();
    let builder = match choice("residency", &residency.into(), &choices)? {
        Resident::Automatic => builder,
        Resident::Whole => builder.residency(Residency::Whole),
        Resident::Observed => builder.residency(Residency::Observed(StreamConfig::default())),
    };
    let inner = Inner { sim: builder.build()?, origin, view: None };
    Ok(World { shared: Rc::new(Shared::new(inner)) })
}

fn dat(name: &'static str, options: &mut Options) -> Result<DatFile, Fault> {
    let value = options.required(name)?;
    match Ranged::new(name, &value)? {
        Some(file) => DatFile::from_ranges(name, file).map_err(|error| Fault::Data(error.to_string())),
        None => DatFile::from_bytes(bytes(name, &value)?)
            .map_err(|error| Fault::Data(format!("{name}: {error}"))),
    }
}

fn builder(files: &JsDatFiles) -> Result<Builder, Fault> {
    let mut files = Options::new(files)?;
    let (portal, cell) = (dat("portal", &mut files)?, dat("cell", &mut files)?);
    let source = DatSource::new(portal, cell).map_err(|error| Fault::Data(error.to_string()))?;
    let mut builder = Builder::default().source(Arc::new(source));
    if let Some(entities) = files.get("entities")? {
        let objects = parse_objects(Path::new("entities"), &text("entities", &entities)?);
        builder = builder.placed(objects.map_err(|error| Fault::Data(error.to_string()))?);
    }
    if let Some(locations) = files.get("locations")? {
        let places = parse_places(Path::new("locations"), &text("locations", &locations)?);
        builder = builder.places(places.map_err(|error| Fault::Data(error.to_string()))?);
    }
    files.end()?;
    Ok(builder)
}

pub(crate) fn block_id(block: u32) -> Result<BlockId, Fault> {
    let id = u16::try_from(block);
    id.map(BlockId).map_err(|_| Fault::argument(format!("{block:#x} is not a block: 0 to 0xFFFF")))
}

impl World {
    fn block(&self, block: f64) -> Result<LoadedBlock, Fault> {
        let id = block_id(whole("block", block)?)?;
        self.shared.with(|world| {
            if !world.sim.blocks().contains(&id) {
                return Err(Fault::not_found(format_args!("landblock {id} in these data files")));
            }
            Ok(load_block(world.sim.library(), id)?)
        })
    }

    fn entity(&self, key: EntityKey) -> Entity {
        Entity { world: self.shared.clone(), key }
    }

    fn all(&self, keys: Vec<EntityKey>) -> Vec<Entity> {
        keys.into_iter().map(|key| self.entity(key)).collect()
    }
}

#[wasm_bindgen]
impl World {
    /// The built-in sample world.
    pub fn sample(residency: Option<JsResidency>) -> Result<World, Fault> {
        open(Builder::sample()?, residency)
    }

    /// A world of the game's files, given as bytes.
    pub fn open(files: &JsDatFiles, residency: Option<JsResidency>) -> Result<World, Fault> {
        open(builder(files)?, residency)
    }

    /// Another world of the same data, which is shared.
    pub fn another(&self, residency: Option<JsResidency>) -> Result<World, Fault> {
        open(self.shared.with(|world| Ok(world.origin.clone()))?, residency)
    }

    /// Gives back its memory. Every later call with it or with its objects is an error; `free` only lets go of this
    /// one JavaScript object.
    pub fn close(&self) -> Result<(), Fault> {
        self.shared.close()
    }

    /// Ids of the blocks that the data files have.
    pub fn blocks(&self) -> Result<Uint32Array, Fault> {
        let ids: Vec<u32> =
            self.shared.with(|world| Ok(world.sim.blocks().iter().map(|id| id.0.into()).collect()))?;
        Ok(Uint32Array::from(&ids[..]))
    }

    /// Loads a block, or what can be seen from a place, until `unload` with the number that is returned.
    pub fn load(&self, what: &JsLoad) -> Result<u32, Fault> {
        let block = what.as_f64().map(|block| block_id(whole("block", block)?)).transpose()?;
        let around = if block.is_none() { Some(PlaceArg::read(what)?) } else { None };
        self.shared.with(|world| {
            let sim = &mut world.sim;
            let id = match around {
                Some(place) => {
                    let place = place.resolve(sim)?;
                    sim.observe(place)?
                }
                None => sim.hold_open(block)?,
            };
            if let Err(error) = sim.settle(id) {
                sim.stop_observing(id)?;
                return Err(error.into());
            }
            Ok(id.number())
        })
    }

    /// Ends an observer of `load`; what no other needs is unloaded.
    pub fn unload(&self, observer: f64) -> Result<(), Fault> {
        let id = ObserverId::from_number(whole("observer", observer)?);
        self.shared.with(|world| Ok(world.sim.stop_observing(id)?))
    }

    /// Moves an observer of `load` to another place, and loads what is around that.
    #[wasm_bindgen(js_name = moveObserver)]
    pub fn move_observer(&self, observer: f64, place: &JsPlace) -> Result<(), Fault> {
        let (id, place) = (ObserverId::from_number(whole("observer", observer)?), PlaceArg::read(place)?);
        self.shared.with(|world| {
            let place = place.resolve(&world.sim)?;
            world.sim.move_observer(id, place)?;
            Ok(world.sim.settle(id)?)
        })
    }

    /// Names of the places.
    pub fn places(&self) -> Result<JsStrings, Fault> {
        self.shared.with(|world| Ok(list(world.sim.places().iter().map(|place| place.name.as_str()))))
    }

    /// The position that a text means.
    pub fn place(&self, text: &JsText) -> Result<JsPosition, Fault> {
        let place = PlaceArg::Named(self::text("text", text)?);
        self.shared.with(|world| Ok(value::position(&place.resolve(&world.sim)?)))
    }

    /// Heights of a block's ground: 9 by 9, 24 m apart, northwards first from the south-west corner: entry 9x + y.
    pub fn heights(&self, block: f64) -> Result<Float32Array, Fault> {
        let loaded = self.block(block)?;
        if !loaded.has_terrain {
            return Err(Fault::not_found(format_args!("land in block {:#06X}", block as u32)));
        }
        let terrain = &loaded.block.terrain;
        let heights = (0..SAMPLES_PER_SIDE * SAMPLES_PER_SIDE).map(|sample| terrain.height(sample));
        Ok(Float32Array::from(&heights.collect::<Vec<f32>>()[..]))
    }

    /// The openings of a block's interior cells.
    pub fn portals(&self, block: f64) -> Result<JsPortals, Fault> {
        let loaded = self.block(block)?;
        let cells = loaded.block.env_cells.iter().flatten();
        let portals = cells.flat_map(|cell| cell.portals.iter().map(move |portal| (cell, portal)));
        Ok(list(portals.map(|(cell, portal)| {
            let set = &cell.structure.portal_polygons;
            let polygon = set.polygons().get(usize::from(portal.polygon));
            let corners = polygon.into_iter().flat_map(|polygon| set.vertices(polygon));
            let corners = corners.flat_map(|p| cell.position.frame.apply(p).to_array());
            let to = match portal.target {
                PortalTarget::Outside => None,
                PortalTarget::Cell(id) => Some(id.0),
            };
            let polygon = Float32Array::from(&corners.collect::<Vec<f32>>()[..]);
            Fields::new().with("cell", cell.id().0).with("to", to).with("polygon", polygon).done::<JsValue>()
        })))
    }

    /// One tick of a thirtieth of a second.
    pub fn tick(&self) -> Result<(), Fault> {
        self.shared.with(|world| Ok(world.sim.tick()?))
    }

    /// Lets time pass, at most an hour.
    pub fn advance(&self, seconds: f64) -> Result<(), Fault> {
        self.shared.with(|world| Ok(world.sim.advance(seconds)?))
    }

    /// Ticks since the beginning.
    #[wasm_bindgen(getter)]
    pub fn ticks(&self) -> Result<f64, Fault> {
        self.shared.with(|world| Ok(world.sim.ticks() as f64))
    }

    /// Sixteen hexadecimal digits that differ when anything that moves differs; the same on every machine and in every
    /// language.
    #[wasm_bindgen(getter, js_name = stateHash)]
    pub fn state_hash(&self) -> Result<String, Fault> {
        self.shared.with(|world| Ok(format!("{:016x}", world.sim.state_hash())))
    }

    /// Everything that can change, as bytes.
    pub fn snapshot(&self) -> Result<Uint8Array, Fault> {
        self.shared.with(|world| Ok(Uint8Array::from(&world.sim.snapshot().to_bytes()?[..])))
    }

    /// Becomes what it was when a snapshot was taken.
    pub fn restore(&self, snapshot: &JsBytes) -> Result<(), Fault> {
        let bytes = bytes("snapshot", snapshot)?;
        self.shared.with(|world| Ok(world.sim.restore(&Snapshot::from_bytes(&bytes)?)?))
    }

    /// Brings an object in exactly where it is said to be; its model is a setup.
    pub fn spawn(
        &self,
        setup: f64,
        place: &JsPlace,
        options: Option<JsSpawnOptions>,
    ) -> Result<Entity, Fault> {
        let (setup, place) = (DatId(whole("setup", setup)?), PlaceArg::read(place)?);
        let mut options = Options::new(&options.into())?;
        let guid = options.maybe_whole("guid")?;
        let state = State::from_bits_retain(options.whole("state", 0x408)?);
        let scale = options.float("scale", 1.0)?;
        let (creature, is_player) = (options.flag("creature", false)?, options.flag("player", false)?);
        let is_door = options.flag("door", false)?;
        options.end()?;
        let key = self.shared.with(|world| {
            let role = EntityRole { is_player, creature, ..EntityRole::default() };
            let position = place.resolve(&world.sim)?;
            let key = world.sim.spawn(NewObject { guid, setup, position, state, scale, role })?;
            if is_door {
                world.sim.add_door(key, None)?;
            }
            Ok(key)
        })?;
        Ok(self.entity(key))
    }

    /// Brings in a player that is driven by keys.
    pub fn walker(&self, place: &JsPlace, skills: Option<JsSkills>) -> Result<Walker, Fault> {
        let (place, skills) = (PlaceArg::read(place)?, self::skills(&skills.into())?);
        let key = self.shared.with(|world| {
            let place = place.resolve(&world.sim)?;
            Ok(world.sim.spawn_player_with(place, skills)?)
        })?;
        Ok(Walker::of(self.entity(key)))
    }

    /// All objects, scenery and statics included.
    pub fn entities(&self) -> Result<Vec<Entity>, Fault> {
        Ok(self
            .all(self.shared.with(|world| Ok(world.sim.scene().entities().map(|(key, _)| key).collect()))?))
    }

    /// The object with a game id, or the placed object with a name.
    pub fn find(&self, what: &JsFound) -> Result<Entity, Fault> {
        let key = match (what.as_f64(), what.as_string()) {
            (Some(guid), _) => {
                let guid = whole("guid", guid)?;
                let found = self.shared.with(|world| Ok(world.sim.find(guid)))?;
                found.ok_or_else(|| Fault::not_found(format_args!("object with id {guid:#010x}")))?
            }
            (_, Some(name)) => {
                let found = self.shared.with(|world| Ok(world.sim.find_by_name(&name)))?;
                found.ok_or_else(|| Fault::not_found(format_args!("object named '{name}'")))?
            }
            _ => return Err(Fault::Type(format!("expected a game id or a name, not {}", shown(what)))),
        };
        Ok(self.entity(key))
    }

    /// Objects at home in a cell.
    pub fn residents(&self, cell: f64) -> Result<Vec<Entity>, Fault> {
        let cell = CellId(whole("cell", cell)?);
        Ok(self.all(self.shared.with(|world| Ok(world.sim.residents_of(cell).collect()))?))
    }

    /// Objects within a distance of a place, nearest first.
    #[wasm_bindgen(js_name = objectsWithin)]
    pub fn objects_within(&self, place: &JsPlace, metres: f32) -> Result<Vec<Entity>, Fault> {
        let place = PlaceArg::read(place)?;
        if metres.is_nan() || metres < 0.0 {
            return Err(Fault::argument("a distance is NaN, infinite or out of range"));
        }
        Ok(self.all(self.shared.with(|world| {
            let place = place.resolve(&world.sim)?;
            Ok(world.sim.objects_within(&place, metres).into_iter().map(|(key, _)| key).collect())
        })?))
    }
}
