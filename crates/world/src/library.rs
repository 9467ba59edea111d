//! The library of shared data, each loaded once: structures, meshes, models, the region's heights.

use crate::{
    BlockId, build,
    cell::CellStruct,
    ladder::Ladder,
    load::block_ids,
    model::{Mesh, Model},
    motion::{Animation, MotionTable},
    problem::Problem,
    source::Source,
};
use std::{
    any::Any,
    collections::{BTreeSet, HashMap, VecDeque},
    hash::Hash,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};
use threshold_dat::{
    DatId, Error, IdScheme,
    records::{DatRecord, DegradeInfo, Environment, GfxObj, Region, Scene, Setup},
};

/// The region record; there is one.
pub const REGION: DatId = DatId(0x1300_0000);

/// Structures of one Environment under their keys.
type Structures = Box<[(u32, Arc<CellStruct>)]>;

/// The contents of a DegradeInfo record.
#[derive(Clone, Debug, PartialEq)]
pub struct LadderRecord {
    /// Its levels; `None` when the mesh itself is drawn at any distance.
    pub ladder: Option<Arc<Ladder>>,
    /// It begins with a level that is not an ordinary mesh. Spec: physics-cells §3.10.
    pub starts_flat: bool,
}

/// A source and the shared data built from its records; each is built once, by the first thread that needs it.
///
/// Results are `None` when a record is missing or cannot be used. Such a record is reported once, through
/// [`Library::take_problems`], and retried after [`Library::release_unused`]. An error means that the source
/// could not answer at the moment: nothing is cached, and the next call tries again.
pub struct Library {
    source: Arc<dyn Source>,
    environments: Cache<DatId, Structures>,
    meshes: Cache<DatId, Mesh>,
    ladders: Cache<DatId, LadderRecord>,
    models: Cache<DatId, Model>,
    animations: Cache<DatId, Animation>,
    motion_tables: Cache<DatId, MotionTable>,
    regions: Cache<DatId, Region>,
    scenes: Cache<DatId, Scene>,
    heights: Cache<DatId, [f32; 256]>,
    recent: Mutex<RecentRecords>,
    /// Blocks of the map, once they were asked for.
    blocks: OnceLock<Vec<BlockId>>,
    /// Whether blocks are loaded with scenery.
    grows_scenery: bool,
    problems: Mutex<Problems>,
}

/// Problems by whether they have been told already.
#[derive(Default)]
struct Problems {
    new: Vec<Problem>,
    known: BTreeSet<Problem>,
}

impl Library {
    /// A library over a source, empty yet.
    pub fn new(source: Arc<dyn Source>) -> Library {
        Library {
            source,
            environments: Cache::default(),
            meshes: Cache::default(),
            ladders: Cache::default(),
            models: Cache::default(),
            animations: Cache::default(),
            motion_tables: Cache::default(),
            regions: Cache::default(),
            scenes: Cache::default(),
            heights: Cache::default(),
            recent: Mutex::default(),
            blocks: OnceLock::new(),
            grows_scenery: true,
            problems: Mutex::default(),
        }
    }

    /// The same library, without scenery.
    #[must_use]
    pub fn without_scenery(self) -> Library {
        Library { grows_scenery: false, ..self }
    }

    /// Whether blocks are loaded with scenery.
    pub fn grows_scenery(&self) -> bool {
        self.grows_scenery
    }

    /// Where the records come from.
    pub fn source(&self) -> &Arc<dyn Source> {
        &self.source
    }

    /// Whether the map has a block, with its own records or as a hole among others ([`block_ids`]).
    pub fn has_block(&self, id: BlockId) -> Result<bool, Error> {
        if self.blocks.get().is_none() {
            // Another thread may have been faster, with the same blocks.
            let _ = self.blocks.set(block_ids(&*self.source)?.0);
        }
        Ok(self.blocks.get().is_some_and(|blocks| blocks.binary_search(&id).is_ok()))
    }

    /// A structure of an Environment.
    pub fn structure(&self, environment: DatId, key: u32) -> Result<Option<Arc<CellStruct>>, Error> {
        let structures = self.environments.get(environment, || {
            let Some(record) = self.load_shared::<Environment>(environment)? else { return Ok(None) };
            let mut structures: Vec<(u32, Arc<CellStruct>)> = Vec::with_capacity(record.structures.len());
            for (key, structure) in &record.structures {
                structures.push((*key, Arc::new(build::cell_struct(environment, *key, structure))));
            }
            // The first one counts when a key occurs twice.
            structures.sort_by_key(|(key, _)| *key);
            structures.dedup_by_key(|(key, _)| *key);
            Ok(Some(structures.into_boxed_slice()))
        })?;
        Ok(structures.and_then(|list| {
            let index = list.binary_search_by_key(&key, |(key, _)| *key).ok()?;
            Some(list[index].1.clone())
        }))
    }

    /// A mesh.
    pub fn mesh(&self, id: DatId) -> Result<Option<Arc<Mesh>>, Error> {
        self.meshes.get(id, || {
            let Some(record) = self.load_shared::<GfxObj>(id)? else { return Ok(None) };
            let ladder = match record.degrade {
                Some(ladder) => self.ladder(ladder)?,
                None => None,
            };
            Ok(Some(build::mesh(id, &record, ladder.as_deref())))
        })
    }

    /// A distance ladder.
    pub fn ladder(&self, id: DatId) -> Result<Option<Arc<LadderRecord>>, Error> {
        self.ladders.get(id, || {
            Ok(self.load::<DegradeInfo>(id)?.map(|record| LadderRecord {
                starts_flat: record.levels.first().is_some_and(|level| level.mode != 1),
                ladder: Ladder::new(&record).map(Arc::new),
            }))
        })
    }

    /// A model: a Setup, or a mesh as a model of one part.
    pub fn model(&self, id: DatId) -> Result<Option<Arc<Model>>, Error> {
        self.models.get(id, || match id.0 >> 24 {
            0x01 => Ok(self.mesh(id)?.map(build::bare_model)),
            0x02 => {
                let Some(setup) = self.load_shared::<Setup>(id)? else { return Ok(None) };
                let mut failed = None;
                let model = build::model(id, &setup, |mesh| {
                    // Part 0 stands for "nothing here".
                    if mesh == DatId(0) {
                        return None;
                    }
                    self.mesh(mesh).unwrap_or_else(|error| {
                        failed = Some(error);
                        None
                    })
                });
                failed.map_or(Ok(Some(model)), Err)
            }
            _ => {
                self.report(Problem::new(id, "is neither a GfxObj (0x01……) nor a Setup (0x02……)"));
                Ok(None)
            }
        })
    }

    /// An animation.
    pub fn animation(&self, id: DatId) -> Result<Option<Arc<Animation>>, Error> {
        self.animations.get(id, || Ok(self.load(id)?.map(|record| Animation::new(id, record))))
    }

    /// A motion table with its animations. Missing animations are reported.
    pub fn motion_table(&self, id: DatId) -> Result<Option<Arc<MotionTable>>, Error> {
        self.motion_tables.get(id, || {
            let Some(record) = self.load(id)? else { return Ok(None) };
            let mut failed = None;
            let animation = |id| {
                self.animation(id).unwrap_or_else(|error| {
                    failed = Some(error);
                    None
                })
            };
            let table = MotionTable::new(id, &record, animation, |what| self.report(Problem::new(id, what)));
            failed.map_or(Ok(Some(table)), Err)
        })
    }

    /// The region: heights, ground, sky and scenery rules.
    pub fn region(&self) -> Result<Option<Arc<Region>>, Error> {
        self.regions.get(REGION, || self.load(REGION))
    }

    /// A group of scenery.
    pub fn scene(&self, id: DatId) -> Result<Option<Arc<Scene>>, Error> {
        self.scenes.get(id, || self.load(id))
    }

    /// Metres of each height index.
    pub fn heights(&self) -> Result<Arc<[f32; 256]>, Error> {
        let heights = self.heights.get(REGION, || {
            let region = self.region()?;
            Ok(region.map(|region| std::array::from_fn(|i| region.land.height(i as u8))))
        })?;
        // Without a region, two metres a step keeps land and interiors of one block apart sensibly.
        Ok(heights.unwrap_or_else(|| Arc::new(std::array::from_fn(|i| i as f32 * 2.0))))
    }

    /// Problems met since the last call, in order of ids.
    pub fn take_problems(&self) -> Vec<Problem> {
        let mut problems = std::mem::take(&mut lock(&self.problems).new);
        problems.sort();
        problems
    }

    pub(crate) fn report(&self, problem: Problem) {
        let mut problems = lock(&self.problems);
        if problems.known.insert(problem.clone()) {
            problems.new.push(problem);
        }
    }

    /// Drops data that nothing else uses, and the list of unusable records, which may be readable by now. Data that every
    /// block needs stays. Returns the number of dropped items.
    pub fn release_unused(&self) -> usize {
        // Models hold meshes, motion tables hold animations.
        self.models.release_unused()
            + self.motion_tables.release_unused()
            + self.animations.release_unused()
            + self.meshes.release_unused()
            + self.ladders.release_unused()
            + self.environments.release_unused_lists()
            + self.heights.forget_failures()
            + self.regions.forget_failures()
            + self.scenes.forget_failures()
    }

    /// A portal record; `None` when it is missing. Nothing is cached or reported.
    pub fn record<R: DatRecord>(&self, id: DatId) -> Result<Option<R>, Error> {
        read(&*self.source, IdScheme::Portal, id)
    }

    /// A portal record that both collision and drawing use: decoded for the first of them, and passed on to the other.
    /// Nothing is reported.
    pub fn shared_record<R: DatRecord + Any + Send + Sync>(
        &self,
        id: DatId,
    ) -> Result<Option<Arc<R>>, Error> {
        if let Some(record) = lock(&self.recent).take(id).and_then(|record| record.downcast().ok()) {
            return Ok(Some(record));
        }
        let Some(bytes) = self.source.record(IdScheme::Portal, id)? else { return Ok(None) };
        let record = Arc::new(R::load(id, &bytes)?);
        lock(&self.recent).keep(id, record.clone(), bytes.len());
        Ok(Some(record))
    }

    /// A portal record; `None`, with a report, when it is missing or damaged.
    fn load<R: DatRecord>(&self, id: DatId) -> Result<Option<R>, Error> {
        self.reported::<R, R>(id, self.record(id))
    }

    fn load_shared<R: DatRecord + Any + Send + Sync>(&self, id: DatId) -> Result<Option<Arc<R>>, Error> {
        self.reported::<R, Arc<R>>(id, self.shared_record(id))
    }

    /// Reports what is missing or damaged; only an error that may pass stays one.
    fn reported<R: DatRecord, T>(
        &self,
        id: DatId,
        answer: Result<Option<T>, Error>,
    ) -> Result<Option<T>, Error> {
        match answer {
            Ok(Some(record)) => Ok(Some(record)),
            Ok(None) => {
                self.report(Problem::new(id, format!("{} is missing", R::KIND)));
                Ok(None)
            }
            Err(error) if error.is_transient() => Err(error),
            Err(error) => {
                self.report(Problem::unreadable(id, &error));
                Ok(None)
            }
        }
    }
}

/// Reads and decodes a record.
pub(crate) fn read<R: DatRecord>(
    source: &dyn Source,
    scheme: IdScheme,
    id: DatId,
) -> Result<Option<R>, Error> {
    match source.record(scheme, id)? {
        Some(bytes) => Ok(Some(R::load(id, &bytes)?)),
        None => Ok(None),
    }
}

/// Bytes, as stored, of the records that [`RecentRecords`] keeps at most.
const RECENT_BYTES: usize = 8 << 20;

/// Records that were decoded lately and that one of two has had; the oldest make room for new ones.
#[derive(Default)]
struct RecentRecords {
    records: HashMap<DatId, (Arc<dyn Any + Send + Sync>, usize)>,
    /// Oldest first; those that were taken since are still named.
    order: VecDeque<DatId>,
    bytes: usize,
}

impl RecentRecords {
    fn take(&mut self, id: DatId) -> Option<Arc<dyn Any + Send + Sync>> {
        let (record, bytes) = self.records.remove(&id)?;
        self.bytes -= bytes;
        Some(record)
    }

    fn keep(&mut self, id: DatId, record: Arc<dyn Any + Send + Sync>, bytes: usize) {
        if let Some((_, replaced)) = self.records.insert(id, (record, bytes)) {
            self.bytes -= replaced;
        } else {
            self.order.push_back(id);
        }
        self.bytes += bytes;
        while self.bytes > RECENT_BYTES || self.order.len() > 2 * self.records.len() + 64 {
            let Some(oldest) = self.order.pop_front() else { break };
            self.take(oldest);
        }
    }
}

type Slot<T> = Arc<Mutex<Option<Option<Arc<T>>>>>;

/// Values by key, each made once.
struct Cache<K, T>(Mutex<HashMap<K, Slot<T>>>);

impl<K, T> Default for Cache<K, T> {
    fn default() -> Self {
        Cache(Mutex::default())
    }
}

impl<K: Eq + Hash, T> Cache<K, T> {
    fn get(&self, key: K, make: impl FnOnce() -> Result<Option<T>, Error>) -> Result<Option<Arc<T>>, Error> {
        let slot = lock(&self.0).entry(key).or_default().clone();
        // Held while the value is made, so that others wait for it instead of making it too.
        let mut slot = lock(&slot);
        if let Some(value) = &*slot {
            return Ok(value.clone());
        }
        let value = make()?.map(Arc::new);
        *slot = Some(value.clone());
        Ok(value)
    }

    fn retain(&self, keep: impl Fn(&T, usize) -> bool) -> usize {
        let mut map = lock(&self.0);
        let before = map.len();
        map.retain(|_, slot| {
            Arc::strong_count(slot) > 1
                || matches!(&*lock(slot), Some(Some(value)) if keep(value, Arc::strong_count(value)))
        });
        before - map.len()
    }

    fn release_unused(&self) -> usize {
        self.retain(|_, holders| holders > 1)
    }

    fn forget_failures(&self) -> usize {
        self.retain(|_, _| true)
    }
}

impl<K: Eq + Hash> Cache<K, Structures> {
    /// Structures are handed out one by one.
    fn release_unused_lists(&self) -> usize {
        self.retain(|list, _| list.iter().any(|(_, structure)| Arc::strong_count(structure) > 1))
    }
}

/// A lock whose holder panicked protects nothing that could be half done here.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
