//! A source that fails, takes its time and returns damaged records.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    io,
    ops::RangeInclusive,
    path::PathBuf,
    sync::{Mutex, atomic::AtomicBool, atomic::Ordering},
    thread,
    time::Duration,
};
use threshold_dat::{DatId, Error, IdScheme};
use threshold_world::source::{Listing, Source};

/// Once in how many reads something goes wrong; 0 for never.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Odds {
    pub(crate) fail: u64,
    pub(crate) corrupt: u64,
    pub(crate) delay: u64,
}

/// What went wrong so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) failed: u64,
    pub(crate) corrupted: u64,
    pub(crate) delayed: u64,
}

/// Another source with faults. What happens to a record depends on the seed, its id and how often it was asked for, not
/// on the order of threads.
pub(crate) struct Faulty<S> {
    inner: S,
    odds: Odds,
    seed: u64,
    healed: AtomicBool,
    asked: Mutex<BTreeMap<DatId, u64>>,
    counts: Mutex<Counts>,
}

impl<S: Source> Faulty<S> {
    pub(crate) fn new(inner: S, odds: Odds, seed: u64) -> Faulty<S> {
        let (asked, counts) = (Mutex::default(), Mutex::default());
        Faulty { inner, odds, seed, healed: AtomicBool::new(false), asked, counts }
    }

    /// From now on everything is as it should be.
    pub(crate) fn heal(&self) {
        self.healed.store(true, Ordering::Relaxed);
    }

    pub(crate) fn counts(&self) -> Counts {
        *self.counts.lock().unwrap()
    }

    fn roll(&self, id: DatId) -> u64 {
        let mut asked = self.asked.lock().unwrap();
        let attempt = asked.entry(id).or_default();
        *attempt += 1;
        mix(self.seed ^ mix(u64::from(id.0) << 20 ^ *attempt))
    }
}

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9).wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Cuts a record off, or changes a few of its bytes.
fn damage(bytes: &mut Vec<u8>, mut dice: u64) {
    let len = bytes.len().max(1) as u64;
    if dice.is_multiple_of(4) {
        bytes.truncate((mix(dice) % len) as usize);
        return;
    }
    for _ in 0..1 + dice % 7 {
        dice = mix(dice);
        if let Some(byte) = bytes.get_mut((dice % len) as usize) {
            *byte ^= (dice >> 40) as u8 | 1;
        }
    }
}

impl<S: Source> Source for Faulty<S> {
    fn record(&self, scheme: IdScheme, id: DatId) -> Result<Option<Cow<'_, [u8]>>, Error> {
        if self.healed.load(Ordering::Relaxed) {
            return self.inner.record(scheme, id);
        }
        let dice = self.roll(id);
        let hit = |odds: u64, salt: u64| odds > 0 && mix(dice ^ salt).is_multiple_of(odds);
        if hit(self.odds.delay, 1) {
            self.counts.lock().unwrap().delayed += 1;
            thread::sleep(Duration::from_micros(dice % 2000));
        }
        if hit(self.odds.fail, 2) {
            self.counts.lock().unwrap().failed += 1;
            let source = io::ErrorKind::TimedOut.into();
            return Err(Error::Io { path: PathBuf::from("a slow disk"), source });
        }
        let record = self.inner.record(scheme, id)?;
        if hit(self.odds.corrupt, 3)
            && let Some(bytes) = record
        {
            self.counts.lock().unwrap().corrupted += 1;
            let mut bytes = bytes.into_owned();
            damage(&mut bytes, dice);
            return Ok(Some(bytes.into()));
        }
        Ok(record)
    }

    fn ids(&self, scheme: IdScheme, range: RangeInclusive<DatId>) -> Result<Listing, Error> {
        self.inner.ids(scheme, range)
    }
}
