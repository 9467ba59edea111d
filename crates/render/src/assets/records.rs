//! Records that are kept as they are, each loaded once.

use super::{Assets, unanswered::Refusal};
use std::{collections::HashMap, sync::Arc};
use threshold_dat::{
    DatId, Error,
    records::{DatRecord, ParticleEmitter, PhysicsScript, Setup},
};
use threshold_world::{
    Library,
    motion::{Animation, MotionTable},
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

    /// What the library shares with everything else that plays it.
    fn shared<T>(
        &mut self,
        id: DatId,
        cache: impl Fn(&mut Records) -> &mut Cache<T>,
        find: impl FnOnce(&Library) -> Result<Option<Arc<T>>, Error>,
    ) -> Option<Arc<T>> {
        if let Some(known) = cache(&mut self.records).get(&id) {
            return known.clone();
        }
        let (found, is_sure) = self.surely(|assets| match assets.ask(id, find) {
            Ok(Some(found)) => Some(found),
            Ok(None) => {
                assets.report(id, "is missing or damaged: nothing is played");
                None
            }
            Err(Refusal::Damaged(problem)) => {
                assets.report(id, problem);
                None
            }
            Err(Refusal::NotNow) => None,
        });
        if is_sure {
            cache(&mut self.records).insert(id, found.clone());
        }
        found
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
        self.shared(id, |r| &mut r.animations, |library| library.animation(id))
    }

    /// A motion table.
    pub fn motion_table(&mut self, id: DatId) -> Option<Arc<MotionTable>> {
        self.shared(id, |r| &mut r.motion_tables, |library| library.motion_table(id))
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
