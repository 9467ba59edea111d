//! Point lights and how they light cells and the objects in them. Spec: render-data §12.

use glam::Vec3;
use threshold_world::geometry::Sphere;

/// Most static lights that are kept.
pub const MAX_STATIC: usize = 40;
/// Most dynamic lights that are kept.
pub const MAX_DYNAMIC: usize = 7;
/// Most lights on one object.
pub const MAX_PER_OBJECT: usize = 8;
/// Dynamic lights, and all lights on objects, reach this much farther than their falloff.
const RANGE_FACTOR: f32 = 1.5;
/// Static lights on cells reach this much farther.
const STATIC_RANGE_FACTOR: f32 = 1.3;
/// Ambient light where the outdoors is not seen, whatever the hour.
pub const INTERIOR_AMBIENT: f32 = 0.2;

/// A light that shines in all directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointLight {
    /// Where it is.
    pub position: Vec3,
    /// Its colour, 0…1.
    pub color: Vec3,
    /// Brightness.
    pub intensity: f32,
    /// Metres.
    pub falloff: f32,
}

impl PointLight {
    /// The lamp that the viewer carries: white, two metres above the player. Spec: render-data §12.3.
    pub fn lamp(player: Vec3) -> PointLight {
        let position = player + Vec3::new(0.0, 0.0, 2.0);
        PointLight { position, color: Vec3::ONE, intensity: 2.25, falloff: 10.0 }
    }

    /// Light that a vertex of a cell takes from a static light, once and for all.
    /// Retail: `calc_point_light` (0x0059C8B0). Spec: render-data §12.4.
    pub fn on_cell(&self, position: Vec3, normal: Vec3) -> Vec3 {
        let towards = self.position - position;
        let d = towards.length();
        let range = STATIC_RANGE_FACTOR * self.falloff;
        // Also false for NaN.
        if !(d < range && d > 0.0) {
            return Vec3::ZERO;
        }
        let w = (normal.dot(towards) + 0.5 * d) / 1.5;
        if w <= 0.0 {
            return Vec3::ZERO;
        }
        let squared = d * d;
        let s = (1.0 - d / range) * self.intensity * w / if squared > 1.0 { squared * d } else { d };
        (self.color * s).min(self.color)
    }

    /// Metres that it reaches on objects, and on cells as a dynamic light.
    pub fn range(&self) -> f32 {
        RANGE_FACTOR * self.falloff
    }

    /// Light that a vertex of an object takes, and of a cell from a dynamic light. Spec: render-data §12.5.
    #[inline]
    pub fn on_object(&self, position: Vec3, normal: Vec3) -> Vec3 {
        let towards = self.position - position;
        let squared = towards.length_squared();
        let range = self.range();
        if !(squared < range * range && squared > 0.0) {
            return Vec3::ZERO;
        }
        self.color * (self.intensity * normal.dot(towards).max(0.0) / squared)
    }

    /// Whether its falloff reaches a sphere.
    pub fn reaches(&self, sphere: &Sphere) -> bool {
        let reach = self.falloff + sphere.radius;
        (self.position - sphere.center).length_squared() <= reach * reach
    }
}

/// Static light of a cell's vertex, cut to bytes. Retail: `SetStaticLightingVertexColors` (0x0059CFE0).
pub fn baked(lights: &[PointLight], position: Vec3, normal: Vec3) -> [u8; 3] {
    let mut sum = Vec3::ZERO;
    for light in lights {
        sum += light.on_cell(position, normal);
    }
    let sum = sum.clamp(Vec3::ZERO, Vec3::ONE) * 255.0;
    [sum.x as u8, sum.y as u8, sum.z as u8]
}

/// A candidate for the kept lights: the light and the place its distance is measured to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The light.
    pub light: PointLight,
    /// Origin of the object that carries it.
    pub owner: Vec3,
}

impl Candidate {
    fn distance_sq(&self, to: Vec3) -> f32 {
        (self.owner - to).length_squared()
    }
}

/// Keeps the `most` nearest candidates, nearest first; those at equal distance keep their order.
///
/// Works in place without allocating: it runs every frame on short lists.
pub fn keep_nearest(candidates: &mut Vec<Candidate>, to: Vec3, most: usize) {
    let mut kept = 0;
    for i in 0..candidates.len() {
        let candidate = candidates[i];
        let distance = candidate.distance_sq(to);
        let place = candidates[..kept].partition_point(|c| c.distance_sq(to) <= distance);
        if place < most {
            let end = (kept + 1).min(most);
            candidates.copy_within(place..end - 1, place + 1);
            candidates[place] = candidate;
            kept = end;
        }
    }
    candidates.truncate(kept);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn torch(position: Vec3, intensity: f32) -> PointLight {
        PointLight { position, color: Vec3::new(1.0, 0.8, 0.6), intensity, falloff: 5.0 }
    }

    #[test]
    fn spec_12_4_static_light_on_a_floor() {
        let up = |z: f32| Vec3::new(0.0, 0.0, z);
        let rows = [
            (up(2.0), 10.0, [1.0, 0.8, 0.6]),
            (up(4.0), 10.0, [0.2404, 0.1923, 0.1442]),
            (Vec3::new(2.0, 0.0, 0.0), 10.0, [0.5769, 0.4615, 0.3462]),
            (Vec3::new(1.732, 0.0, -1.0), 10.0, [0.0; 3]),
            (up(6.4), 10.0, [0.0038, 0.0030, 0.0023]),
            (up(6.5), 10.0, [0.0; 3]),
            (up(0.5), 0.4, [0.3692, 0.2954, 0.2215]),
        ];
        for (position, intensity, expected) in rows {
            let light = torch(position, intensity).on_cell(Vec3::ZERO, Vec3::Z);
            assert!((light - Vec3::from_array(expected)).abs().max_element() < 2e-4, "{position}: {light}");
        }
    }

    #[test]
    fn the_sum_of_static_lights_is_clamped_and_cut() {
        let lights = [torch(Vec3::new(0.0, 0.0, 2.0), 10.0), torch(Vec3::new(0.0, 0.0, 4.0), 10.0)];
        assert_eq!(baked(&lights, Vec3::ZERO, Vec3::Z), [255, 253, 189]);
        assert_eq!(baked(&[torch(Vec3::NAN, 1.0)], Vec3::ZERO, Vec3::Z), [0; 3]);
    }

    #[test]
    fn light_on_objects_fades_with_distance_and_ends_at_its_range() {
        let at = |z: f32| torch(Vec3::new(0.0, 0.0, z), 2.0).on_object(Vec3::ZERO, Vec3::Z).x;
        assert!((at(4.0) - 0.5).abs() < 1e-6);
        assert!((at(2.0) - 1.0).abs() < 1e-6);
        assert!(at(7.49) > 0.0 && at(7.51) == 0.0);
        assert_eq!(at(-2.0), 0.0, "from behind");
        assert_eq!(at(0.0), 0.0, "at the light itself");
    }

    #[test]
    fn the_nearest_are_kept_by_their_owners_and_ties_in_order() {
        let candidate = |x: f32, intensity: f32| Candidate {
            light: torch(Vec3::ZERO, intensity),
            owner: Vec3::new(x, 0.0, 0.0),
        };
        let mut list =
            vec![candidate(3.0, 1.0), candidate(-1.0, 2.0), candidate(1.0, 3.0), candidate(0.5, 4.0)];
        keep_nearest(&mut list, Vec3::ZERO, 3);
        assert_eq!(list.iter().map(|c| c.light.intensity).collect::<Vec<_>>(), [4.0, 2.0, 3.0]);
    }

    #[test]
    fn a_light_reaches_a_sphere_that_its_falloff_touches() {
        let light = torch(Vec3::ZERO, 1.0);
        let sphere = |x: f32| Sphere { center: Vec3::new(x, 0.0, 0.0), radius: 1.0 };
        assert!(light.reaches(&sphere(6.0)) && !light.reaches(&sphere(6.01)));
    }
}
