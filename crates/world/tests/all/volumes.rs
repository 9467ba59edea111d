//! Points, spheres and boxes against cells, compared with a naive scan of the cell's planes in the block's space.

use crate::common;
use common::{copy, load};
use glam::{DVec3, Vec3};
use proptest::prelude::*;
use std::sync::LazyLock;
use threshold_world::{
    World,
    bsp::{Overlap, VOLUME_PAD},
    cell::EnvCell,
    geometry::{Aabb, Sphere},
};

/// The rotated cottage and the tilted rooms are in here.
static WORLDS: LazyLock<Vec<World>> =
    LazyLock::new(|| ["cottage", "hostile", "seam", "dungeon"].map(|name| load(copy(name)).0).into());

fn cells() -> Vec<&'static EnvCell> {
    let blocks = WORLDS.iter().flat_map(|world| world.block_ids().filter_map(|id| world.block_data(id)));
    blocks.flat_map(|block| block.env_cells.iter().flatten()).collect()
}

/// Distances of a point in block coordinates from the cell's boundary, by turning every plane into that space.
fn distances(cell: &EnvCell, p: Vec3) -> Vec<f64> {
    let rotation = cell.position.frame.rotation();
    let turn = |v: DVec3| {
        let (w, u) = (f64::from(rotation.w), rotation.v.as_dvec3());
        v + 2.0 * u.cross(u.cross(v) + w * v)
    };
    let origin = cell.position.frame.origin.as_dvec3();
    let planes = cell.structure.volume.planes().iter();
    planes
        .map(|plane| {
            let normal = turn(plane.normal.as_dvec3());
            normal.dot(p.as_dvec3() - origin) + f64::from(plane.d)
        })
        .collect()
}

/// Whether the answer depends on rounding.
fn near(distances: &[f64], boundary: f64) -> bool {
    distances.iter().any(|d| (d - boundary).abs() < 1e-3)
}

fn point_near(cell: &EnvCell, t: [f32; 3]) -> Vec3 {
    let Aabb { min, max } = cell.structure.bounds;
    cell.position.frame.apply(min + (max - min) * Vec3::from(t))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn points(cell in any::<prop::sample::Index>(), t in prop::array::uniform3(-0.4f32..1.4)) {
        let cells = cells();
        let cell = *cell.get(&cells);
        let p = point_near(cell, t);
        let distances = distances(cell, p);
        prop_assume!(!near(&distances, 0.0));
        prop_assert_eq!(cell.contains(p), distances.iter().all(|&d| d > 0.0));
    }

    #[test]
    fn spheres(cell in any::<prop::sample::Index>(), t in prop::array::uniform3(-0.5f32..1.5), radius in 0.05f32..3.0) {
        let cells = cells();
        let cell = *cell.get(&cells);
        let p = point_near(cell, t);
        let reach = f64::from(radius + VOLUME_PAD);
        let distances = distances(cell, p);
        prop_assume!(!near(&distances, reach) && !near(&distances, -reach));
        let expected = if distances.iter().any(|&d| d < -reach) {
            Overlap::Outside
        } else if distances.iter().all(|&d| d > reach) {
            Overlap::Inside
        } else {
            Overlap::Partial
        };
        let local = Sphere { center: cell.position.frame.apply_inverse(p), radius };
        prop_assert_eq!(cell.structure.volume.overlap_sphere(&local), expected);
    }

    #[test]
    fn boxes(cell in any::<prop::sample::Index>(), t in prop::array::uniform3(-0.5f32..1.5), size in prop::array::uniform3(0.05f32..4.0)) {
        let cells = cells();
        let cell = *cell.get(&cells);
        let min = cell.position.frame.apply_inverse(point_near(cell, t));
        let bounds = Aabb { min, max: min + Vec3::from(size) };
        let corners = bounds.corners().map(|c| distances(cell, cell.position.frame.apply(c)));
        prop_assume!(!corners.iter().any(|distances| near(distances, 0.0)));
        let planes = cell.structure.volume.planes().len();
        let apart = (0..planes).any(|plane| corners.iter().all(|distances| distances[plane] < 0.0));
        prop_assert_eq!(cell.structure.volume.intersects_box(&bounds), !apart);
    }
}

/// Spec: physics-tests 32.
#[test]
fn a_chain_of_two_planes() {
    use threshold_world::{bsp::CellVolume, geometry::Plane};
    let planes = [Plane { normal: Vec3::X, d: 0.0 }, Plane { normal: -Vec3::X, d: 4.0 }];
    let volume = CellVolume::from_iter(planes);
    let at = |x: f32| Vec3::new(x, 7.0, -3.0);
    assert!(volume.contains(at(-0.0001)) && !volume.contains(at(-0.0003)));
    let sphere = |x: f32| volume.overlap_sphere(&Sphere { center: at(x), radius: 0.48 });
    assert_eq!([-0.48, -0.50, 2.0].map(sphere), [Overlap::Partial, Overlap::Outside, Overlap::Inside]);
    let block = |x: f32| volume.intersects_box(&Aabb { min: at(x), max: at(x) + Vec3::splat(0.5) });
    assert_eq!([-0.51, -0.5, 1.0, 4.0, 4.01].map(block), [false, true, true, true, false]);
}
