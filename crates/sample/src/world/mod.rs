//! The sample world: an island with a village, a tower, a cave and a dungeon.

mod bridge;
mod cave;
mod cottage;
mod door;
mod dungeon;
mod ferry_house;
mod house;
mod inn;
mod life;
mod people;
mod props;
mod region;
mod scenery;
mod setup;
mod skins;
mod sky;
mod smoke;
mod terrain;
mod tower;
mod village;

use crate::{builder::WorldBuilder, error::BuildError};
use threshold_dat::DatId;
use threshold_world::{
    BlockId, Position,
    placed::{Habits, NamedPlace, ObjectKind, PlaceKind, PlacedObject},
};

/// Object state of a thing with a physics tree, such as a closed door. Open doors are ethereal as well (0x4).
const SOLID_MESH: u32 = 0x1_0008;
/// Object state of a thing with a plain collision shape.
const SOLID_THING: u32 = 0x8;
/// Object state of a living thing: gravity, edge slide, reports collisions.
const LIVING: u32 = 0x0040_0408;
/// Object state of something that is thrown: a missile that faces along its path and falls.
const THROWN: u32 = 0x0000_0748;
/// Object state of a portal: ethereal, reports collisions, lit.
const PASSABLE: u32 = 0xC;

/// Everything of the world before it is stored.
pub(crate) struct Authored {
    pub(crate) world: WorldBuilder,
    pub(crate) entities: Vec<PlacedObject>,
    pub(crate) places: Vec<NamedPlace>,
}

/// Entities and places as they are met.
#[derive(Default)]
struct Roll {
    entities: Vec<PlacedObject>,
    places: Vec<NamedPlace>,
}

impl Roll {
    fn entity(&mut self, kind: ObjectKind, name: &str, setup: DatId, position: Position, state: u32) {
        let id = self.entities.len() as u32 + 1;
        let name = name.to_owned();
        self.entities.push(PlacedObject { id, name, state, ..PlacedObject::new(kind, setup, position) });
    }

    /// Says what the last entity does by itself.
    fn habits(&mut self, habits: Habits) {
        if let Some(entity) = self.entities.last_mut() {
            *entity.habits = habits;
        }
    }

    /// The id of the last entity.
    fn last_id(&self) -> u32 {
        self.entities.last().map_or(0, |entity| entity.id)
    }

    fn portal(&mut self, name: &str, setup: DatId, position: Position, state: u32, destination: Position) {
        self.entity(ObjectKind::Portal, name, setup, position, state);
        if let Some(portal) = self.entities.last_mut() {
            portal.destination = Some(destination);
        }
    }

    fn place(&mut self, name: &str, kind: PlaceKind, position: Position) {
        self.places.push(NamedPlace { name: name.to_owned(), kind, position });
    }
}

/// Builds the world.
pub(crate) fn author() -> Result<Authored, BuildError> {
    let mut world = WorldBuilder::new(terrain::VILLAGE);
    let s = skins::Skins::new(&mut world.materials);
    let people = people::make(&mut world, &s)?;
    let door = door::make(&mut world, &s)?;
    let props = props::Props::new(&mut world, &s)?;
    let (plants, scenes) = scenery::make(&mut world, &s)?;
    region::store(&mut world, &s, scenes)?;
    let (x, y, r) = (terrain::VILLAGE.x(), terrain::VILLAGE.y(), terrain::RADIUS);
    for (x, y) in (x - r..=x + r).flat_map(|x| (y - r..=y + r).map(move |y| (x, y))) {
        world.land(BlockId::new(x, y), terrain::ground);
    }
    let mut roll = Roll::default();
    let stock = village::Stock { skins: &s, props: &props, plants: &plants, people: &people, door };
    village::build(&mut world, &stock, &mut roll)?;
    Ok(Authored { world, entities: roll.entities, places: roll.places })
}
