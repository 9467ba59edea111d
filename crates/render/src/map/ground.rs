//! Ground seen from above: terrain types, slopes, water, roads.

use super::canvas::Color;
use glam::{Vec2, Vec3};
use threshold_world::{
    coords::CELL_SIDE,
    landblock::Landblock,
    terrain::{SAMPLES_PER_SIDE, is_water},
};

/// Where the light comes from: north-west, as on printed maps.
const LIGHT: Vec3 = Vec3::new(-0.53, 0.53, 0.66);
const ROAD: Color = rgb(0xB8A07C);

/// Colours of the 32 terrain types.
const TYPES: [Color; 32] = [
    rgb(0x7A7062), // barren rock
    rgb(0x6B8F47), // grassland
    rgb(0xD6E4EC), // ice
    rgb(0x4F8038), // lush grass
    rgb(0x6A7448), // sparse swamp
    rgb(0x68523A), // mud, rich dirt
    rgb(0x343038), // obsidian plain
    rgb(0x8E7452), // packed dirt
    rgb(0x847650), // patchy dirt
    rgb(0x7F9152), // patchy grassland
    rgb(0xCEB87A), // yellow sand
    rgb(0xA8A292), // grey sand
    rgb(0xB09C74), // rocky sand
    rgb(0x8C7A64), // sedimentary rock
    rgb(0x7E785C), // semi-barren rock
    rgb(0xECF0F4), // snow
    rgb(0x4A86B4), // running water
    rgb(0x4378A8), // standing fresh water
    rgb(0x4C8CB8), // shallow sea
    rgb(0x4682B0), // shallow still sea
    rgb(0x244A80), // deep sea
    rgb(0x4C5E34), // forest floor
    rgb(0x4C7696), // false running water
    rgb(0x4A6E54), // sea slime
    rgb(0xA07054), // clay
    rgb(0x4A3630), // volcano
    rgb(0x5C3228), // volcano
    rgb(0xB0D2E8), // blue ice
    rgb(0x54703E), // moss
    rgb(0x3A5432), // dark moss
    rgb(0x60485A), // olthoi
    rgb(0x6E6458), // desolate
];

const fn rgb(hex: u32) -> Color {
    [(hex >> 16 & 255) as f32 / 255.0, (hex >> 8 & 255) as f32 / 255.0, (hex & 255) as f32 / 255.0]
}

/// Colours of a block's ground, with the normals of its vertices at hand.
pub(super) struct Ground<'b> {
    block: &'b Landblock,
    normals: Vec<Vec3>,
}

impl<'b> Ground<'b> {
    pub(super) fn new(block: &'b Landblock) -> Ground<'b> {
        let normals =
            (0..SAMPLES_PER_SIDE * SAMPLES_PER_SIDE).map(|sample| block.terrain.vertex_normal(sample));
        Ground { block, normals: normals.collect() }
    }

    /// The colour at a point in block coordinates.
    pub(super) fn color(&self, p: Vec2) -> Color {
        let terrain = &self.block.terrain;
        let index = |v: f32| ((v / CELL_SIDE) as usize).min(7);
        let (i, j) = (index(p.x), index(p.y));
        let cell = i * 8 + j;
        let (u, v) = (p.x / CELL_SIDE - i as f32, p.y / CELL_SIDE - j as f32);
        let corners = terrain.corner_samples(cell);
        let weights = [(1.0 - u) * (1.0 - v), u * (1.0 - v), (1.0 - u) * v, u * v];
        let mix = |channel: usize| {
            let of = |sample: usize| TYPES[usize::from(terrain.terrain_type(sample)) % TYPES.len()][channel];
            corners.iter().zip(weights).map(|(&sample, weight)| of(sample) * weight).sum::<f32>()
        };
        let normal: Vec3 =
            corners.iter().zip(weights).map(|(&sample, weight)| self.normals[sample] * weight).sum();
        let wet: f32 = corners
            .iter()
            .zip(weights)
            .filter(|(s, _)| is_water(terrain.terrain_type(**s)))
            .map(|(_, w)| w)
            .sum();
        let on_road = terrain.is_on_road(cell, p.extend(0.0));
        let base: Color = if on_road { ROAD } else { std::array::from_fn(mix) };
        // Water is flat to the eye.
        let slope = normal.lerp(Vec3::Z, wet).normalize_or(Vec3::Z).dot(LIGHT) / LIGHT.z;
        base.map(|c| c * (0.35 + 0.65 * slope).clamp(0.25, 1.35))
    }
}
