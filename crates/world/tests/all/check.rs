//! Lints find every defect that is put into a good world, and nothing in the good worlds.

use crate::common;
use common::{copy, edit};
use glam::Vec3;
use proptest::{prelude::*, sample::Index};
use std::{collections::BTreeSet, sync::Arc};
use threshold_dat::{
    DatId, IdScheme, Mode,
    records::{
        BspNode, EnvCell, Environment, Frame, GfxObj, LandBlock, LandBlockInfo, PlacedObject, Record, Setup,
        Vertex,
    },
};
use threshold_world::{
    BlockId, CellId, Library, block_ids,
    check::{Finding, Lint, Severity, check_block, check_shape, shapes_of_block},
    source::{MemorySource, Source},
};

/// The main room of the cottage.
const MAIN: u32 = 0xA9B4_0101;
const VESTIBULE: u32 = 0xA9B4_0100;
const INFO: u32 = 0xA9B4_FFFE;
/// The Environment of the cottage's rooms; structure 1 is the main room.
const ROOMS: u32 = 0x0D00_0001;
const SHELL: u32 = 0x0100_0200;

fn check(source: MemorySource) -> Vec<Finding> {
    let library = Library::new(Arc::new(source));
    let mut findings = Vec::new();
    for id in library.source().ids(IdScheme::Portal, DatId(0)..=DatId(u32::MAX)).unwrap().ids {
        findings.extend(check_shape(&library, id).unwrap());
    }
    for id in block_ids(&**library.source()).unwrap().0 {
        findings.extend(check_block(&library, id).unwrap());
    }
    findings
}

#[test]
fn good_worlds_are_clean() {
    for world in ["cottage", "dungeon", "plains", "seam"] {
        assert_eq!(check(copy(world)), [], "{world}");
    }
}

/// Its rooms are awkward, but every record of it means what it says; only the two pairs of rooms whose openings are
/// meant to differ get a note.
#[test]
fn the_hostile_world_gets_notes_for_its_inexact_openings_only() {
    let findings = check(copy("hostile"));
    assert!(findings.iter().all(|f| f.lint == Lint::InexactPortal && f.lint.severity() == Severity::Note));
    let cells: Vec<u32> = findings.iter().map(|f| f.id.0).collect();
    assert_eq!(cells, [0xA9B4_0114, 0xA9B4_0115, 0xA9B4_0116, 0xA9B4_0117]);
}

/// Puts a defect into the cottage and expects exactly these findings (text as part of what is said).
#[track_caller]
fn expect(defect: impl FnOnce(&mut MemorySource), expected: &[(u32, Lint, &str)]) {
    let mut source = copy("cottage");
    defect(&mut source);
    let findings = check(source);
    assert_eq!(findings.len(), expected.len(), "{findings:#?}");
    for (id, lint, text) in expected {
        let found = findings.iter().any(|f| f.id == DatId(*id) && f.lint == *lint && f.what.contains(text));
        assert!(found, "{lint} of {} with `{text}` among {findings:#?}", DatId(*id));
    }
}

fn cell(id: u32, change: impl FnOnce(&mut EnvCell)) -> impl FnOnce(&mut MemorySource) {
    move |source| edit(source, IdScheme::Cell, id, change)
}

fn info(change: impl FnOnce(&mut LandBlockInfo)) -> impl FnOnce(&mut MemorySource) {
    move |source| edit(source, IdScheme::Cell, INFO, change)
}

fn rooms(change: impl FnOnce(&mut Environment)) -> impl FnOnce(&mut MemorySource) {
    move |source| edit(source, IdScheme::Portal, ROOMS, change)
}

/// Index of the main room's portal to another cell.
fn portal_to(cell: &EnvCell, low: u16) -> usize {
    cell.portals.iter().position(|portal| portal.other_cell == low).unwrap()
}

#[test]
fn unreadable_and_missing_records() {
    expect(
        |source| source.insert(IdScheme::Cell, DatId(MAIN), vec![0; 7]),
        &[
            (MAIN, Lint::UnreadableRecord, "at byte"),
            (VESTIBULE, Lint::PortalTarget, "which does not exist"),
            (VESTIBULE, Lint::VisibleCell, "0xA9B40101"),
        ]
        .into_iter()
        .chain(aftermath_of_losing_main())
        .collect::<Vec<_>>(),
    );
    expect(
        |source| drop(source.remove(IdScheme::Cell, DatId(0xA9B4_FFFF))),
        &[(0xA9B4_FFFF, Lint::MissingRecord, "no terrain")],
    );
    expect(
        cell(MAIN, |cell| cell.structure = 88),
        &[(MAIN, Lint::MissingRecord, "structure 88 of 0x0D000001")],
    );
    expect(
        info(|info| info.objects[0].model = DatId(0x0200_7777)),
        &[(INFO, Lint::MissingRecord, "object 0: model 0x02007777")],
    );
    expect(
        |source| {
            edit(source, IdScheme::Portal, 0x0200_0001, |setup: &mut Setup| {
                setup.parts = vec![DatId(0x0100_7777)]
            })
        },
        &[(0x0200_0001, Lint::MissingRecord, "part 0x01007777")],
    );
}

/// Every other record of the first cottage that names the main room.
fn aftermath_of_losing_main() -> Vec<(u32, Lint, &'static str)> {
    let mut expected = vec![
        (INFO, Lint::PortalTarget, "building 0, portal 1 leads to 0xA9B40101"),
        (INFO, Lint::VisibleCell, "building 0, portal 0"),
        (INFO, Lint::VisibleCell, "building 0, portal 1"),
        (INFO, Lint::VisibleCell, "building 0, portal 2"),
    ];
    for low in 0x102..=0x10A {
        expected.push((0xA9B4_0000 | low, Lint::VisibleCell, "0xA9B40101"));
    }
    for low in [0x102, 0x104] {
        expected.push((0xA9B4_0000 | low, Lint::PortalTarget, "0xA9B40101"));
    }
    expected
}

#[test]
fn counts_and_seams() {
    expect(info(|info| info.cell_count = 23), &[(INFO, Lint::CellCount, "counts 23 cells; 22 exist")]);
    expect(
        |source| {
            edit(source, IdScheme::Cell, 0xA9B3_FFFF, |block: &mut LandBlock| block.heights[4 * 9 + 8] += 1)
        },
        &[(0xA9B3_FFFF, Lint::TerrainSeam, "1 of 9 heights differ from those of 0xA9B4FFFF")],
    );
}

#[test]
fn portals_that_lead_nowhere() {
    expect(
        cell(MAIN, |cell| {
            let portal = portal_to(cell, 0x102);
            cell.portals[portal].other_cell = 0x300;
        }),
        &[
            (MAIN, Lint::PortalTarget, "leads to 0xA9B40300, which does not exist"),
            (0xA9B4_0102, Lint::OneWayPortal, "does not lead back"),
        ],
    );
    expect(
        cell(MAIN, |cell| {
            let portal = portal_to(cell, 0x102);
            cell.portals[portal].other_cell = 0x101;
        }),
        &[
            (MAIN, Lint::PortalTarget, "its own cell"),
            (0xA9B4_0102, Lint::OneWayPortal, "does not lead back"),
        ],
    );
}

#[test]
fn portals_without_their_counterpart() {
    expect(
        cell(MAIN, |cell| {
            let portal = portal_to(cell, 0x102);
            cell.portals[portal].other_portal = -1;
        }),
        &[
            (MAIN, Lint::OneWayPortal, "without naming a portal"),
            (0xA9B4_0102, Lint::OneWayPortal, "does not lead back"),
        ],
    );
    expect(
        cell(MAIN, |cell| {
            let portal = portal_to(cell, 0x102);
            cell.portals[portal].other_portal = 9;
        }),
        &[
            (MAIN, Lint::PortalIndex, "names portal 9 of 0xA9B40102"),
            (0xA9B4_0102, Lint::OneWayPortal, "does not lead back"),
        ],
    );
    expect(
        info(|info| info.buildings[0].portals[0].other_portal = 12),
        &[(INFO, Lint::PortalIndex, "building 0, portal 0 names portal 12 of 0xA9B40100")],
    );
    expect(
        info(|info| info.buildings[0].portals[0].other_portal = -1),
        &[(INFO, Lint::OneWayPortal, "nobody can go in")],
    );
}

#[test]
fn openings_that_do_not_coincide() {
    // The whole second cottage but its vestibule stays where it is.
    let moved = |cell: &mut EnvCell| cell.frame.origin[2] += 0.03;
    expect(
        cell(0xA9B4_010B, moved),
        &[
            (0xA9B4_010B, Lint::PortalsApart, "0.030 m apart"),
            (0xA9B4_010C, Lint::PortalsApart, "0.030 m apart"),
            (INFO, Lint::PortalsApart, "building 1, portal 0"),
        ],
    );
    expect(cell(0xA9B4_010B, |cell| cell.frame.origin[2] += 0.01), &[]);
}

#[test]
fn portal_polygons_of_a_bad_shape() {
    let main_polygon = |source: &MemorySource| {
        let bytes = source.record(IdScheme::Cell, DatId(MAIN)).unwrap().unwrap();
        let cell = <EnvCell as threshold_dat::records::DatRecord>::load(DatId(MAIN), &bytes).unwrap();
        cell.portals[portal_to(&cell, 0x102)].polygon
    };
    expect(
        cell(MAIN, |cell| {
            let portal = portal_to(cell, 0x102);
            cell.portals[portal].polygon = 500;
        }),
        &[(MAIN, Lint::PortalPolygon, "polygon 500 does not exist")],
    );
    // Moves a corner of the opening to `move_to` (given the four corners) and tells what is said of the polygon.
    let reshaped = |move_to: fn([Vec3; 4]) -> Vec3| {
        let mut source = copy("cottage");
        let id = main_polygon(&source);
        rooms(|rooms| {
            let structure = &mut rooms.structures.iter_mut().find(|(key, _)| *key == 1).unwrap().1;
            let polygon = &mut structure.polygons.iter_mut().find(|(key, _)| *key == id).unwrap().1;
            let corner = |i: usize| Vec3::from(structure.vertices.get(polygon.vertices[i]).unwrap().origin);
            let vertex = Vertex {
                origin: move_to([0, 1, 2, 3].map(corner)).into(),
                normal: [0.0, 0.0, 1.0],
                uvs: Vec::new(),
            };
            polygon.vertices[0] = structure.vertices.vertices.len() as u16;
            structure.vertices.vertices.push((polygon.vertices[0], vertex));
        })(&mut source);
        let findings = check(source);
        let said: Vec<String> = findings
            .iter()
            .filter(|f| f.lint == Lint::PortalPolygon && f.id == DatId(MAIN))
            .map(|f| f.what.clone())
            .collect();
        assert_eq!(said.len(), 1, "{findings:#?}");
        said[0].clone()
    };
    let bent = reshaped(|[a, b, c, _]| a + (b - a).cross(c - b).normalize() * 0.1);
    assert!(bent.contains("is not flat"), "{bent}");
    let notched = reshaped(|[a, _, c, _]| a.lerp(c, 0.7));
    assert!(notched.contains("is not convex"), "{notched}");
}

#[test]
fn portals_on_the_wrong_side() {
    expect(
        cell(MAIN, |cell| {
            let portal = portal_to(cell, 0x102);
            cell.portals[portal].flags.0 ^= 2;
        }),
        &[(MAIN, Lint::PortalSide, "wrong side")],
    );
    expect(
        info(|info| info.buildings[0].portals[0].flags.0 ^= 2),
        &[(INFO, Lint::PortalSide, "building 0, portal 0")],
    );
}

#[test]
fn exits_that_nobody_can_enter_by() {
    expect(
        info(|info| drop(info.buildings.remove(0))),
        &[
            (VESTIBULE, Lint::ExitWithoutBuilding, "no building of the block"),
            (MAIN, Lint::ExitWithoutBuilding, "no building of the block"),
            (0xA9B4_0103, Lint::ExitWithoutBuilding, "no building of the block"),
        ],
    );
    expect(
        cell(VESTIBULE, |cell| cell.portals.iter_mut().filter(|p| p.is_exit()).for_each(|p| p.flags.0 &= !4)),
        &[(VESTIBULE, Lint::ExitMark, "names cell 0xffff")],
    );
    expect(cell(VESTIBULE, |cell| cell.flags &= !1), &[(VESTIBULE, Lint::NotSeenOutside, "")]);
}

#[test]
fn visible_lists() {
    expect(
        cell(MAIN, |cell| cell.visible_cells.push(0x999)),
        &[(MAIN, Lint::VisibleCell, "visible cell 0xA9B40999 does not exist")],
    );
    expect(
        cell(MAIN, |cell| cell.visible_cells.retain(|&low| low != 0x102)),
        &[(MAIN, Lint::HiddenNeighbour, "leads to 0xA9B40102")],
    );
}

#[test]
fn cells_that_cannot_be_reached() {
    expect(
        |source| {
            let island = EnvCell { environment: 1, structure: 1, ..EnvCell::default() };
            source.insert_record(IdScheme::Cell, DatId(0xA9B4_0116), &island).unwrap();
            edit(source, IdScheme::Cell, INFO, |info: &mut LandBlockInfo| info.cell_count += 1);
        },
        &[(0xA9B4_0116, Lint::UnreachableCell, "no portal of another cell")],
    );
}

#[test]
fn objects_in_the_wrong_place() {
    let main_room = Frame { origin: [84.0, 84.0, 20.5], ..Frame::IDENTITY };
    let object = |frame| PlacedObject { model: DatId(0x0200_0001), frame };
    let library = Library::new(Arc::new(copy("cottage")));
    let block = threshold_world::load_block(&library, BlockId(0xA9B4)).unwrap().block;
    let home =
        block.env_cells.iter().flatten().find(|cell| cell.contains(main_room.origin.into())).unwrap().id();
    let wrong = if home == CellId(MAIN) { 0xA9B4_0107 } else { MAIN };
    expect(
        cell(wrong, |cell| cell.statics.push(object(main_room))),
        &[(wrong, Lint::StaticInWrongCell, &format!("stands in {home}"))],
    );
    expect(cell(home.0, |cell| cell.statics.push(object(main_room))), &[]);
    let far = Frame { origin: [84.0, 84.0, 300.0], ..Frame::IDENTITY };
    expect(
        cell(MAIN, |cell| cell.statics.push(object(far))),
        &[(MAIN, Lint::StaticInWrongCell, "stands outside the cell")],
    );
    let distant = Frame { origin: [84.0, 900.0, 20.0], ..Frame::IDENTITY };
    expect(
        info(|info| info.objects.push(object(distant))),
        &[(INFO, Lint::StaticInWrongCell, "more than a block away")],
    );
    let nowhere = Frame { origin: [f32::NAN, 0.0, 0.0], ..Frame::IDENTITY };
    expect(info(|info| info.objects.push(object(nowhere))), &[(INFO, Lint::NoPlace, "NaN")]);
}

#[test]
fn buildings_in_the_wrong_place() {
    let tower = |origin| threshold_dat::records::Building {
        model: DatId(0x0100_0110),
        frame: Frame { origin, ..Frame::IDENTITY },
        leaf_count: 0,
        portals: Vec::new(),
    };
    expect(
        info(|info| info.buildings.push(tower([90.0, 90.0, 20.0]))),
        &[(INFO, Lint::BuildingInWrongCell, "has a building already")],
    );
    expect(
        info(|info| info.buildings.push(tower([10.0, 195.0, 20.0]))),
        &[(INFO, Lint::BuildingInWrongCell, "stands outside its block")],
    );
    expect(
        info(|info| info.buildings[0].portals.truncate(2)),
        &[
            (INFO, Lint::ShellOpening, "the shell 0x01000200 opens portal 2 of 2"),
            (0xA9B4_0103, Lint::ExitWithoutBuilding, ""),
        ],
    );
}

#[test]
fn shells_without_openings() {
    let mut source = copy("cottage");
    edit(&mut source, IdScheme::Portal, SHELL, |shell: &mut GfxObj| {
        shell.drawing.as_mut().unwrap().bsp.portals.iter_mut().for_each(|pair| pair.portal = 0);
    });
    let findings = check(source);
    // Portal 0 now has the polygons of all three; the other two have none.
    let closed: BTreeSet<&str> =
        findings.iter().filter(|f| f.lint == Lint::ShellOpening).map(|f| f.what.as_str()).collect();
    assert_eq!(closed.len(), 4, "{findings:#?}");
}

#[test]
fn broken_trees() {
    // A polygon is taken out of one leaf; both cottages share the structure, but the record is named once.
    expect(
        rooms(|rooms| {
            let tree = &mut rooms.structures.iter_mut().find(|(key, _)| *key == 1).unwrap().1.physics_bsp;
            let leaf = tree.nodes.iter_mut().find_map(|node| match node {
                BspNode::Leaf(leaf) if leaf.polygons.len > 0 => Some(leaf),
                _ => None,
            });
            leaf.unwrap().polygons.len = 0;
        }),
        &[(ROOMS, Lint::BrokenTree, "structure 1: polygon")],
    );
    let mut source = copy("cottage");
    rooms(|rooms| {
        for node in &mut rooms.structures[0].1.physics_bsp.nodes {
            if let BspNode::Inner(inner) = node {
                inner.sphere.radius *= 0.5;
            }
        }
    })(&mut source);
    let findings = check(source);
    assert!(!findings.is_empty());
    assert!(
        findings.iter().all(|f| f.lint == Lint::BrokenTree && f.what.contains("out of its sphere")),
        "{findings:#?}"
    );

    let mut source = copy("cottage");
    rooms(|rooms| rooms.structures[0].1.physics_bsp.polygons[0] = 9999)(&mut source);
    let findings = check(source);
    assert!(findings.iter().any(|f| f.lint == Lint::BrokenTree && f.what.contains("names polygon 9999")));
}

#[test]
fn cell_trees_that_do_not_enclose_the_cell() {
    let mut source = copy("cottage");
    rooms(|rooms| {
        let structure = &mut rooms.structures.iter_mut().find(|(key, _)| *key == 1).unwrap().1;
        let Some(BspNode::Inner(inner)) = structure.cell_bsp.nodes.first_mut() else {
            panic!("a chain of planes")
        };
        inner.plane.d -= 0.5;
    })(&mut source);
    let findings = check(source);
    assert!(!findings.is_empty());
    assert!(findings.iter().all(|f| f.lint == Lint::CellVolume), "{findings:#?}");
}

#[test]
fn rotations_that_stretch() {
    expect(
        cell(MAIN, |cell| cell.frame.rotation = [2.0, 0.0, 0.0, 0.0]),
        &[(MAIN, Lint::NonUnitRotation, "the rotation of the cell has length 2.0000")],
    );
    expect(
        info(|info| info.buildings[1].frame.rotation.iter_mut().for_each(|v| *v *= 1.1)),
        &[(INFO, Lint::NonUnitRotation, "building 1")],
    );
}

#[test]
fn a_block_names_the_shapes_it_uses() {
    let library = Library::new(Arc::new(copy("cottage")));
    let shapes = shapes_of_block(&library, BlockId(0xA9B4)).unwrap();
    assert!(shapes.contains(&DatId(ROOMS)) && shapes.contains(&DatId(SHELL)));
    assert!(shapes_of_block(&library, BlockId(0xA9B3)).unwrap().is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Lints look at damaged data by trade: nothing may stop them, and a record that is lost is named.
    #[test]
    fn damaged_records_are_named(which in any::<Index>(), at in any::<Index>(), value: u8, cut: bool) {
        let mut source = copy("cottage");
        let ids: Vec<(IdScheme, DatId)> = [IdScheme::Cell, IdScheme::Portal]
            .into_iter()
            .flat_map(|scheme| source.ids(scheme, DatId(0)..=DatId(u32::MAX)).unwrap().ids.into_iter().map(move |id| (scheme, id)))
            .filter(|(_, id)| *id != DatId::ITERATION)
            .filter(|(scheme, id)| *scheme == IdScheme::Cell || matches!(id.0 >> 24, 0x01 | 0x02 | 0x0D))
            .collect();
        let (scheme, id) = *which.get(&ids);
        let mut bytes = source.remove(scheme, id).unwrap();
        let at = at.index(bytes.len());
        if cut { bytes.truncate(at) } else { bytes[at] = value }
        source.insert(scheme, id, bytes.clone());
        let findings = check(source);
        let is_lost = Record::decode(id, id.kind(scheme), &bytes, Mode::Lenient).is_err();
        prop_assert!(!is_lost || findings.iter().any(|f| f.id == id && f.lint == Lint::UnreadableRecord), "{id}");
    }
}
