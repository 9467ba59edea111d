//! The sky part of the Region: its objects and lighting. Spec: dat-portal §11.

use super::{Color, Text};
use crate::DatId;
use crate::codec::wire_struct;

wire_struct! {
    /// Sky and light through the day.
    #[derive(Default)]
    pub struct Sky {
        /// Seconds between two updates of the sky.
        pub tick_size: f64,
        /// Seconds between two updates of the light.
        pub light_tick_size: f64,
        /// Kinds of days, one of which is chosen for each day.
        pub day_groups: Vec<DayGroup>,
    }
}

wire_struct! {
    /// A kind of day.
    #[derive(Default)]
    pub struct DayGroup {
        /// Weight when a day is chosen.
        pub chance: f32,
        /// For people.
        pub name: Text,
        /// Objects in the sky.
        pub objects: Vec<SkyObject>,
        /// How it changes.
        pub times: Vec<SkyTime>,
    }
}

wire_struct! {
    /// An object in the sky.
    #[derive(Default)]
    pub struct SkyObject {
        /// Fraction of the day at which it appears.
        pub begin_time: f32,
        /// Fraction of the day at which it is gone.
        pub end_time: f32,
        /// Degrees.
        pub begin_angle: f32,
        /// Degrees.
        pub end_angle: f32,
        /// How its texture moves.
        pub texture_velocity: [f32; 2],
        /// GfxObj.
        pub model: DatId,
        /// PhysicsScript.
        pub script: DatId,
        /// Bits.
        pub properties: u32,
    }
}

wire_struct! {
    /// A moment of the day between which light and fog are interpolated.
    #[derive(Default)]
    pub struct SkyTime {
        /// Fraction of the day.
        pub begin: f32,
        /// Of the sun.
        pub directional_brightness: f32,
        /// Degrees.
        pub directional_heading: f32,
        /// Degrees.
        pub directional_pitch: f32,
        /// Of the sun.
        pub directional_color: Color,
        /// Of the sky.
        pub ambient_brightness: f32,
        /// Of the sky.
        pub ambient_color: Color,
        /// Where fog begins.
        pub fog_minimum: f32,
        /// Where fog is complete.
        pub fog_maximum: f32,
        /// Of the fog.
        pub fog_color: Color,
        /// How fog grows with distance.
        pub fog_mode: u32,
        /// Changes of sky objects at this time.
        pub replacements: Vec<SkyReplacement>,
    }
}

wire_struct! {
    /// A change of a sky object at a time of day.
    #[derive(Default)]
    pub struct SkyReplacement {
        /// Index into the day group's objects.
        pub object: u32,
        /// GfxObj; 0 keeps the object's own.
        pub model: DatId,
        /// Degrees.
        pub rotate: f32,
        /// 0 opaque … 1 invisible.
        pub transparent: f32,
        /// Light of its own.
        pub luminosity: f32,
        /// Brightest it may become.
        pub max_bright: f32,
    }
}
