//! The sample world as a whole.

use std::{
    collections::BTreeSet,
    sync::{Arc, OnceLock},
};
use threshold_dat::{
    DatId, IdScheme, Mode,
    container::{DatFile, Sight},
    records::{PixelFormat, Record, Surface},
};
use threshold_sample::SampleWorld;
use threshold_world::{
    BlockId, CellId, Library, World,
    check::{check_block, check_shape},
    load_all,
    placed::{ObjectKind, PlaceKind},
    source::{DatSource, Source},
};

fn sample() -> &'static SampleWorld {
    static WORLD: OnceLock<SampleWorld> = OnceLock::new();
    WORLD.get_or_init(|| threshold_sample::build().unwrap())
}

fn source() -> DatSource {
    let file = |bytes: &Vec<u8>| DatFile::from_bytes(bytes.clone()).unwrap();
    DatSource::new(file(&sample().portal), file(&sample().cell)).unwrap()
}

fn world() -> World {
    load_all(&Library::new(Arc::new(source()))).unwrap().0
}

#[test]
fn writing_twice_gives_identical_bytes() {
    let (a, b) = (sample(), threshold_sample::build().unwrap());
    assert!(a.portal == b.portal && a.cell == b.cell);
    assert_eq!(a.entities_json(), b.entities_json());
    assert_eq!(a.locations(), b.locations());
}

#[test]
fn records_in_memory_are_those_of_the_files() {
    let (files, memory) = (source(), threshold_sample::build_records().unwrap());
    assert!(memory.entities == sample().entities && memory.places == sample().places);
    for scheme in [IdScheme::Portal, IdScheme::Cell] {
        let ids = |source: &dyn Source| source.ids(scheme, DatId(0)..=DatId(u32::MAX)).unwrap().ids;
        // Only files say how complete they are.
        let is_record = |id: &DatId| *id != DatId::ITERATION;
        let stored: Vec<DatId> = ids(&files).into_iter().filter(is_record).collect();
        assert_eq!(ids(&memory.source), stored);
        for id in stored {
            assert!(memory.source.record(scheme, id).unwrap() == files.record(scheme, id).unwrap(), "{id}");
        }
    }
    assert!(memory.source.record(IdScheme::Portal, DatId(0x0600_FFFF)).unwrap().is_none());
}

#[test]
fn the_containers_have_nothing_to_complain_about() {
    for bytes in [&sample().portal, &sample().cell] {
        let file = DatFile::from_bytes(bytes.clone()).unwrap();
        let sights: Vec<Sight> = file.survey().filter(|s| !matches!(s, Sight::Entry(_))).collect();
        assert!(sights.is_empty(), "{sights:?}");
        assert!(file.entries().count() > 300);
    }
}

#[test]
fn every_record_is_read_strictly_and_without_notes() {
    let source = source();
    for scheme in [IdScheme::Portal, IdScheme::Cell] {
        for id in source.ids(scheme, DatId(0)..=DatId(u32::MAX)).unwrap().ids {
            let bytes = source.record(scheme, id).unwrap().unwrap();
            let decoded = Record::decode(id, id.kind(scheme), &bytes, Mode::Strict).unwrap();
            assert!(decoded.notes.is_empty(), "{id}: {:?}", decoded.notes);
        }
    }
}

#[test]
fn the_lints_of_world_data_find_nothing() {
    let source = source();
    let blocks: BTreeSet<BlockId> = source
        .ids(IdScheme::Cell, DatId(0)..=DatId(0xFFFE_FFFF))
        .unwrap()
        .ids
        .into_iter()
        .map(|id| CellId(id.0).block())
        .collect();
    let shapes = [0x01, 0x02, 0x0D].map(|kind: u32| DatId(kind << 24)..=DatId(kind << 24 | 0xFF_FFFF));
    let shapes: Vec<DatId> =
        shapes.into_iter().flat_map(|range| source.ids(IdScheme::Portal, range).unwrap().ids).collect();
    assert!(blocks.len() >= 25 && shapes.len() > 50);
    let library = Library::new(Arc::new(source));
    for block in blocks {
        let findings = check_block(&library, block).unwrap();
        assert!(findings.is_empty(), "{findings:?}");
    }
    for shape in shapes {
        let findings = check_shape(&library, shape).unwrap();
        assert!(findings.is_empty(), "{findings:?}");
    }
}

#[test]
fn places_and_entities_lie_in_the_cells_they_name() {
    let world = world();
    let places = sample().places.iter().map(|p| (p.name.as_str(), p.position.cell, p.position.frame.origin));
    let entities = sample().entities.iter().map(|e| (e.name.as_str(), e.cell, e.origin.into()));
    for (name, cell, origin) in places.chain(entities) {
        let cell = world.cell(cell).unwrap_or_else(|| panic!("{name}: no cell {cell}"));
        assert!(cell.contains(origin + glam::Vec3::Z * 0.01), "{name} is not in {}", cell.id());
    }
}

#[test]
fn names_are_unique_and_the_gazetteer_has_its_form() {
    let world = sample();
    let names: BTreeSet<&str> = world.places.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names.len(), world.places.len());
    let ids: BTreeSet<u32> = world.entities.iter().map(|e| e.id).collect();
    assert_eq!(ids.len(), world.entities.len());
    for line in world.locations().lines() {
        let fields: Vec<&str> = line.split(" | ").collect();
        assert_eq!(fields.len(), 3, "{line}");
        assert!(fields[2].parse::<threshold_world::Position>().is_ok(), "{line}");
    }
}

#[test]
fn the_world_has_what_it_promises() {
    let all = world();
    let blocks: Vec<BlockId> = all.block_ids().collect();
    let dungeon: Vec<BlockId> = blocks
        .iter()
        .copied()
        .filter(|&id| {
            let block = all.block_data(id).unwrap();
            block.buildings.is_empty() && block.env_cells.len() >= 150
        })
        .collect();
    assert_eq!(dungeon.len(), 1);
    let block = all.block_data(dungeon[0]).unwrap();
    assert!((0..81).all(|sample| block.terrain.height(sample) == 0.0));
    let outside = |v: f32| !(0.0..192.0).contains(&v);
    let cells = || block.env_cells.iter().flatten();
    assert!(cells().any(|c| outside(c.position.frame.origin.x) && outside(c.position.frame.origin.y)));
    assert!(cells().all(|c| !c.seen_outside));
    let buildings: usize = blocks.iter().map(|&id| all.block_data(id).unwrap().buildings.len()).sum();
    assert!(buildings >= 7);
    for kind in
        [ObjectKind::Door, ObjectKind::Chest, ObjectKind::Sign, ObjectKind::Creature, ObjectKind::Portal]
    {
        assert!(sample().entities.iter().any(|e| e.kind == kind), "{kind:?}");
    }
    for kind in [PlaceKind::Outdoors, PlaceKind::Interior, PlaceKind::Dungeon] {
        assert!(sample().places.iter().any(|p| p.kind == kind), "{kind:?}");
    }
}

#[test]
fn many_pixel_formats_and_kinds_of_surfaces_are_in_use() {
    let source = source();
    let mut formats = BTreeSet::new();
    let mut flags = 0;
    let (mut translucent, mut luminous) = (false, false);
    for id in source.ids(IdScheme::Portal, DatId(0)..=DatId(u32::MAX)).unwrap().ids {
        let bytes = source.record(IdScheme::Portal, id).unwrap().unwrap();
        match Record::decode(id, id.kind(IdScheme::Portal), &bytes, Mode::Strict).unwrap().value {
            Record::RenderSurface(surface) => {
                formats.insert(surface.format.0);
            }
            Record::Surface(surface) => {
                flags |= surface.flags;
                translucent |= surface.translucency > 0.0;
                luminous |= surface.luminosity > 0.0;
            }
            _ => {}
        }
    }
    for format in [
        PixelFormat::R8G8B8,
        PixelFormat::A8R8G8B8,
        PixelFormat::X8R8G8B8,
        PixelFormat::R5G6B5,
        PixelFormat::A4R4G4B4,
        PixelFormat::A8,
        PixelFormat::P8,
        PixelFormat::INDEX16,
        PixelFormat::LSCAPE_R8G8B8,
        PixelFormat::LSCAPE_ALPHA,
        PixelFormat::DXT1,
        PixelFormat::DXT5,
    ] {
        assert!(formats.contains(&format.0), "{format}");
    }
    let all = Surface::BASE_SOLID
        | Surface::BASE_IMAGE
        | Surface::BASE_CLIP_MAP
        | Surface::ALPHA
        | Surface::ADDITIVE;
    assert_eq!(flags & all, all);
    assert!(translucent && luminous);
}
