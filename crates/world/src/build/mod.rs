//! Turns decoded records into the flat geometry that everything shares.
//!
//! References to things that do not exist are dropped: a polygon without its vertices, a leaf's reference to
//! such a polygon, an opening without its polygon. Spec: dat-portal §2.4, §3.4.

mod mesh;
mod polygons;
mod structure;
mod tree;

pub(crate) use mesh::{bare_model, mesh, model};
pub(crate) use structure::cell_struct;

use crate::{
    frame::{Frame, Quat},
    geometry::{Plane, Sphere},
};
use glam::Vec3;
use threshold_dat::records;

/// A stored frame; an invalid rotation becomes the identity.
pub(crate) fn frame(stored: &records::Frame) -> Frame {
    Frame::new(Vec3::from(stored.origin), Quat::from(stored.rotation))
}

fn sphere(stored: &records::Sphere) -> Sphere {
    Sphere { center: Vec3::from(stored.center), radius: stored.radius }
}

/// A stored plane as it is, unless its normal is far from unit length. Spec: dat-portal §3.4.
fn plane(stored: &records::Plane) -> Plane {
    let plane = Plane { normal: Vec3::from(stored.normal), d: stored.d };
    let length = plane.normal.length();
    if (0.9..=1.1).contains(&length) || length < 1e-6 {
        return plane;
    }
    Plane { normal: plane.normal / length, d: plane.d / length }
}
