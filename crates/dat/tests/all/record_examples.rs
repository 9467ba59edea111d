//! The worked examples of complete records, in both directions, and inputs that must be refused.

use crate::support;
use support::{Example, example, examples};
use threshold_dat::records::*;
use threshold_dat::{DatId, Mode, RecordError, RecordKind};

fn load<T: DatRecord>(number: u32) -> T {
    let example = example(number);
    assert_eq!(example.kind, T::KIND);
    T::load(example.id, &example.bytes).unwrap()
}

#[test]
fn every_example_is_read_without_notes_and_written_back() {
    let examples = examples();
    assert_eq!(examples.len(), 23);
    for Example { number, id, kind, bytes } in examples {
        for mode in [Mode::Strict, Mode::Lenient] {
            let decoded = Record::decode(id, kind, &bytes, mode).unwrap();
            assert!(!matches!(decoded.value, Record::Raw(_)), "example {number}");
            assert!(decoded.trailing.is_empty(), "example {number}");
            assert_eq!(decoded.encode().unwrap(), bytes, "example {number}");
            // A value without any memory of its source.
            assert_eq!(decoded.value.encode(id).unwrap(), bytes, "example {number}");
            if number != 29 {
                assert_eq!(decoded.notes, [], "example {number}");
            }
        }
    }
}

#[test]
fn every_example_is_refused_when_cut_anywhere() {
    for Example { number, id, kind, bytes } in examples() {
        for length in 0..bytes.len() {
            let cut = &bytes[..length];
            let error = Record::decode(id, kind, cut, Mode::Lenient).unwrap_err();
            assert_eq!(error.id, id);
            assert!(error.offset <= length, "example {number} cut to {length}: {error}");
        }
    }
}

#[test]
fn iteration_sets() {
    assert_eq!(load::<Iteration>(28), Iteration::complete(2072));
    assert_eq!(load::<Iteration>(28).current(), 2072);
    assert_eq!(load::<Iteration>(29), Iteration::from_numbers([10, 9, 6, 1, 2, 3, 4, 4]));
    assert_eq!((load::<Iteration>(29).count(), load::<Iteration>(29).current()), (7, 10));
}

#[test]
fn terrain_words() {
    let words = [0x4834, 0x6824].map(TerrainWord);
    assert_eq!(words.map(TerrainWord::road), [0, 0]);
    assert_eq!(words.map(TerrainWord::terrain_type), [13, 9]);
    assert_eq!(words.map(TerrainWord::scenery), [9, 13]);
}

#[test]
fn land_block() {
    let mut expected = LandBlock { has_info: true, ..LandBlock::default() };
    expected.terrain[..2].copy_from_slice(&[TerrainWord(0x4834), TerrainWord(0x6824)]);
    expected.heights[..2].copy_from_slice(&[120, 139]);
    assert_eq!(load::<LandBlock>(35), expected);
}

#[test]
fn land_block_info_with_restrictions() {
    let expected = LandBlockInfo {
        cell_count: 74,
        restrictions: Some(PackedTable { buckets: 8, entries: vec![(0, 0x7526_200C)] }),
        pack_mask: 1,
        ..LandBlockInfo::default()
    };
    assert_eq!(load::<LandBlockInfo>(38), expected);
}

fn at(x: f32, y: f32, z: f32) -> Frame {
    Frame { origin: [x, y, z], ..Frame::IDENTITY }
}

#[test]
fn land_block_info_with_a_building() {
    let expected = LandBlockInfo {
        cell_count: 1,
        objects: vec![PlacedObject { model: DatId(0x0200_0120), frame: at(96.0, 96.0, 10.0) }],
        buildings: vec![Building {
            model: DatId(0x0100_11A9),
            frame: at(48.0, 72.0, 10.0),
            leaf_count: 5,
            portals: vec![BuildingPortal {
                flags: PortalFlags(3),
                other_cell: 0x100,
                other_portal: 1,
                visible_cells: vec![0x100],
            }],
        }],
        ..LandBlockInfo::default()
    };
    assert_eq!(load::<LandBlockInfo>(39), expected);
}

#[test]
fn env_cell() {
    let cell: EnvCell = load(40);
    let expected = EnvCell {
        flags: 1,
        surfaces: vec![0x10C],
        environment: 0x2E6,
        structure: 2,
        frame: at(48.0, 72.0, 10.0),
        portals: vec![
            CellPortal { flags: PortalFlags(3), polygon: 4, other_cell: 0x101, other_portal: 1 },
            CellPortal { flags: PortalFlags(5), polygon: 5, other_cell: 0xFFFF, other_portal: -1 },
        ],
        visible_cells: vec![0x101],
        ..EnvCell::default()
    };
    assert_eq!(cell, expected);
    assert!(cell.seen_outside());
    assert_eq!(cell.surface(0), Some(DatId(0x0800_010C)));
    assert_eq!(cell.environment_id(), DatId(0x0D00_02E6));
    let [inner, exit] = &cell.portals[..] else { panic!() };
    assert!(inner.flags.is_exact() && inner.flags.owner_is_positive() && !inner.is_exit());
    assert!(exit.flags.is_exact() && !exit.flags.owner_is_positive() && exit.is_exit());
}

#[test]
fn env_cell_with_a_static_object() {
    let cell: EnvCell = load(41);
    assert_eq!(cell.statics, [PlacedObject { model: DatId(0x0200_033F), frame: at(77.0, 118.0, 12.0) }]);
    assert_eq!((cell.flags, cell.portals.len(), &cell.visible_cells[..]), (3, 0, &[0x100][..]));
}

#[test]
fn sizes_of_two_retail_cells() {
    let mut cell = EnvCell {
        flags: 3,
        surfaces: vec![0; 16],
        portals: vec![CellPortal { flags: PortalFlags(0), polygon: 0, other_cell: 0, other_portal: 0 }; 2],
        visible_cells: vec![0x100; 13],
        statics: vec![PlacedObject::default(); 4],
        ..EnvCell::default()
    };
    let bytes = cell.encode(DatId(0x7D64_010D)).unwrap();
    assert_eq!(bytes.len(), 254);
    assert_eq!(bytes[122..126], [4, 0, 0, 0]);
    cell.surfaces.truncate(6);
    cell.portals.push(cell.portals[0]);
    cell.visible_cells = vec![0x100; 20];
    cell.statics.clear();
    cell.flags = 0;
    assert_eq!(cell.encode(DatId(0x0002_0102)).unwrap().len(), 124);
}

#[test]
fn gfx_obj() {
    let model: GfxObj = load(52);
    assert_eq!((model.flags, &model.surfaces[..]), (2, &[DatId(0x0800_0219)][..]));
    let corners: Vec<Vec3> = model.vertices.vertices.iter().map(|(_, vertex)| vertex.origin).collect();
    assert_eq!(corners, [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    assert_eq!(model.sort_center, [0.25, 0.25, 0.0]);
    assert_eq!((model.physics, model.degrade), (None, None));
    let drawing = model.drawing.unwrap();
    assert_eq!(drawing.polygons[0].1.vertices, [0, 1, 2]);
    assert_eq!((drawing.bsp.nodes.len(), &drawing.bsp.polygons[..]), (1, &[0][..]));
}

#[test]
fn environment() {
    let environment: Environment = load(53);
    let room = environment.structure(0).unwrap();
    assert_eq!(environment.structure(1), None);
    assert_eq!(room.polygons.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(room.portals, [1]);
    assert_eq!(room.cell_bsp.nodes.len(), 2);
    assert_eq!(room.physics_polygons.len(), 1);
    assert_eq!(room.physics_bsp, BspTree::leaf(BspLeaf::default()));
    assert_eq!(room.drawing_bsp, None);
    assert_eq!(room.vertices.get(2).unwrap().origin, [10.0, 10.0, 0.0]);
}

#[test]
fn surfaces() {
    let solid: Surface = load(54);
    assert_eq!(solid.base, SurfaceBase::Solid(Color { alpha: 255, red: 111, green: 57, blue: 22 }));
    assert_eq!((solid.translucency, solid.luminosity, solid.diffuse), (0.0, 0.0, 1.0));
    let image: Surface = load(55);
    assert_eq!(image.base, SurfaceBase::Image { texture: DatId(0x0500_1A9A), palette: DatId(0) });
    assert!((image.diffuse - 0.800_781).abs() < 1e-6);
}

#[test]
fn textures() {
    let texture: SurfaceTexture = load(56);
    assert_eq!((texture.category, texture.texture_type), (0, 2));
    assert_eq!(texture.levels, [0x0600_3E7D, 0x0600_3E7E].map(DatId));
    let plain: RenderSurface = load(57);
    assert_eq!((plain.width, plain.height, plain.format), (2, 1, PixelFormat::A8R8G8B8));
    assert_eq!(plain.pixels.0, [0x30, 0x20, 0x10, 0xFF, 0, 0, 0xFF, 0x80]);
    assert_eq!(plain.palette, None);
    let indexed: RenderSurface = load(58);
    assert_eq!((indexed.category, indexed.format), (4, PixelFormat::INDEX16));
    assert_eq!(indexed.palette, Some(DatId(0x0400_007E)));
}

#[test]
fn palettes() {
    let palette: Palette = load(59);
    assert_eq!(palette.colors.iter().map(Color::to_string).collect::<Vec<_>>(), ["#FF000000", "#FF6F3916"]);
    let set: PaletteSet = load(60);
    let [first, second] = [DatId(0x0400_0001), DatId(0x0400_0002)];
    assert_eq!(set.choose(0.5), Some(first));
    assert_eq!(set.choose(0.51), Some(second));
    assert_eq!(set.choose(1.0), Some(second));
    assert_eq!(PaletteSet::default().choose(0.5), None);
}

#[test]
fn animation() {
    let animation: Animation = load(61);
    assert_eq!(animation.root_frames, Some(vec![at(0.0, 0.5, 0.0)]));
    let [frame] = &animation.frames[..] else { panic!() };
    assert_eq!(frame.parts, [at(0.0, 0.0, 1.0)]);
    let action = HookAction::Sound { wave: DatId(0x0A00_0262) };
    assert_eq!(frame.hooks, [Hook { direction: 0, action }]);
}

#[test]
fn degrade_info() {
    let info: DegradeInfo = load(65);
    let distances = info.levels.iter().map(|l| [l.min_distance, l.ideal_distance, l.max_distance]);
    assert_eq!(distances.collect::<Vec<_>>(), [[0.0, 5.0, 20.0], [20.0, 40.0, 192.0]]);
    assert_eq!(info.levels[1].model, DatId(0));
}

#[test]
fn setup() {
    let setup: Setup = load(66);
    assert_eq!(setup.parts, [DatId(0x0100_0001)]);
    assert_eq!(setup.placement().unwrap().parts, [Frame::IDENTITY]);
    assert_eq!(setup.spheres, [Sphere { center: [0.0, 0.0, 0.5], radius: 0.5 }]);
    assert_eq!([setup.height, setup.radius, setup.step_up, setup.step_down], [1.0, 0.5, 0.25, 0.25]);
    assert_eq!(setup.sorting_sphere, Sphere { center: [0.0, 0.0, 0.5], radius: 0.6 });
    assert_eq!((setup.selection_sphere, setup.defaults), (setup.sorting_sphere, SetupDefaults::default()));
    assert_eq!(setup.part_scale(0), [1.0; 3]);
}

#[test]
fn sounds() {
    let table: SoundTable = load(67);
    assert_eq!((table.root.key, table.root.sounds.len()), (0, 1));
    let [child] = &table.root.children[..] else { panic!() };
    let sound = Sound { wave: DatId(0x0A00_0262), priority: 0.7, probability: 1.0, volume: 1.0 };
    assert_eq!((child.key, &child.sounds[..]), (5, &[sound][..]));
    let wave: Wave = load(68);
    let format = wave.format().unwrap();
    assert_eq!((format.tag, format.channels, format.rate, format.bits), (1, 1, 22050, 16));
    assert!(format.is_playable());
    assert_eq!(wave.data.0, [0, 0, 0xFF, 0x7F]);
}

#[test]
fn scripts() {
    let script: PhysicsScript = load(69);
    let action = HookAction::CallScript { script: DatId(0x3300_0002), pause: 1.5 };
    assert_eq!(script.steps, [ScriptStep { start: 0.5, hook: Hook { direction: 0, action } }]);
    let table: PhysicsScriptTable = load(70);
    assert_eq!(table.choose(4, 0.5), Some(DatId(0x3300_0001)));
    assert_eq!(table.choose(4, 0.6), Some(DatId(0x3300_0002)));
    assert_eq!(table.choose(4, 1.5), None);
    assert_eq!(table.choose(5, 0.5), None);
}

/// The error for an example with some bytes replaced.
fn refusal(number: u32, offset: usize, bytes: &[u8], mode: Mode) -> RecordError {
    let mut example = example(number);
    example.bytes[offset..offset + bytes.len()].copy_from_slice(bytes);
    Record::decode(example.id, example.kind, &example.bytes, mode).unwrap_err()
}

#[test]
fn a_cell_cut_in_its_frame_is_refused() {
    let Example { id, bytes, .. } = example(40);
    let error = EnvCell::load(id, &bytes[..40]).unwrap_err();
    assert_eq!((error.id, error.field), (id, "counts"));
}

#[test]
fn a_rotation_of_length_zero_is_repaired_and_kept() {
    let Example { id, mut bytes, .. } = example(40);
    bytes[34..50].fill(0);
    let decoded = EnvCell::decode(id, &bytes, Mode::Lenient).unwrap();
    assert_eq!(decoded.value.frame.orientation(), [1.0, 0.0, 0.0, 0.0]);
    assert_eq!(decoded.notes.len(), 1);
    assert_eq!((decoded.notes[0].severity, decoded.notes[0].offset), (Severity::Repair, 34));
    assert_eq!(decoded.encode().unwrap(), bytes);
    assert_eq!(EnvCell::decode(id, &bytes, Mode::Strict).unwrap_err().offset, 34);
}

#[test]
fn a_place_that_is_no_number_is_refused() {
    let error = refusal(40, 22, &[0, 0, 0xC0, 0x7F], Mode::Lenient);
    assert_eq!((error.field, error.offset), ("frame", 22));
}

#[test]
fn a_static_object_without_a_place_leaves_the_others() {
    let Example { id, mut bytes, .. } = example(41);
    bytes[60..64].copy_from_slice(&[0, 0, 0x80, 0x7F]);
    let decoded = EnvCell::decode(id, &bytes, Mode::Lenient).unwrap();
    assert!(!decoded.value.statics[0].frame.is_placed());
    assert_eq!(decoded.notes[0].severity, Severity::Repair);
    assert_eq!(decoded.encode().unwrap(), bytes);
}

#[test]
fn counts_beyond_the_record_are_refused_before_anything_is_allocated() {
    let error = refusal(39, 8, &0x1000_0000_u32.to_le_bytes(), Mode::Lenient);
    assert_eq!((error.field, error.offset), ("objects", 8));
    let mut animation = DatId(0x0300_0001).0.to_le_bytes().to_vec();
    animation.extend([0, 0, 0, 0]);
    animation.extend([0xFF; 8]);
    let error = Animation::load(DatId(0x0300_0001), &animation).unwrap_err();
    assert_eq!(error.field, "animation counts");
}

#[test]
fn a_polygon_with_an_unknown_vertex_cannot_be_used_but_is_kept() {
    let Example { id, mut bytes, .. } = example(53);
    // The second vertex key of polygon 0.
    assert_eq!(bytes[190..192], [1, 0]);
    bytes[190] = 99;
    let decoded = Environment::decode(id, &bytes, Mode::Lenient).unwrap();
    let (_, structure) = &decoded.value.structures[0];
    assert_eq!(structure.polygons[0].1.vertices, [0, 99, 2, 3]);
    assert!(structure.vertices.get(99).is_none());
    assert_eq!(decoded.notes[0].severity, Severity::Repair);
    assert_eq!(decoded.encode().unwrap(), bytes);
    assert_eq!(Environment::decode(id, &bytes, Mode::Strict).unwrap_err().field, "polygon");
}

#[test]
fn pictures_without_size_are_refused() {
    for size in [[0, 0], [-1, 1], [1, 8193]] {
        let bytes: Vec<u8> = size.iter().flat_map(|side: &i32| side.to_le_bytes()).collect();
        assert_eq!(refusal(57, 8, &bytes, Mode::Lenient).field, "width and height");
    }
}

#[test]
fn a_region_of_another_version_is_refused() {
    let id = DatId(0x1300_0000);
    let mut bytes = Region { number: 1, name: "Dereth".into(), ..Region::default() }.encode(id).unwrap();
    assert!(Region::decode(id, &bytes, Mode::Strict).is_ok());
    bytes[8] = 2;
    let error = Region::load(id, &bytes).unwrap_err();
    assert_eq!((error.field, error.offset), ("version", 8));
}

#[test]
fn sounds_that_nest_too_deep_are_refused() {
    let id = DatId(0x2000_0001);
    let mut bytes = id.0.to_le_bytes().to_vec();
    for _ in 0..1000 {
        bytes.extend([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]);
    }
    let error = SoundTable::load(id, &bytes).unwrap_err();
    assert_eq!((error.field, error.offset), ("sound node", 4 + 16 * 12));
}

#[test]
fn the_directory_decides_which_cell_a_record_is() {
    let Example { bytes, .. } = example(40);
    let other = DatId(0x0102_0177);
    let decoded = EnvCell::decode(other, &bytes, Mode::Lenient).unwrap();
    assert_eq!(decoded.notes.iter().map(|note| note.severity).collect::<Vec<_>>(), [Severity::Repair; 2]);
    assert_eq!(decoded.encode().unwrap(), bytes, "what was stored is kept");
    assert_eq!(decoded.value.encode(other).unwrap()[..4], other.0.to_le_bytes());
    assert_eq!(EnvCell::decode(other, &bytes, Mode::Strict).unwrap_err().field, "id");
}

#[test]
fn bytes_after_a_record_are_kept() {
    let Example { id, mut bytes, .. } = example(40);
    bytes.extend([0, 0]);
    assert!(EnvCell::decode(id, &bytes, Mode::Strict).is_ok(), "padding");
    bytes.extend([1, 2, 3]);
    let decoded = EnvCell::decode(id, &bytes, Mode::Lenient).unwrap();
    assert_eq!(decoded.trailing, [0, 0, 1, 2, 3]);
    assert_eq!(decoded.encode().unwrap(), bytes);
    let error = EnvCell::decode(id, &bytes, Mode::Strict).unwrap_err();
    assert_eq!((error.field, error.offset), ("end of record", 68));
}

#[test]
fn server_data_of_a_cell_is_kept_unread() {
    let Example { id, mut bytes, .. } = example(41);
    bytes[4] = 0xF;
    bytes.extend([7; 9]);
    let decoded = EnvCell::decode(id, &bytes, Mode::Lenient).unwrap();
    assert_eq!((decoded.value.restriction, &decoded.trailing[..]), (None, &[7; 9][..]));
    assert_eq!(decoded.encode().unwrap(), bytes);
    assert_eq!(EnvCell::decode(id, &bytes, Mode::Strict).unwrap_err().field, "flags");
}

#[test]
fn hooks_without_padding_are_understood() {
    let id = DatId(0x3300_0001);
    let hook =
        |object| Hook { direction: 0, action: HookAction::ReplaceObject { part: 1, object: DatId(object) } };
    let steps = vec![
        ScriptStep { start: 0.5, hook: hook(0x0100_4854) },
        ScriptStep { start: 1.0, hook: Hook { direction: 1, action: HookAction::NoOp {} } },
    ];
    let padded = PhysicsScript { steps }.encode(id).unwrap();
    assert_eq!(padded.len(), 8 + (8 + 8 + 8) + (8 + 8));
    let mut direct = padded.clone();
    direct.drain(30..32);
    for bytes in [padded, direct] {
        let decoded = PhysicsScript::decode(id, &bytes, Mode::Strict).unwrap();
        assert_eq!(decoded.value.steps[1].start, 1.0);
        assert_eq!(decoded.encode().unwrap(), bytes);
        assert_eq!(PhysicsScript::load(id, &bytes).unwrap(), decoded.value);
    }
}

#[test]
fn kinds_that_are_only_named_stay_bytes() {
    let decoded = Record::decode(DatId(0x0E00_0002), RecordKind::CharGen, &[1, 2, 3], Mode::Strict).unwrap();
    assert_eq!(decoded.value, Record::Raw(Blob(vec![1, 2, 3])));
    assert_eq!(decoded.encode().unwrap(), [1, 2, 3]);
}
