//! Every record of the golden worlds, and what their manifests say is in them.

use serde_json::Value;
use std::collections::BTreeMap;
use threshold_dat::container::DatFile;
use threshold_dat::records::*;
use threshold_dat::{DatId, Mode, RecordKind};
use threshold_golden::{WORLDS, manifest, world_dir};

fn open(world: &str, file: &str) -> DatFile {
    DatFile::open(world_dir(world).join(file)).unwrap()
}

fn load<T: DatRecord>(dat: &DatFile, id: DatId) -> T {
    T::load(id, &dat.get(id).unwrap()).unwrap()
}

fn id(value: &Value) -> DatId {
    value.as_str().unwrap().parse().unwrap()
}

fn floats(value: &Value) -> Vec<f32> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap() as f32).collect()
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().unwrap()
}

#[test]
fn every_record_is_written_back_as_it_was() {
    let mut kinds: BTreeMap<RecordKind, usize> = BTreeMap::new();
    for world in WORLDS {
        for file in ["client_portal.dat", "client_cell_1.dat"] {
            let dat = open(world, file);
            for entry in dat.entries() {
                let entry = entry.unwrap();
                let bytes = dat.read(&entry).unwrap();
                let kind = entry.id.kind(dat.scheme());
                let decoded = Record::decode(entry.id, kind, &bytes, Mode::Strict)
                    .unwrap_or_else(|error| panic!("{world}/{file}: {error}"));
                assert_eq!(decoded.encode().unwrap(), *bytes);
                assert_eq!(
                    decoded.value.encode(entry.id).unwrap(),
                    *bytes,
                    "{world}: {} from its value alone",
                    entry.id
                );
                *kinds.entry(kind).or_default() += 1;
            }
        }
    }
    let total: usize = kinds.values().sum();
    assert_eq!(total, 38 + 33 + 2638 + 190 + 36 + 27 + 35 + 13 + 39 + 46, "{kinds:?}");
    for kind in [RecordKind::LandBlock, RecordKind::EnvCell, RecordKind::Environment, RecordKind::Region] {
        assert!(kinds.contains_key(&kind), "{kinds:?}");
    }
}

#[test]
fn heights_and_terrain_are_those_of_the_manifests() {
    for world in WORLDS {
        let region: Region = load(&open(world, "client_portal.dat"), DatId(0x1300_0000));
        let cell = open(world, "client_cell_1.dat");
        for block in list(&manifest(world), "landblocks") {
            let block_id = DatId(id(&block["id"]).0 << 16 | 0xFFFF);
            let land: LandBlock = load(&cell, block_id);
            assert_eq!(
                land.heights.map(|index| region.land.height(index)).to_vec(),
                floats(&block["heights"])
            );
            let types: Vec<f32> = land.terrain.iter().map(|word| word.terrain_type().into()).collect();
            assert_eq!(types, floats(&block["terrain_types"]), "{world} {block_id}");
        }
    }
}

#[test]
fn cells_and_their_portals_are_those_of_the_manifests() {
    for world in WORLDS {
        let portal = open(world, "client_portal.dat");
        let cell_file = open(world, "client_cell_1.dat");
        for listed in list(&manifest(world), "cells") {
            let cell: EnvCell = load(&cell_file, id(&listed["id"]));
            assert_eq!(cell.environment_id(), id(&listed["environment"]));
            assert_eq!(u64::from(cell.structure), listed["structure"].as_u64().unwrap());
            assert_eq!(cell.seen_outside(), listed["seen_outside"].as_bool().unwrap());
            assert_eq!(cell.frame.origin.to_vec(), floats(&listed["origin"]));
            assert_eq!(cell.statics.len(), list(listed, "statics").len());
            let environment: Environment = load(&portal, cell.environment_id());
            let structure = environment.structure(cell.structure).unwrap();
            for (found, expected) in cell.portals.iter().zip(list(listed, "portals")) {
                assert_eq!(u64::from(found.polygon), expected["polygon"].as_u64().unwrap());
                assert_eq!(found.flags.owner_is_positive(), expected["normal_into_cell"].as_bool().unwrap());
                assert!(find_by_key(&structure.polygons, found.polygon).is_some());
                let block = id(&listed["id"]).0 & 0xFFFF_0000;
                match expected["other_cell"].as_str().unwrap() {
                    "outside" => assert!(found.is_exit()),
                    other => assert_eq!(DatId(block | u32::from(found.other_cell)), other.parse().unwrap()),
                }
            }
            assert_eq!(cell.portals.len(), list(listed, "portals").len());
        }
    }
}

#[test]
fn buildings_and_objects_are_those_of_the_manifests() {
    for world in WORLDS {
        let manifest = manifest(world);
        let cell_file = open(world, "client_cell_1.dat");
        let info = |listed: &Value| -> (u32, LandBlockInfo) {
            let block = id(&listed["landblock"]).0 << 16;
            (block, load(&cell_file, DatId(block | 0xFFFE)))
        };
        for listed in list(&manifest, "buildings") {
            let (block, info) = info(listed);
            let found = info
                .buildings
                .iter()
                .find(|building| building.frame.origin.to_vec() == floats(&listed["origin"]));
            let building = found.unwrap();
            assert_eq!(building.model, id(&listed["model"]));
            let portals: Vec<_> = building
                .portals
                .iter()
                .map(|p| (block | u32::from(p.other_cell), i64::from(p.other_portal)))
                .collect();
            let expected: Vec<_> = list(listed, "portals")
                .iter()
                .map(|p| (id(&p["cell"]).0, p["portal"].as_i64().unwrap()))
                .collect();
            assert_eq!(portals, expected, "{world}");
        }
        for listed in list(&manifest, "static_objects") {
            let (_, info) = info(listed);
            let found =
                info.objects.iter().find(|object| object.frame.origin.to_vec() == floats(&listed["origin"]));
            assert_eq!(found.unwrap().model, id(&listed["id"]));
        }
    }
}

#[test]
fn setups_and_models_are_those_of_the_manifests() {
    for world in WORLDS {
        let manifest = manifest(world);
        let portal = open(world, "client_portal.dat");
        for (key, listed) in manifest["setups"].as_object().unwrap() {
            let setup: Setup = load(&portal, key.parse().unwrap());
            assert_eq!(setup.parts, list(listed, "parts").iter().map(id).collect::<Vec<_>>());
            let shapes: Vec<Vec<f32>> =
                setup.spheres.iter().map(|s| [&s.center[..], &[s.radius]].concat()).collect();
            assert_eq!(shapes, list(listed, "spheres").iter().map(floats).collect::<Vec<_>>());
            let shapes: Vec<Vec<f32>> =
                setup.cylinders.iter().map(|c| [&c.low[..], &[c.radius, c.height]].concat()).collect();
            assert_eq!(shapes, list(listed, "cylspheres").iter().map(floats).collect::<Vec<_>>());
            for (measure, name) in [
                (setup.height, "height"),
                (setup.radius, "radius"),
                (setup.step_up, "step_up"),
                (setup.step_down, "step_down"),
            ] {
                assert_eq!(measure, listed[name].as_f64().unwrap() as f32, "{world} {key} {name}");
            }
        }
        for (key, listed) in manifest["gfxobjs"].as_object().unwrap() {
            let model: GfxObj = load(&portal, key.parse().unwrap());
            let counts = [&model.physics, &model.drawing]
                .map(|part| part.as_ref().map_or(0, |tree| tree.polygons.len()));
            assert_eq!(counts[0] as u64, listed["physics_polygons"].as_u64().unwrap(), "{world} {key}");
            assert_eq!(counts[1] as u64, listed["polygons"].as_u64().unwrap(), "{world} {key}");
            let portals = model.drawing.map_or(0, |tree| tree.bsp.portals.len());
            assert_eq!(portals as u64, listed["portals"].as_u64().unwrap(), "{world} {key}");
        }
    }
}
