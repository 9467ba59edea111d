use super::*;
use crate::{BlockId, REGION, source::MemorySource};
use std::sync::Arc;
use threshold_dat::{
    IdScheme,
    records::{PlacedObject, Scene, SceneType, Setup, TerrainType},
};

const TREE: DatId = DatId(0x0200_0001);

fn raw(value: f64) -> u32 {
    (value / UNIT) as u32
}

#[test]
fn spec_10_3_hashes() {
    // x, y, scene of 5, scene of 3, turn, then the five properties of object 0.
    let rows: [(u32, u32, usize, usize, [u32; 6]); 6] = [
        (0, 0, 2, 1, [3892515331, 4107780191, 2130152565, 923217991, 1441537561, 3409641743]),
        (42, 314, 2, 1, [2149238147, 2371400399, 3563784957, 1862392663, 1512267185, 3863991359]),
        (1000, 1000, 2, 1, [1773644755, 2896208175, 2889542341, 1882925847, 3228251497, 4119842271]),
        (1352, 1440, 1, 0, [2854879803, 383523991, 912713389, 171365503, 3921546321, 1844923719]),
        (1354, 1443, 2, 1, [1238461056, 386722276, 550417198, 1977657468, 2044589002, 2084852788]),
        (2039, 2039, 3, 2, [1878292724, 3336213836, 3916864776, 1565117660, 3998286000, 3752956716]),
    ];
    for (x, y, of_five, of_three, expected) in rows {
        let sample = Sample { x, y };
        assert_eq!((sample.scene(5), sample.scene(3)), (of_five, of_three), "{x}, {y}");
        let chance = |property| raw(sample.chance(0, property));
        let found =
            [raw(sample.turn()), chance(23399), chance(45773), chance(72719), chance(32593), chance(63127)];
        assert_eq!(found, expected, "{x}, {y}");
    }
    let seventh = [23399, 45773, 72719, 32593, 63127].map(|p| raw(Sample { x: 1354, y: 1443 }.chance(7, p)));
    assert_eq!(seventh, [1553521109, 1717216031, 3144456301, 3211387835, 3251651621]);
    let second = [23399, 45773, 72719, 32593, 63127].map(|p| raw(Sample { x: 0, y: 0 }.chance(1, p)));
    assert_eq!(second, [2219741352, 242113726, 3330146448, 3848466018, 1521602904]);
}

fn bush() -> SceneObject {
    SceneObject {
        object: PlacedObject {
            model: TREE,
            frame: threshold_dat::records::Frame {
                origin: [1.0, 2.0, 50.0],
                ..threshold_dat::records::Frame::IDENTITY
            },
        },
        frequency: 1.0,
        displace: [12.0, 12.0],
        min_scale: 0.9,
        max_scale: 1.2,
        max_rotation: 360.0,
        max_slope: 1.0,
        ..SceneObject::default()
    }
}

#[test]
fn spec_10_3_placements() {
    for (x, y, j, at, heading, size) in [
        (1354, 1443, 0, (40.47449, 74.53785), 174.7503, 1.03209),
        (1354, 1443, 1, (41.72306, 73.28928), 137.2932, 1.00166),
        (1355, 1441, 0, (79.43424, 11.27213), 194.8337, 1.07148),
        (1352, 1440, 0, (-3.55009, -2.47879), f32::NAN, f32::NAN),
    ] {
        let sample = Sample { x, y };
        let (dx, dy) = sample.offset(j, &bush());
        let place = ((x % 8) as f32 * 24.0 + dx, (y % 8) as f32 * 24.0 + dy);
        assert!((place.0 - at.0).abs() < 1e-3 && (place.1 - at.1).abs() < 1e-3, "{x}, {y}: {place:?}");
        if heading.is_finite() {
            let frame = Frame::new(Vec3::ZERO, rotation(sample, j, &bush(), Vec3::Z));
            assert!((frame.heading() - heading).abs() < 1e-2, "{}", frame.heading());
            assert!((scale(sample, j, &bush()) - size).abs() < 1e-4);
        }
    }
}

#[test]
fn spec_10_3_alignment_points_uphill() {
    let aligned = SceneObject { align: 1, ..bush() };
    let heading =
        |normal| Frame::new(Vec3::ZERO, rotation(Sample { x: 1, y: 1 }, 0, &aligned, normal)).heading();
    assert!((heading(Vec3::new(-0.6, 0.0, 0.8)) - 90.0).abs() < 1e-3);
    assert!((heading(Vec3::new(0.0, 0.6, 0.8)) - 180.0).abs() < 1e-3);
    assert!(heading(Vec3::Z).abs() < 1e-3);
}

fn road_terrain(corners: [bool; 4]) -> Terrain {
    let mut words = [0; 81];
    // South-west, north-west, south-east, north-east of cell 0.
    for (sample, road) in [0, 1, 9, 10].into_iter().zip(corners) {
        words[sample] = u16::from(road);
    }
    Terrain::new(BlockId(0x0101), [0.0; 81], words)
}

#[test]
fn spec_10_3_roads() {
    let on = |corners, u: f32, v: f32| on_road(&road_terrain(corners), 0, Vec3::new(u, v, 0.0));
    let west = [true, true, false, false];
    assert!(on(west, 4.99, 12.0) && !on(west, 5.0, 12.0));
    assert!(on([true; 4], 12.0, 12.0) && !on([false; 4], 0.0, 0.0));
    let diagonal = [true, false, false, true];
    assert!(on(diagonal, 10.0, 14.9) && !on(diagonal, 10.0, 15.0));
    let corner = [false, false, false, true];
    assert!(on(corner, 22.0, 21.1) && !on(corner, 22.0, 21.0));
}

fn model(sorting: Sphere, spheres: Vec<Sphere>) -> Model {
    Model {
        id: TREE,
        parts: Box::new([]),
        cylinders: Box::new([]),
        spheres: spheres.into(),
        height: 0.0,
        radius: 0.0,
        step_up: 0.0,
        step_down: 0.0,
        sorting_sphere: sorting,
        free_heading: false,
        holdings: Box::default(),
        motion: Default::default(),
        plays_when_static: false,
    }
}

#[test]
fn spec_10_3_block_border() {
    let sphere = Sphere { center: Vec3::ZERO, radius: 5.0 };
    let ball = model(sphere, vec![sphere]);
    let fits = |x: f32| within_block(&ball, &Frame::at(Vec3::new(x, 96.0, 0.0)));
    assert!(fits(5.0) && !fits(4.99) && !fits(187.0) && fits(186.99));
    let point = model(sphere, Vec::new());
    assert!(within_block(&point, &Frame::at(Vec3::new(0.0, 0.0, 0.0))));
}

/// A block whose samples are all grass with scenery code 0.
fn meadow(heights: [f32; 81]) -> (Landblock, Region) {
    let words = [1 << 2; 81];
    let id = BlockId(0xA9B4);
    let block = Landblock {
        id,
        terrain: Terrain::new(id, heights, words),
        has_land: true,
        buildings: Box::new([]),
        statics: Box::new([]),
        scenery: Box::default(),
        env_cells: Box::new([]),
        cell_buildings: [None; 64],
        restrictions: Box::default(),
    };
    let kind = |scenes: Vec<u32>| TerrainType { scene_types: scenes, ..TerrainType::default() };
    let region = Region {
        scene_types: Some(vec![SceneType { sound: u32::MAX, scenes: vec![DatId(0x1200_0001)] }]),
        terrain_types: vec![kind(vec![]), kind(vec![0])],
        ..Region::default()
    };
    (block, region)
}

fn grown(block: &Landblock, region: &Region, object: SceneObject) -> Vec<Growth> {
    let mut source = MemorySource::new();
    let scene = Scene { objects: vec![object] };
    source.insert_record(IdScheme::Portal, REGION, region).unwrap();
    source.insert_record(IdScheme::Portal, DatId(0x1200_0001), &scene).unwrap();
    source.insert_record(IdScheme::Portal, TREE, &Setup::default()).unwrap();
    grow(block, &Library::new(Arc::new(source))).unwrap()
}

#[test]
fn scenery_stands_on_the_ground_inside_its_cell() {
    let heights = std::array::from_fn(|i| (i % 9) as f32 * 3.0);
    let (mut block, region) = meadow(heights);
    let all = grown(&block, &region, bush());
    assert!(all.len() > 40, "{}", all.len());
    for growth in &all {
        let origin = growth.origin;
        assert!((origin.z - origin.y / 8.0).abs() < 1e-3, "{origin}");
        assert_eq!(usize::from(growth.cell.low()) - 1, cell_index_at(origin).unwrap());
        assert!((0.9..=1.2).contains(&growth.scale));
    }
    assert!(grown(&block, &region, SceneObject { weenie: 1, ..bush() }).is_empty());
    assert!(grown(&block, &region, SceneObject { frequency: 0.0, ..bush() }).is_empty());
    assert!(grown(&block, &region, SceneObject { frequency: f32::NAN, ..bush() }).is_empty());
    assert!(grown(&block, &region, SceneObject { min_slope: 0.9999, ..bush() }).is_empty());
    let crowded = all[0].cell;
    block.cell_buildings[usize::from(crowded.low()) - 1] = Some(0);
    let rest = grown(&block, &region, bush());
    assert!(rest.len() < all.len() && rest.iter().all(|g| g.cell != crowded));
}

#[test]
fn some_samples_stay_bare_when_a_scene_is_rare() {
    let (block, region) = meadow([0.0; 81]);
    let all = grown(&block, &region, bush()).len();
    let some = grown(&block, &region, SceneObject { frequency: 0.3, ..bush() }).len();
    assert!(some > 0 && some < all * 6 / 10, "{some} of {all}");
}
