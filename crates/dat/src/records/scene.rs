//! Groups of scenery. Spec: dat-portal §12.

use super::{DatRecord, PlacedObject};
use crate::RecordKind;
use crate::codec::wire_struct;

wire_struct! {
    /// Scenery that may be generated on a land cell.
    #[derive(Default)]
    pub struct Scene {
        /// Each is tried on its own.
        pub objects: Vec<SceneObject>,
    }
}

impl DatRecord for Scene {
    const KIND: RecordKind = RecordKind::Scene;
}

wire_struct! {
    /// An object of a scene and how it is varied.
    #[derive(Default)]
    pub struct SceneObject {
        /// The object, and its base position within the cell; 0 for nothing.
        pub object: PlacedObject,
        /// 0…1, how often it appears.
        pub frequency: f32,
        /// Metres by which it is moved.
        pub displace: [f32; 2],
        /// Smallest size.
        pub min_scale: f32,
        /// Greatest size.
        pub max_scale: f32,
        /// Degrees.
        pub max_rotation: f32,
        /// Smallest z of the terrain's normal it stands on.
        pub min_slope: f32,
        /// Greatest z of the terrain's normal it stands on.
        pub max_slope: f32,
        /// Non-zero: aligned to the ground.
        pub align: i32,
        /// Non-zero: turned in a random direction.
        pub orient: i32,
        /// Non-zero: placed by the server, not drawn as scenery.
        pub weenie: u32,
    }
}
