//! Light on terrain. Retail: `CLandBlockStruct::calc_lighting` (0x00531700). Spec: render-data §9.4.

use crate::sky::Daylight;
use glam::Vec3;
use threshold_world::{EPSILON, terrain::Terrain};

/// Normals of a block's 81 samples: the mean direction of the block's own triangles that touch them.
pub fn vertex_normals(terrain: &Terrain) -> [Vec3; 81] {
    let mut sums = [Vec3::ZERO; 81];
    for cell in 0..64 {
        let [sw, se, nw, ne] = terrain.corner_samples(cell);
        let halves = if terrain.splits_sw_ne(cell) {
            [[sw, se, ne], [sw, ne, nw]]
        } else {
            [[sw, se, nw], [ne, nw, se]]
        };
        for (half, samples) in halves.into_iter().enumerate() {
            for sample in samples {
                sums[sample] += terrain.plane(cell, half).normal;
            }
        }
    }
    sums.map(|sum| {
        let length = sum.length();
        if length < EPSILON { Vec3::Z } else { sum / length }
    })
}

/// Light of a terrain vertex, in steps of a byte as the original stores it.
pub fn vertex_light(normal: Vec3, daylight: &Daylight) -> Vec3 {
    let sun = normal.dot(daylight.sun).max(0.0);
    let light = daylight.ambient_color * daylight.ambient_level + daylight.sun_color * sun;
    let cut = |c: f32| (c.min(1.0) * 255.0).floor() / 255.0;
    Vec3::new(cut(light.x), cut(light.y), cut(light.z))
}

#[cfg(test)]
mod tests {
    use super::*;
    use threshold_world::BlockId;

    #[test]
    fn flat_ground_points_up() {
        let terrain = Terrain::new(BlockId(0xA9B4), [0.0; 81], [0; 81]);
        assert!(vertex_normals(&terrain).iter().all(|n| *n == Vec3::Z));
    }

    #[test]
    fn a_hill_leans_away_from_its_top() {
        let mut heights = [0.0; 81];
        heights[4 * 9 + 4] = 20.0;
        let normals = vertex_normals(&Terrain::new(BlockId(0xA9B4), heights, [0; 81]));
        assert!(normals[3 * 9 + 4].x < -0.1 && normals[5 * 9 + 4].x > 0.1);
        assert!(normals[4 * 9 + 3].y < -0.1 && normals[4 * 9 + 5].y > 0.1);
    }

    #[test]
    fn spec_9_6_vertex_light() {
        let daylight = Daylight {
            sun: Vec3::new(1.0392, 0.0, 0.6),
            sun_color: Vec3::new(1.0, 0.9, 0.5),
            ambient_level: 0.3,
            ambient_color: Vec3::new(1.0, 0.8, 0.6),
            ..Daylight::default()
        };
        let slope = std::f32::consts::FRAC_1_SQRT_2;
        for (normal, expected) in [
            (Vec3::Z, Vec3::new(0.9, 0.78, 0.48)),
            (Vec3::new(slope, 0.0, slope), Vec3::new(1.0, 1.0, 0.7596)),
            (Vec3::new(-slope, 0.0, slope), Vec3::new(0.3, 0.24, 0.18)),
        ] {
            let light = vertex_light(normal, &daylight);
            assert!((light - expected).abs().max_element() <= 1.0 / 255.0, "{normal}: {light}");
        }
    }
}
