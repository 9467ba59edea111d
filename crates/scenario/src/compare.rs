//! Compares the result of a sweep with the recorded one.

use super::format::After;
use glam::Vec3;
use std::borrow::Cow;
use threshold_world::{Quat, coords::block_offset};

/// How much two results may differ.
#[derive(Clone, Copy, Debug)]
pub struct Tolerance {
    /// Metres, for origins and the distance of planes.
    pub origin: f32,
    /// Per component, for normals.
    pub normal: f32,
    /// How far the product of two orientations may be from 1.
    pub rotation: f32,
}

impl Default for Tolerance {
    fn default() -> Self {
        Tolerance { origin: 0.001, normal: 0.001, rotation: 1e-6 }
    }
}

/// A field that differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Which one.
    pub field: Cow<'static, str>,
    /// The recorded value.
    pub expected: String,
    /// The actual value.
    pub found: String,
}

/// Distance between two origins, whatever blocks they are in.
pub fn origin_error(expected: &After, found: &After) -> f32 {
    let shift = block_offset(expected.cell, found.cell);
    (Vec3::from(found.origin) + shift - Vec3::from(expected.origin)).length()
}

/// Fields in which two results differ; `cells` says whether to compare the cell set. Orientations are compared if one is
/// expected.
pub fn compare(expected: &After, found: &After, tolerance: &Tolerance, cells: bool) -> Vec<Difference> {
    let mut differences = Vec::new();
    let mut check = |field: &'static str, same: bool, expected: String, found: String| {
        if !same {
            differences.push(Difference { field: field.into(), expected, found });
        }
    };
    macro_rules! exact {
        ($($field:ident),*) => {$(
            let (e, f) = (&expected.$field, &found.$field);
            check(stringify!($field), e == f, format!("{e:?}"), format!("{f:?}"));
        )*};
    }
    exact!(ok, cell, contact, on_walkable, lost, collided_env, collided_with);
    let error = origin_error(expected, found);
    check(
        "origin",
        error <= tolerance.origin,
        format!("{:?}", expected.origin),
        format!("{:?} ({error} m off)", found.origin),
    );
    if let Some(rotation) = expected.rotation {
        let same = found.rotation.is_some_and(|found| same_rotation(rotation, found, tolerance.rotation));
        check("rotation", same, format!("{rotation:?}"), format!("{:?}", found.rotation));
    }
    check(
        "contact_plane",
        same_plane(expected, found, tolerance),
        format!("{:?}", expected.contact_plane),
        format!("{:?}", found.contact_plane),
    );
    for (field, e, f) in [
        ("sliding_normal", expected.sliding_normal, found.sliding_normal),
        ("collision_normal", expected.collision_normal, found.collision_normal),
    ] {
        check(field, same_normal(e, f, tolerance.normal), format!("{e:?}"), format!("{f:?}"));
    }
    if cells {
        let same = expected.cell_array == found.cell_array;
        check("cell_array", same, format!("{:?}", expected.cell_array), format!("{:?}", found.cell_array));
    }
    differences
}

/// A quaternion and its negation are the same orientation.
fn same_rotation(a: Quat, b: Quat, tolerance: f32) -> bool {
    1.0 - a.normalized().dot(b.normalized()).abs() <= tolerance
}

fn same_normal(a: Option<[f32; 3]>, b: Option<[f32; 3]>, tolerance: f32) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a.iter().zip(b).all(|(a, b)| (a - b).abs() <= tolerance),
        (None, None) => true,
        _ => false,
    }
}

/// Planes are compared at the mover, as far from the block's corner the bare offset amplifies the normal's error.
fn same_plane(expected: &After, found: &After, tolerance: &Tolerance) -> bool {
    let split = |after: &After| {
        after.contact_plane.map(|[x, y, z, d]| ([x, y, z], Vec3::new(x, y, z).dot(after.origin.into()) + d))
    };
    match (split(expected), split(found)) {
        (Some((n, height)), Some((m, other))) => {
            same_normal(Some(n), Some(m), tolerance.normal) && (height - other).abs() <= tolerance.origin
        }
        (None, None) => true,
        _ => false,
    }
}
