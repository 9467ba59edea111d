//! Models for greater distances. Spec: dat-portal §6.

use super::DatRecord;
use crate::codec::wire_struct;
use crate::{DatId, RecordKind};

wire_struct! {
    /// The levels of detail of a model, from most to least.
    #[derive(Default)]
    pub struct DegradeInfo {
        /// In order of distance.
        pub levels: Vec<DegradeLevel>,
    }
}

impl DatRecord for DegradeInfo {
    const KIND: RecordKind = RecordKind::DegradeInfo;
}

wire_struct! {
    /// A model and the distances at which it is shown.
    #[derive(Copy, Default)]
    pub struct DegradeLevel {
        /// GfxObj; 0 draws nothing.
        pub model: DatId,
        /// How it is shown.
        pub mode: u32,
        /// Metres.
        pub min_distance: f32,
        /// Metres.
        pub ideal_distance: f32,
        /// Metres.
        pub max_distance: f32,
    }
}
