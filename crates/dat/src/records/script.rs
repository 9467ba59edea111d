//! Scripts of effects, and the table that chooses one. Spec: dat-portal §14.

use super::{DatRecord, Hook};
use crate::codec::wire_struct;
use crate::{DatId, RecordKind};

wire_struct! {
    /// Effects in time.
    #[derive(Default)]
    pub struct PhysicsScript {
        /// Times should ascend; sort stably for use.
        pub steps: Vec<ScriptStep>,
    }
}

impl DatRecord for PhysicsScript {
    const KIND: RecordKind = RecordKind::PhysicsScript;
}

wire_struct! {
    /// An effect at a time.
    pub struct ScriptStep {
        /// Seconds from the start.
        pub start: f64,
        /// What happens.
        pub hook: Hook,
    }
}

wire_struct! {
    /// Scripts by type and intensity.
    #[derive(Default)]
    pub struct PhysicsScriptTable {
        /// Choices under their script type, in stored order.
        pub scripts: Vec<(u32, Vec<ScriptChoice>)>,
    }
}

impl PhysicsScriptTable {
    /// The script for an intensity: the first whose threshold is not below it.
    pub fn choose(&self, script_type: u32, intensity: f32) -> Option<DatId> {
        let (_, choices) = self.scripts.iter().find(|(stored, _)| *stored == script_type)?;
        choices.iter().find(|choice| choice.threshold >= intensity).map(|choice| choice.script)
    }
}

impl DatRecord for PhysicsScriptTable {
    const KIND: RecordKind = RecordKind::PhysicsScriptTable;
}

wire_struct! {
    /// A script up to an intensity.
    #[derive(Copy, Default)]
    pub struct ScriptChoice {
        /// Greatest intensity it is played for.
        pub threshold: f32,
        /// PhysicsScript.
        pub script: DatId,
    }
}
