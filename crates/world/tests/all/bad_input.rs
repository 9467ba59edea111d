//! Damaged records: the broken piece is left out and named, everything else loads. Spec: dat-cell, bad input.

use crate::common;
use common::{copy, edit, load};
use glam::Vec3;
use proptest::prelude::*;
use std::sync::Arc;
use threshold_dat::{
    DatId, IdScheme,
    container::DatFile,
    records::{EnvCell, Frame, LandBlockInfo, PlacedObject, Setup},
};
use threshold_golden::world_dir;
use threshold_world::{
    BlockId, CellId, Library, Problem, World, block_ids,
    cell::PortalTarget,
    load_block,
    source::{DatSource, MemorySource, Source},
};

const BLOCK: BlockId = BlockId(0xA9B4);
const INFO: u32 = 0xA9B4_FFFE;
/// The main room: portals to the vestibule, the outdoors, the stairwell …
const MAIN: u32 = 0xA9B4_0101;

fn damaged(change: impl FnOnce(&mut MemorySource)) -> (World, Vec<Problem>) {
    let mut source = copy("cottage");
    change(&mut source);
    load(source)
}

fn edited_cell(id: u32, change: impl FnOnce(&mut EnvCell)) -> (World, Vec<Problem>) {
    damaged(|source| edit(source, IdScheme::Cell, id, change))
}

#[track_caller]
fn assert_problems(problems: &[Problem], expected: &[(u32, &str)]) {
    let found: Vec<(DatId, &str)> = problems.iter().map(|p| (p.id, p.what.as_str())).collect();
    let expected: Vec<(DatId, &str)> = expected.iter().map(|(id, what)| (DatId(*id), *what)).collect();
    assert_eq!(found, expected);
}

/// Spec: physics-objects §9.2; taking another pose instead is not what the original does.
#[test]
fn parts_of_a_model_without_a_resting_pose_stay_at_its_origin() {
    let door = DatId(0x0200_0100);
    let frames = |keys: &[i32]| {
        let mut source = copy("cottage");
        edit(&mut source, IdScheme::Portal, door.0, |setup: &mut Setup| {
            let (_, pose) = setup.placements.remove(0);
            setup.placements = keys.iter().map(|&key| (key, pose.clone())).collect();
        });
        let model = Library::new(Arc::new(source)).model(door).unwrap().unwrap();
        model.parts.iter().map(|part| part.frame.origin).collect::<Vec<Vec3>>()
    };
    let resting = frames(&[0]);
    assert!(resting.iter().any(|&origin| origin != Vec3::ZERO));
    assert_eq!(frames(&[1, 0x65]), resting);
    assert_eq!(frames(&[1]), vec![Vec3::ZERO; resting.len()]);
}

fn cell_count(world: &World) -> usize {
    world.block_data(BLOCK).unwrap().env_cells.iter().flatten().count()
}

/// Every pair of portals that refer to each other, by the cells' own numbering.
fn pairs(world: &World) -> usize {
    let block = world.block_data(BLOCK).unwrap();
    let mut pairs = 0;
    for cell in block.env_cells.iter().flatten() {
        for (index, portal) in cell.portals.iter().enumerate() {
            let (PortalTarget::Cell(id), Some(back)) = (portal.target, portal.other_portal) else { continue };
            let Some(other) = world.env_cell(id) else { continue };
            let back = &other.portals[usize::from(back)];
            assert_eq!(back.target, PortalTarget::Cell(cell.id()));
            assert_eq!(back.other_portal, Some(index as u16));
            pairs += 1;
        }
    }
    pairs
}

#[test]
fn a_portal_without_its_polygon_is_left_out_and_the_others_keep_their_partners() {
    let (whole, _) = damaged(|_| {});
    let before = pairs(&whole);
    let (world, problems) = edited_cell(MAIN, |cell| cell.portals[0].polygon = 999);
    assert_problems(
        &problems,
        &[(MAIN, "portal 0 uses polygon 999, which does not exist or has no area; it is left out")],
    );
    let intact = whole.env_cell(CellId(MAIN)).unwrap();
    let room = world.env_cell(CellId(MAIN)).unwrap();
    assert_eq!(room.portals.len(), intact.portals.len() - 1);
    assert_eq!(pairs(&world), before - 2, "only the pair of the lost portal is gone");
    let building = &world.block_data(BLOCK).unwrap().buildings[0];
    let into_main = building.portals.iter().find(|portal| portal.cell == CellId(MAIN)).unwrap();
    assert_eq!(into_main.other_portal, Some(0), "it was portal 1 before");
}

#[test]
fn a_portal_to_a_missing_cell_stays_and_is_closed() {
    let (world, problems) = edited_cell(MAIN, |cell| cell.portals[0].other_cell = 0x777);
    assert_problems(
        &problems,
        &[(MAIN, "a portal leads to 0xA9B40777, which does not exist; it stays closed")],
    );
    let room = world.env_cell(CellId(MAIN)).unwrap();
    assert_eq!(room.portals[0].target, PortalTarget::Cell(CellId(0xA9B4_0777)));
    assert_eq!(room.portals[0].other_portal, None);
}

#[test]
fn a_portal_to_its_own_cell_is_left_out() {
    let (world, problems) = edited_cell(MAIN, |cell| cell.portals[0].other_cell = 0x101);
    assert_problems(&problems, &[(MAIN, "portal 0 leads to its own cell; it is left out")]);
    assert_eq!(pairs(&world), pairs(&damaged(|_| {}).0) - 2);
}

#[test]
fn a_partner_beyond_the_other_cells_portals_counts_as_none() {
    let (world, problems) = edited_cell(MAIN, |cell| cell.portals[0].other_portal = 99);
    assert_eq!(problems, []);
    assert_eq!(world.env_cell(CellId(MAIN)).unwrap().portals[0].other_portal, None);
}

#[test]
fn either_mark_makes_an_exit() {
    let (whole, _) = damaged(|_| {});
    let exits = |world: &World| {
        let room = world.env_cell(CellId(MAIN)).unwrap();
        room.portals.iter().filter(|p| p.target == PortalTarget::Outside).count()
    };
    let (by_number, _) = edited_cell(MAIN, |cell| cell.portals.iter_mut().for_each(|p| p.flags.0 &= !4));
    let (by_flag, _) = edited_cell(MAIN, |cell| {
        for portal in cell.portals.iter_mut().filter(|p| p.is_exit()) {
            portal.other_cell = 0x100;
        }
    });
    assert!(exits(&whole) > 0);
    assert_eq!(exits(&by_number), exits(&whole));
    assert_eq!(exits(&by_flag), exits(&whole));
}

#[test]
fn a_cell_without_its_structure_is_left_out() {
    let (world, problems) = edited_cell(MAIN, |cell| cell.structure = 77);
    assert_problems(&problems, &[(MAIN, "structure 77 of 0x0D000001 does not exist; the cell is left out")]);
    assert!(world.env_cell(CellId(MAIN)).is_none());
    assert_eq!(cell_count(&world), 21);

    let (world, problems) = edited_cell(MAIN, |cell| cell.environment = 0x7777);
    assert_problems(
        &problems,
        &[
            (0x0D00_7777, "Environment is missing"),
            (MAIN, "structure 1 of 0x0D007777 does not exist; the cell is left out"),
        ],
    );
    assert_eq!(cell_count(&world), 21);
}

#[test]
fn lists_of_visible_cells_name_only_cells_that_exist_once() {
    let (world, problems) =
        edited_cell(MAIN, |cell| cell.visible_cells = vec![0x105, 0x101, 0x999, 0x105, 3, 0x100]);
    assert_eq!(problems, []);
    assert_eq!(*world.env_cell(CellId(MAIN)).unwrap().visible_cells, [0x105, 0x100]);
}

#[test]
fn objects_and_buildings_without_a_place_or_model_are_left_out() {
    let nowhere = Frame { origin: [f32::NAN, 0.0, 0.0], ..Frame::IDENTITY };
    let (world, problems) = damaged(|source| {
        edit(source, IdScheme::Cell, INFO, |info: &mut LandBlockInfo| {
            info.objects.push(PlacedObject { model: DatId(0x0200_0001), frame: nowhere });
            info.objects.push(PlacedObject { model: DatId(0x0D00_0010), frame: Frame::IDENTITY });
            info.buildings[0].frame = nowhere;
            info.buildings[1].model = DatId(0x0100_7777);
        });
    });
    let whole = damaged(|_| {}).0;
    let statics = whole.block_data(BLOCK).unwrap().statics.len();
    assert_problems(
        &problems,
        &[
            (0x0100_7777, "GfxObj is missing"),
            (INFO, "building 0 (0x01000200) has an invalid position and is omitted"),
            (INFO, "building 1: its shell 0x01007777 cannot be used"),
            (INFO, &format!("object {statics} (0x02000001) has an invalid position and is omitted")),
            (INFO, &format!("object {}: 0x0D000010 is not a model; it is omitted", statics + 1)),
        ],
    );
    let block = world.block_data(BLOCK).unwrap();
    assert_eq!(block.statics.len(), statics);
    assert_eq!(block.buildings.len(), 1);
    assert!(block.buildings[0].model.is_none() && !block.buildings[0].portals.is_empty());
}

#[test]
fn a_cell_placed_nowhere_is_left_out() {
    let (world, problems) = damaged(|source| {
        let id = DatId(MAIN);
        let mut bytes = source.remove(IdScheme::Cell, id).unwrap();
        let cell = EnvCellLayout::of(&bytes);
        bytes[cell.frame..cell.frame + 4].copy_from_slice(&f32::NAN.to_le_bytes());
        source.insert(IdScheme::Cell, id, bytes);
    });
    assert!(problems.iter().any(|p| p.id == DatId(MAIN) && p.what.starts_with("frame")), "{problems:?}");
    assert!(world.env_cell(CellId(MAIN)).is_none());
    assert_eq!(cell_count(&world), 21);
}

/// Where the fields of a stored cell begin. Spec: dat-cell §4.
struct EnvCellLayout {
    frame: usize,
}

impl EnvCellLayout {
    fn of(bytes: &[u8]) -> EnvCellLayout {
        EnvCellLayout { frame: 16 + 2 * usize::from(bytes[12]) + 4 }
    }
}

#[test]
fn without_an_info_record_the_cells_that_exist_are_loaded() {
    let (world, problems) = damaged(|source| {
        source.remove(IdScheme::Cell, DatId(INFO));
    });
    assert_eq!(problems, []);
    assert_eq!(cell_count(&world), 22);
    assert!(world.block_data(BLOCK).unwrap().buildings.is_empty());
}

#[test]
fn cells_beyond_the_count_do_not_exist_and_missing_ones_are_told() {
    let count = |n: u32| {
        move |source: &mut MemorySource| {
            edit(source, IdScheme::Cell, INFO, |info: &mut LandBlockInfo| info.cell_count = n)
        }
    };
    let (world, problems) = damaged(count(11));
    assert_eq!(cell_count(&world), 11);
    assert!(
        problems
            .iter()
            .any(|p| p.what.contains("building 1, portal 0 leads to 0xA9B4010B, which does not exist"))
    );
    let (world, problems) = damaged(count(30));
    assert_eq!(cell_count(&world), 22);
    assert_problems(&problems, &[(INFO, "30 interior cells are counted, 22 exist")]);
}

#[test]
fn cells_that_exist_are_used_whatever_gaps_are_between_their_numbers() {
    let far = 0xA9B4_0F00;
    let (world, _) = damaged(|source| {
        edit(source, IdScheme::Cell, INFO, |info: &mut LandBlockInfo| info.cell_count = 0xE01);
        let bytes = source.record(IdScheme::Cell, DatId(MAIN)).unwrap().unwrap().into_owned();
        source.insert(IdScheme::Cell, DatId(far), bytes);
    });
    assert_eq!(cell_count(&world), 23);
    let portals = |id: u32| world.env_cell(CellId(id)).map(|cell| cell.portals.len());
    assert_eq!(portals(far), portals(MAIN));
}

#[test]
fn one_cell_with_a_huge_number_costs_no_memory() {
    let (world, problems) = damaged(|source| {
        edit(source, IdScheme::Cell, INFO, |info: &mut LandBlockInfo| info.cell_count = 0xFE00);
        let bytes = source.record(IdScheme::Cell, DatId(MAIN)).unwrap().unwrap().into_owned();
        source.insert(IdScheme::Cell, DatId(0xA9B4_FDFF), bytes);
    });
    assert_eq!(cell_count(&world), 22);
    assert!(world.block_data(BLOCK).unwrap().env_cells.len() < 100);
    assert!(problems.iter().any(|p| p.id == DatId(0xA9B4_FDFF)));
}

#[test]
fn a_block_without_terrain_is_deep_sea() {
    let mut source = copy("cottage");
    source.remove(IdScheme::Cell, DatId(0xA9B4_FFFF));
    let library = Library::new(std::sync::Arc::new(source));
    let loaded = load_block(&library, BLOCK).unwrap();
    assert!(!loaded.has_terrain);
    assert_problems(&loaded.problems, &[(0xA9B4_FFFF, "no usable terrain; a flat deep sea takes its place")]);
    let terrain = &loaded.block.terrain;
    assert_eq!(terrain.ground_at(Vec3::new(100.0, 50.0, 0.0)).unwrap().height, 0.0);
    assert_eq!(terrain.block_water, threshold_world::terrain::WaterClass::Full);
    assert_eq!(loaded.block.env_cells.iter().flatten().count(), 22);
}

#[test]
fn blocks_off_the_map_are_not_enumerated() {
    let mut source = copy("plains");
    let block = source.record(IdScheme::Cell, DatId(0xA9B4_FFFF)).unwrap().unwrap().into_owned();
    source.insert(IdScheme::Cell, DatId(0x12FF_FFFF), block.clone());
    source.insert(IdScheme::Cell, DatId(0xFF12_FFFF), block);
    assert_eq!(block_ids(&source).unwrap().0.len(), 9);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Whatever happens to the bytes of one record, the other blocks and most of this one are there.
    #[test]
    fn damage_to_one_record_stays_there(which in any::<prop::sample::Index>(), at in any::<prop::sample::Index>(), value: u8, cut: bool) {
        let mut source = copy("cottage");
        let ids: Vec<(IdScheme, DatId)> = [IdScheme::Cell, IdScheme::Portal]
            .into_iter()
            .flat_map(|scheme| source.ids(scheme, DatId(0)..=DatId(u32::MAX)).unwrap().ids.into_iter().map(move |id| (scheme, id)))
            .collect();
        let (scheme, id) = *which.get(&ids);
        let mut bytes = source.remove(scheme, id).unwrap();
        prop_assume!(!bytes.is_empty());
        let at = at.index(bytes.len());
        if cut { bytes.truncate(at) } else { bytes[at] = value }
        source.insert(scheme, id, bytes);
        let (world, _) = load(source);
        prop_assert_eq!(world.block_ids().count(), 9);
        if scheme == IdScheme::Cell {
            let lost = 22 - cell_count(&world);
            prop_assert!(lost <= 1 || id == DatId(INFO), "{id}: {lost} cells lost");
        }
    }
}

#[test]
fn swapped_files_are_refused() {
    let open = |name: &str| DatFile::open(world_dir("cottage").join(name)).unwrap();
    let (portal, cell) = ("client_portal.dat", "client_cell_1.dat");
    assert!(DatSource::new(open(portal), open(cell)).is_ok());
    for (first, second, problem) in [
        (cell, portal, "the file given as client_portal.dat is a cell file"),
        (cell, cell, "the file given as client_portal.dat is a cell file"),
        (portal, portal, "the file given as client_cell_1.dat is not a cell file"),
    ] {
        let error = DatSource::new(open(first), open(second)).err().unwrap().to_string();
        assert!(error.contains(problem) && error.contains("seem to be swapped"), "{error}");
    }
}
