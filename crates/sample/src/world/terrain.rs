//! The island: hills, a river, a road, level ground where people built.

use super::scenery;
use crate::{
    land::{HEIGHT_STEP, Sample},
    texture::hash,
};
use threshold_world::BlockId;

/// The block whose south-west corner outdoor places count from: the village.
pub(super) const VILLAGE: BlockId = BlockId(0x8080);

/// Blocks from the village to the edge of the map's known part.
pub(super) const RADIUS: u8 = 4;

/// Terrain types by their usual numbers. Spec: dat-cell §2.
pub(super) mod kind {
    pub(crate) const ROCK: u8 = 0;
    pub(crate) const GRASS: u8 = 1;
    pub(crate) const LUSH_GRASS: u8 = 3;
    pub(crate) const MUD: u8 = 5;
    pub(crate) const PACKED_DIRT: u8 = 7;
    pub(crate) const PATCHY_GRASS: u8 = 9;
    pub(crate) const SAND: u8 = 10;
    pub(crate) const SEMI_BARREN: u8 = 14;
    pub(crate) const SNOW: u8 = 15;
    pub(crate) const RIVER: u8 = 16;
    pub(crate) const SHALLOW_SEA: u8 = 18;
    pub(crate) const DEEP_SEA: u8 = 20;
    pub(crate) const FOREST: u8 = 21;
}

/// Height of the village green.
pub(super) const VILLAGE_HEIGHT: f64 = 20.0;

/// Height of the river's bed where the road crosses it.
pub(super) const RIVER_BED: f64 = 14.0;

/// Metres between samples.
const STEP: f64 = 24.0;

/// A level place: centre, radius within which the ground is level, radius beyond which it is untouched, height.
struct Terrace {
    at: (f64, f64),
    level: f64,
    fade: f64,
    height: f64,
}

const TERRACES: [Terrace; 4] = [
    Terrace { at: (96.0, 96.0), level: 125.0, fade: 230.0, height: VILLAGE_HEIGHT },
    // Tower.
    Terrace { at: (324.0, 108.0), level: 30.0, fade: 110.0, height: 23.0 },
    // Mouth of the cave.
    Terrace { at: (300.0, 276.0), level: 26.0, fade: 70.0, height: 25.0 },
    // Road between tower and cave.
    Terrace { at: (312.0, 192.0), level: 26.0, fade: 70.0, height: 24.0 },
];

/// The sample at a place of the map-wide grid.
pub(super) fn ground(gx: u32, gy: u32) -> Sample {
    let (i, j) = (gx as i32 - i32::from(VILLAGE.x()) * 8, gy as i32 - i32::from(VILLAGE.y()) * 8);
    let (x, y) = (f64::from(i) * STEP, f64::from(j) * STEP);
    let in_river = i == river_column(j) && y < 620.0;
    let by_river = (i - river_column(j)).abs() == 1 && y < 620.0;
    let natural = height(x, y);
    let bed = river_bed(y).min(natural);
    let height = match (in_river, by_river) {
        (true, _) => bed,
        // Banks stand above the water, as far as there is land.
        (_, true) => natural.min(bed + 7.0).max(bed + natural.min(2.0)),
        _ => natural,
    };
    let index = (height / HEIGHT_STEP).round().clamp(0.0, 255.0) as u8;
    let road = is_road(i, j);
    let kind = kind_at(x, y, height, in_river, by_river);
    Sample { height: index, kind, road, scenery: scenery::code(kind, i, j, near_people(x, y) || road) }
}

/// Grid column of the river in a row, counted from the village's corner.
fn river_column(row: i32) -> i32 {
    let y = f64::from(row) * STEP;
    ((264.0 - 42.0 * libm::sin((y - 96.0) / 150.0)) / STEP).round() as i32
}

/// The river falls from the hills to the sea.
fn river_bed(y: f64) -> f64 {
    (RIVER_BED + (y - 96.0) * 0.02).max(0.0) * (1.0 - smooth((-y - 420.0) / 200.0))
}

fn smooth(t: f64) -> f64 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

fn noise(seed: u32, x: f64, y: f64) -> f64 {
    let (i, j) = (x.floor(), y.floor());
    let (fx, fy) = (smooth(x - i), smooth(y - j));
    let at = |dx: i64, dy: i64| f64::from(hash(seed, (i as i64 + dx) as u32, (j as i64 + dy) as u32));
    let row = |dy: i64| at(0, dy) + (at(1, dy) - at(0, dy)) * fx;
    row(0) + (row(1) - row(0)) * fy
}

/// The lie of the land, without the river.
fn height(x: f64, y: f64) -> f64 {
    let hills = 34.0 * noise(11, x / 210.0, y / 210.0)
        + 16.0 * noise(12, x / 95.0, y / 95.0)
        + 5.0 * noise(13, x / 45.0, y / 45.0);
    // Higher in the north, with a summit behind the cave.
    let summit = 48.0 * (1.0 - (((x - 330.0) / 190.0).powi(2) + ((y - 450.0) / 170.0).powi(2))).max(0.0);
    let mut land = 6.0 + hills + summit + 0.02 * y;
    // The coast: a ring around the middle of the island, ragged.
    let reach = 690.0 + 110.0 * noise(14, x / 160.0 + 7.0, y / 160.0 + 3.0);
    let from_middle = ((x - 96.0).powi(2) + (y - 96.0).powi(2)).sqrt();
    land *= 1.0 - smooth((from_middle - reach + 260.0) / 240.0);
    for terrace in &TERRACES {
        let distance = ((x - terrace.at.0).powi(2) + (y - terrace.at.1).powi(2)).sqrt();
        let t = 1.0 - smooth((distance - terrace.level) / (terrace.fade - terrace.level));
        land += (terrace.height - land) * t;
    }
    land
}

/// The road: from the western beach through the village, over the bridge, to the tower and on to the cave.
fn is_road(i: i32, j: i32) -> bool {
    // Not in the river's bed: there the bridge is the road.
    let street = j == 4 && (-24..=12).contains(&i) && i != river_column(j);
    let lane = i == 3 && (4..=8).contains(&j);
    let to_cave = (i == 12 && (4..=10).contains(&j)) || (i == 13 && j == 4);
    street || lane || to_cave
}

/// Where nothing grows wild: the village, and around the other buildings.
fn near_people(x: f64, y: f64) -> bool {
    let near = |cx: f64, cy: f64, r: f64| (x - cx).abs() < r && (y - cy).abs() < r;
    near(96.0, 96.0, 110.0) || near(324.0, 108.0, 30.0) || near(300.0, 276.0, 30.0) || near(264.0, 96.0, 40.0)
}

fn kind_at(x: f64, y: f64, height: f64, in_river: bool, by_river: bool) -> u8 {
    let wild = noise(15, x / 70.0, y / 70.0);
    let green = (x - 96.0).abs() < 80.0 && (y - 96.0).abs() < 40.0;
    match height {
        _ if in_river && height > 0.5 => kind::RIVER,
        h if h < 0.25 => {
            let far = ((x - 96.0).powi(2) + (y - 96.0).powi(2)).sqrt();
            if far > 760.0 { kind::DEEP_SEA } else { kind::SHALLOW_SEA }
        }
        h if h < 4.0 => kind::SAND,
        _ if by_river => kind::MUD,
        _ if green => kind::PATCHY_GRASS,
        h if h > 72.0 => kind::SNOW,
        h if h > 58.0 => kind::ROCK,
        h if h > 48.0 => kind::SEMI_BARREN,
        _ if wild > 0.62 => kind::FOREST,
        _ if wild < 0.3 => kind::LUSH_GRASS,
        _ if wild < 0.36 => kind::PACKED_DIRT,
        _ => kind::GRASS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(i: i32, j: i32) -> Sample {
        ground((1024 + i) as u32, (1024 + j) as u32)
    }

    #[test]
    fn the_village_is_level() {
        for (i, j) in (0..=8).flat_map(|i| (2..=6).map(move |j| (i, j))) {
            assert_eq!(f64::from(at(i, j).height) * HEIGHT_STEP, VILLAGE_HEIGHT, "sample {i}, {j}");
        }
    }

    #[test]
    fn the_edge_of_the_map_is_sea() {
        for i in -32..=40 {
            for (i, j) in [(i, -32), (i, 40), (-32, i), (40, i)] {
                assert_eq!((at(i, j).height, at(i, j).kind), (0, kind::DEEP_SEA), "sample {i}, {j}");
            }
        }
    }

    #[test]
    fn the_river_runs_below_its_banks_down_to_the_sea() {
        let mut last = 255;
        for j in (-30..20).rev() {
            let column = river_column(j);
            let bed = at(column, j).height;
            assert!(bed <= last, "the bed rises at row {j}");
            last = bed;
            if bed > 6 {
                assert!(at(column - 1, j).height > bed && at(column + 1, j).height > bed, "banks at row {j}");
            }
        }
        assert_eq!(last, 0);
    }

    #[test]
    fn hills_can_be_climbed_somewhere_and_rise_above_the_village() {
        let top = (-32..=40).flat_map(|i| (-32..=40).map(move |j| at(i, j).height)).max();
        assert!(top > Some(130));
    }
}
