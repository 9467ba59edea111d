//! `threshold inspect` through the program itself.

use serde_json::Value;
use std::process::{Command, Output};
use tempfile::TempDir;
use threshold_dat::{
    DatId,
    container::{Attributes, Builder, FileKind, Header},
    records::*,
};
use threshold_golden::world_dir;

fn inspect(dats: &str, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_threshold"));
    command.arg("inspect").args(args).env("THRESHOLD_DATS", dats).output().unwrap()
}

/// The summary without the spaces that align it.
#[track_caller]
fn summary(dats: &str, args: &[&str]) -> Vec<String> {
    let output = inspect(dats, args);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

fn cottage() -> String {
    world_dir("cottage").to_str().unwrap().to_owned()
}

#[test]
fn a_room_shows_where_its_portals_lead() {
    let lines = summary(&cottage(), &["0xA9B40100"]);
    assert_eq!(lines[0], "EnvCell 0xA9B40100, 90 bytes");
    for expected in [
        "flags sees outside",
        "shape 0x0D000001 structure 0",
        "placed at (84.000, 84.000, 20.000)",
        "0: polygon 4 → outdoors, cell in front of the polygon, exact",
        "1: polygon 5 → 0xA9B40101 portal 0, cell in front of the polygon, exact",
    ] {
        assert!(lines.iter().any(|line| line == expected), "{expected} is not in {lines:#?}");
    }
}

#[test]
fn a_room_says_how_it_is_entered() {
    let lines = summary(&cottage(), &["0xA9B40100"]);
    let entered = lines.iter().position(|line| line == "entered 2").unwrap_or_else(|| panic!("{lines:#?}"));
    assert!(lines[entered + 1].starts_with("from 0xA9B40101 by its portal 0 at ("), "{lines:#?}");
    assert!(lines[entered + 1].ends_with("(portal 1 here)"), "{lines:#?}");
    assert!(lines[entered + 2].starts_with("from outdoors by opening 0 of building 0 at ("), "{lines:#?}");
    assert!(lines[entered + 2].ends_with("(portal 0 here)"), "{lines:#?}");
    // The door of the sample world's cottage stands in one of the two ways into its vestibule.
    let vestibule = summary("", &["Cottage Vestibule"]);
    let doors: Vec<bool> = vestibule
        .iter()
        .filter(|line| line.starts_with("from 0x8080"))
        .map(|line| line.contains(", Cottage Door 0x00000001 stands at ("))
        .collect();
    assert_eq!(doors, [true, false], "{vestibule:#?}");
    let room: Value = serde_json::from_slice(&inspect("", &["Cottage Vestibule", "--json"]).stdout).unwrap();
    let entrances = room["place"]["entrances"].as_array().unwrap();
    assert_eq!((entrances.len(), &entrances[0]["door"]["name"]), (2, &"Cottage Door".into()), "{room:#}");
}

#[test]
fn a_landblock_shows_its_ground_and_its_buildings() {
    let ground = summary(&cottage(), &["A9B4FFFF"]);
    assert!(ground.contains(&"terrain 1: LushGrass ×81".to_owned()), "{ground:#?}");
    assert!(ground.contains(&["20.0"; 9].join(" ")), "{ground:#?}");
    let info = summary(&cottage(), &["A9B4FFFE"]);
    assert!(
        info.contains(&"0x01000200 at (132.000, 132.000, 20.000) turned 37.0° about z".to_owned()),
        "{info:#?}"
    );
}

#[test]
fn an_outdoor_cell_is_part_of_its_landblock() {
    let lines = summary(&cottage(), &["0xA9B40019"]);
    assert_eq!(
        lines[..2],
        ["LandBlock 0xA9B4FFFF, 252 bytes", "outdoor cell 0xA9B40019, x 72 to 96, y 0 to 24"]
    );
}

#[test]
fn json_has_all_fields() {
    let output = inspect(&cottage(), &["0x02000001", "--json"]);
    let setup: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&setup["id"], &setup["kind"]), (&"0x02000001".into(), &"Setup".into()));
    assert_eq!(setup["value"]["parts"][0], "0x01000001");
    assert_eq!(setup["value"]["spheres"][1]["center"][2], 1.35_f32);
    assert_eq!(setup["notes"].as_array().unwrap().len(), 0);
}

#[test]
fn what_cannot_be_shown_is_said_in_one_line() {
    for (args, complaint) in [
        (&["0x0A000001"][..], "there is no record 0x0A000001"),
        (&["0x02000001", "--cell"][..], "there is no record 0x02000001"),
    ] {
        let output = inspect(&cottage(), args);
        assert_eq!(output.status.code(), Some(2));
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(text.lines().count(), 1);
        assert!(text.starts_with(&format!("threshold: {complaint} in ")), "{text}");
    }
    let output = inspect("no/such/folder", &["0x02000001"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("no/such/folder"));
}

/// A folder whose portal file has one record of every kind, and whose cell file has a room with the number of a model.
fn one_of_each() -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let mut portal =
        Builder::create(folder.path().join("client_portal.dat"), Header::new(FileKind::Portal)).unwrap();
    for (id, record) in records() {
        let bytes = record.encode(DatId(id)).unwrap();
        portal.add(DatId(id), &bytes, Attributes::default()).unwrap();
    }
    portal.commit(&Iteration::complete(1)).unwrap();
    let mut cell =
        Builder::create(folder.path().join("client_cell_1.dat"), Header::new(FileKind::Cell)).unwrap();
    let id = DatId(0x0100_0100);
    cell.add(id, &EnvCell::default().encode(id).unwrap(), Attributes::default()).unwrap();
    cell.commit(&Iteration::complete(1)).unwrap();
    let path = folder.path().to_str().unwrap().to_owned();
    (folder, path)
}

fn records() -> Vec<(u32, Record)> {
    let id = DatId(0x0100_0100);
    let hook = || Hook { direction: 1, action: HookAction::Sound { wave: DatId(0x0A00_0001) } };
    let frame = AnimationFrame { parts: vec![Frame::IDENTITY], hooks: vec![hook()] };
    let motion = Motion { velocity: Some([0.0, 3.12, 0.0]), ..Motion::default() };
    let sound = Sound { wave: DatId(0x0A00_0001), priority: 0.7, probability: 0.5, volume: 1.0 };
    let wave_header = [1, 0, 1, 0, 0x22, 0x56, 0, 0, 0x44, 0xAC, 0, 0, 2, 0, 16, 0, 0, 0];
    vec![
        (0x0100_0100, GfxObj { degrade: Some(DatId(0x1100_0001)), ..GfxObj::default() }.into()),
        (
            0x0300_0001,
            Animation {
                part_count: 1,
                root_frames: Some(vec![Frame::IDENTITY]),
                frames: vec![frame],
                flags: 0,
            }
            .into(),
        ),
        (0x0400_0001, Palette { colors: vec![Color { blue: 1, green: 2, red: 3, alpha: 4 }; 70] }.into()),
        (
            0x0500_0001,
            SurfaceTexture { category: 0, texture_type: 2, levels: vec![DatId(0x0600_0001)] }.into(),
        ),
        (
            0x0600_0001,
            RenderSurface {
                width: 2,
                height: 1,
                format: PixelFormat::INDEX16,
                pixels: Blob(vec![0; 4]),
                palette: Some(DatId(0x0400_0001)),
                category: 6,
            }
            .into(),
        ),
        (
            0x0800_0001,
            Surface {
                flags: Surface::BASE_CLIP_MAP | Surface::ADDITIVE,
                base: SurfaceBase::Image { texture: DatId(0x0500_0001), palette: DatId(0) },
                translucency: 0.25,
                luminosity: 0.0,
                diffuse: 1.0,
            }
            .into(),
        ),
        (0x0900_0001, MotionTable { cycles: vec![(0x003D_0003, motion)], ..MotionTable::default() }.into()),
        (0x0A00_0001, Wave { header: Blob(wave_header.to_vec()), data: Blob(vec![0; 44100]) }.into()),
        (0x0E00_000E, Record::Raw(Blob(vec![1, 2, 3]))),
        (0x0F00_0001, PaletteSet { palettes: vec![DatId(0x0400_0001)] }.into()),
        (
            0x1000_0001,
            ClothingTable {
                base_effects: PackedTable {
                    buckets: 32,
                    entries: vec![(
                        DatId(0x0200_0001),
                        vec![ClothingPart { part: 2, model: id, textures: Vec::new() }],
                    )],
                },
                sub_palette_effects: PackedTable { buckets: 32, entries: Vec::new() },
            }
            .into(),
        ),
        (
            0x1100_0001,
            DegradeInfo {
                levels: vec![DegradeLevel {
                    model: DatId(0),
                    mode: 1,
                    max_distance: 192.0,
                    ..DegradeLevel::default()
                }],
            }
            .into(),
        ),
        (
            0x1200_0001,
            Scene { objects: vec![SceneObject { frequency: 0.5, ..SceneObject::default() }] }.into(),
        ),
        (0x1500_0001, RenderTexture { category: 0, texture_type: 4, levels: Vec::new() }.into()),
        (
            0x2000_0001,
            SoundTable {
                root: SoundNode {
                    children: vec![SoundNode { key: 5, sounds: vec![sound], ..SoundNode::default() }],
                    ..SoundNode::default()
                },
            }
            .into(),
        ),
        (
            0x3200_0001,
            ParticleEmitter {
                particle_type: 6,
                birth_rate: 0.1,
                emitter_type: 2,
                ..ParticleEmitter::default()
            }
            .into(),
        ),
        (0x3300_0001, PhysicsScript { steps: vec![ScriptStep { start: 0.5, hook: hook() }] }.into()),
        (
            0x3400_0001,
            PhysicsScriptTable {
                scripts: vec![(4, vec![ScriptChoice { threshold: 0.5, script: DatId(0x3300_0001) }])],
            }
            .into(),
        ),
    ]
}

#[test]
fn every_kind_has_a_summary() {
    let (_folder, dats) = one_of_each();
    for (id, expected) in [
        ("01000100", "far away 0x11000001"),
        ("03000001", "frame 0: Sound { wave: 0x0A000001 }, forward only"),
        ("04000001", "… and 6 more (--json has all)"),
        ("05000001", "sizes 1: 0x06000001"),
        ("06000001", "picture 2 × 1 in INDEX16"),
        ("08000001", "flags clip map, additive"),
        ("09000001", "0x003d0003: velocity (0.000, 3.120, 0.000)"),
        ("0A000001", "length 1.00 s"),
        ("0E00000E", "layout not decoded; `threshold dat get` shows its bytes"),
        ("0F000001", "0x04000001"),
        ("10000001", "0x02000001: parts 2 → 0x01000100"),
        ("11000001", "nothing from 0 to 192 m (mode 1)"),
        ("12000001", "0x00000000 at (0.000, 0.000, 0.000), frequency 0.5, scale 0…0, slope 0…0"),
        ("15000001", "texture cube, category 0"),
        ("20000001", "type 5: 0x0A000001 (50%)"),
        ("32000001", "births one every 0.1 metres"),
        ("33000001", "0.5 s: Sound { wave: 0x0A000001 }, forward only"),
        ("34000001", "type 4: 0x33000001 up to 0.5"),
        ("FFFF0001", "newest patch 1"),
    ] {
        let lines = summary(&dats, &[id]);
        assert!(lines.iter().any(|line| line == expected), "{expected} is not in {lines:#?}");
    }
}

#[test]
fn the_cell_file_can_be_asked_for_the_number_of_a_model() {
    let (_folder, dats) = one_of_each();
    assert!(summary(&dats, &["01000100"])[0].starts_with("GfxObj"));
    assert!(summary(&dats, &["01000100", "--cell"])[0].starts_with("EnvCell"));
}
