//! Records that are kept as they are, each loaded once.

use super::Assets;
use std::{collections::HashMap, sync::Arc};
use threshold_dat::{
    DatId,
    records::{Animation, DatRecord, MotionTable, ParticleEmitter, PhysicsScript, Setup},
};

type Cache<T> = HashMap<DatId, Option<Arc<T>>>;

#[derive(Default)]
pub(super) struct Records {
    setups: Cache<Setup>,
    animations: Cache<Animation>,
    motion_tables: Cache<MotionTable>,
    emitters: Cache<ParticleEmitter>,
    scripts: Cache<PhysicsScript>,
}

impl Assets {
    fn cached<T: DatRecord>(
        &mut self,
        id: DatId,
        cache: impl Fn(&mut Records) -> &mut Cache<T>,
    ) -> Option<Arc<T>> {
        if let Some(known) = cache(&mut self.records).get(&id) {
            return known.clone();
        }
        let (record, is_sure) = self.surely(|assets| assets.load::<T>(id).map(Arc::new));
        if is_sure {
            cache(&mut self.records).insert(id, record.clone());
        }
        record
    }

    /// A setup.
    pub fn setup(&mut self, id: DatId) -> Option<Arc<Setup>> {
        if let Some(known) = self.records.setups.get(&id) {
            return known.clone();
        }
        let (setup, is_sure) = self.surely(|assets| assets.load_shared::<Setup>(id));
        if is_sure {
            self.records.setups.insert(id, setup.clone());
        }
        setup
    }

    /// An animation.
    pub fn animation(&mut self, id: DatId) -> Option<Arc<Animation>> {
        self.cached(id, |r| &mut r.animations)
    }

    /// A motion table.
    pub fn motion_table(&mut self, id: DatId) -> Option<Arc<MotionTable>> {
        self.cached(id, |r| &mut r.motion_tables)
    }

    /// A particle emitter.
    pub fn emitter(&mut self, id: DatId) -> Option<Arc<ParticleEmitter>> {
        self.cached(id, |r| &mut r.emitters)
    }

    /// A physics script.
    pub fn script(&mut self, id: DatId) -> Option<Arc<PhysicsScript>> {
        self.cached(id, |r| &mut r.scripts)
    }
}
