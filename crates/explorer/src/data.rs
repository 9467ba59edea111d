//! The world to explore: its records, what a server would place in it, and the names of its places.

use anyhow::{Context, Result, bail};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};
use threshold_ace::Database;
use threshold_world::{
    CellId, Library, block_ids,
    loc::{MapCoords, Place as Spot},
    placed::{NamedPlace, PlacedObject, complete_place, find_place, read_objects, read_places},
    source::{DatSource, Source},
};

/// Where the walk through the sample world begins.
const SAMPLE_START: &str = "Cottage Path";
/// Where it begins in the game's own world: 42.1N, 33.6E.
const GAME_START: CellId = CellId(0xA9B4_0019);

/// A world and what is known of it.
pub struct Data {
    /// Records, with what is shared of them loaded once.
    pub library: Arc<Library>,
    /// Things a server would place, by their game ids.
    pub entities: BTreeMap<u32, PlacedObject>,
    /// Named places.
    pub places: Vec<NamedPlace>,
    /// Where to begin.
    pub start: Spot,
    /// The folder of the files, if they are in one.
    pub folder: Option<PathBuf>,
}

impl Data {
    /// The built-in world.
    pub fn sample() -> Result<Data> {
        let world = threshold_sample::build_records().context("the sample world")?;
        if crate::platform::PAINTS_AHEAD {
            world.source.paint_all();
        }
        let source: Arc<dyn Source> = Arc::new(world.source);
        let start = world.places.iter().find(|place| place.name == SAMPLE_START);
        let start = start.context("the sample world has no path to the cottage")?.position;
        Ok(Data::new(source, world.entities, world.places, Spot::Exact(start)))
    }

    /// A folder with the game's files. Beside them a `Locations.txt` with lines `name | type | loc` may name places, and
    /// an `entities.json` may list things, as in a folder that `threshold sample` wrote.
    pub fn open(dir: &Path) -> Result<Data> {
        let needed = ["client_portal.dat", "client_cell_1.dat"];
        if let Some(missing) = needed.iter().find(|name| !dir.join(name).is_file()) {
            bail!(
                "{}: there is no {missing}; --dats needs the folder with the game's {} (of an installed game client, \
                 usually C:\\Turbine\\Asheron's Call, or of the end-of-retail client download); \
                 without --dats the built-in sample world is used",
                dir.display(),
                needed.join(" and "),
            );
        }
        let source: Arc<dyn Source> = Arc::new(DatSource::open(dir).with_context(|| {
            format!("{} holds files that are not the game's data files, or damaged ones", dir.display())
        })?);
        let data = Data::of(source, read_objects(dir)?, read_places(dir)?);
        Ok(Data { folder: Some(dir.to_owned()), ..data.with_context(|| dir.display().to_string())? })
    }

    /// The game's files, wherever they are, with things and places that somebody has listed.
    pub fn of(source: Arc<dyn Source>, things: Vec<PlacedObject>, places: Vec<NamedPlace>) -> Result<Data> {
        let (blocks, _) = block_ids(&*source)?;
        let Some(&first) = blocks.first() else { bail!("client_cell_1.dat has no landblocks") };
        let start = if blocks.contains(&GAME_START.block()) { GAME_START } else { first.cell(0x25) };
        let start = MapCoords::of(start).with_context(|| format!("landblock {first} is off the map"))?;
        Ok(Data::new(source, things, places, start.into()))
    }

    fn new(
        source: Arc<dyn Source>,
        entities: Vec<PlacedObject>,
        places: Vec<NamedPlace>,
        start: Spot,
    ) -> Data {
        let entities = entities.into_iter().map(|entity| (entity.id, entity)).collect();
        Data { library: Arc::new(Library::new(source)), entities, places, start, folder: None }
    }

    /// Adds what files of the community's world database place. Returns the number of rows that cannot be placed.
    pub fn add_instances(&mut self, files: &[PathBuf]) -> Result<usize> {
        let database = Database::open(files)?;
        let rows = database.placed_objects(&self.library)?;
        self.entities.extend(rows.objects.into_iter().map(|object| (object.id, object)));
        Ok(rows.left_out)
    }

    /// A place by its name, its `/loc` or its map coordinates.
    pub fn find(&self, text: &str) -> Result<Spot> {
        Ok(find_place(&self.places, text)?)
    }

    /// Places whose names contain a text, those that begin with it first.
    pub fn complete(&self, text: &str) -> Vec<&NamedPlace> {
        complete_place(&self.places, text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_folder_without_the_files_says_which_and_where_people_have_them() {
        let dir = tempfile::tempdir().unwrap();
        let error = Data::open(dir.path()).err().unwrap().to_string();
        assert!(error.contains("client_portal.dat") && error.contains("sample world"), "{error}");
        fs::write(dir.path().join("client_portal.dat"), [0u8; 2000]).unwrap();
        fs::write(dir.path().join("client_cell_1.dat"), [0u8; 2000]).unwrap();
        let error = format!("{:#}", Data::open(dir.path()).err().unwrap());
        assert!(error.contains("not the game's data files"), "{error}");
    }

    #[test]
    fn a_written_sample_world_brings_its_places_and_things_along() {
        let dir = tempfile::tempdir().unwrap();
        let world = threshold_sample::build().unwrap();
        fs::write(dir.path().join("client_portal.dat"), &world.portal).unwrap();
        fs::write(dir.path().join("client_cell_1.dat"), &world.cell).unwrap();
        fs::write(dir.path().join("Locations.txt"), world.locations()).unwrap();
        fs::write(dir.path().join("entities.json"), world.entities_json()).unwrap();
        let data = Data::open(dir.path()).unwrap();
        assert_eq!(data.places.len(), world.places.len());
        assert!(data.entities.values().eq(&world.entities));
        fs::write(dir.path().join("Locations.txt"), "Here | outdoors").unwrap();
        assert!(
            Data::open(dir.path()).err().unwrap().to_string().contains(":1: expected `name | type | loc`")
        );
    }

    #[test]
    fn places_are_found_by_name_part_of_a_name_loc_and_map_coordinates() {
        let data = Data::sample().unwrap();
        let cellar = data.find("cottage cellar").unwrap();
        assert_eq!(data.find("lookout").unwrap(), data.find("Tower Lookout").unwrap());
        assert!(data.find("Cottage").unwrap_err().to_string().contains("Cottage Vestibule"));
        assert!(data.find("nowhere at all").is_err());
        let Spot::Exact(position) = cellar else { panic!("a place is exact") };
        let Spot::Exact(same) = data.find(&position.to_string()).unwrap() else { panic!("a loc is exact") };
        assert_eq!(same.cell, position.cell);
        assert!(matches!(data.find("0.1N, 0.2E").unwrap(), Spot::Map { .. }));
        let names: Vec<&str> = data.complete("cell").iter().map(|place| place.name.as_str()).collect();
        assert_eq!(names, ["Cottage Cellar Stairs", "Cottage Cellar"]);
    }
}
