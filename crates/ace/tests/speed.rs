//! How long a check of all of a server's objects takes, on a map as large as the game's; and that it finds what it should, on a
//! small one.
//!
//! `cargo test --release -p threshold-ace --test speed -- --ignored --nocapture`

mod support;

use std::{
    borrow::Cow,
    ops::RangeInclusive,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Instant,
};
use threshold_ace::{CheckOptions, Database};
use threshold_dat::{
    DatId, Error, IdScheme,
    records::{DatRecord, EnvCell, LandBlock, LandBlockInfo},
};
use threshold_world::{
    Library,
    placed::ObjectKind,
    source::{DatSource, Listing, Source},
};

/// Blocks a side of the game's map.
const SIDE: u32 = 255;
/// Blocks a side of a small map: 30 villages.
const SMALL_SIDE: u32 = 25;
/// The sample world's village, with five houses, and open land beside it.
const VILLAGE: u32 = 0x8080;
const FIELD: u32 = 0x8081;
/// Rows of ACE-World, about.
const ROWS: usize = 60_000;
const FEW_ROWS: usize = 600;

/// The sample world's blocks, over and over.
struct Tiled {
    sample: DatSource,
    side: u32,
}

impl Tiled {
    /// Which block of the sample world a block is; villages are as near to each other as there are rows.
    fn template(block: u32) -> u32 {
        let (x, y) = (block >> 8, block & 0xFF);
        if x % 5 == 0 && y % 4 == 0 { VILLAGE } else { FIELD }
    }

    fn is_on_map(&self, id: DatId) -> bool {
        let block = id.0 >> 16;
        block >> 8 < self.side && block & 0xFF < self.side
    }
}

impl Source for Tiled {
    fn record(&self, scheme: IdScheme, id: DatId) -> Result<Option<Cow<'_, [u8]>>, Error> {
        if scheme == IdScheme::Portal {
            return self.sample.record(scheme, id);
        }
        if !self.is_on_map(id) {
            return Ok(None);
        }
        let own = DatId(Tiled::template(id.0 >> 16) << 16 | id.0 & 0xFFFF);
        let Some(bytes) = self.sample.record(scheme, own)? else { return Ok(None) };
        let bytes = match id.0 & 0xFFFF {
            0xFFFF => LandBlock::load(own, &bytes)?.encode(id)?,
            0xFFFE => LandBlockInfo::load(own, &bytes)?.encode(id)?,
            _ => EnvCell::load(own, &bytes)?.encode(id)?,
        };
        Ok(Some(Cow::Owned(bytes)))
    }

    fn ids(&self, scheme: IdScheme, range: RangeInclusive<DatId>) -> Result<Listing, Error> {
        if scheme == IdScheme::Portal {
            return self.sample.ids(scheme, range);
        }
        let mut ids = Vec::new();
        for block in range.start().0 >> 16..=range.end().0 >> 16 {
            let own = Tiled::template(block) << 16;
            for id in self.sample.ids(scheme, DatId(own)..=DatId(own | 0xFFFF))?.ids {
                let id = DatId(block << 16 | id.0 & 0xFFFF);
                if self.is_on_map(id) && range.contains(&id) {
                    ids.push(id);
                }
            }
        }
        Ok(ids.into())
    }
}

#[test]
#[ignore = "takes most of a minute"]
fn all_objects_of_a_server_are_checked_within_a_minute() {
    let seconds = check(SIDE, ROWS);
    assert!(seconds < 60.0, "{seconds} s");
}

#[test]
fn objects_of_a_small_map_are_all_checked() {
    check(SMALL_SIDE, FEW_ROWS);
}

/// Checks so many rows on a map of so many blocks a side; returns how long it took.
fn check(side: u32, wanted_rows: usize) -> f64 {
    let sample = threshold_sample::build().expect("the sample world");
    let village: Vec<_> = sample
        .entities
        .iter()
        .filter(|object| object.cell.0 >> 16 == VILLAGE && object.kind != ObjectKind::Other)
        .collect();
    let mut text = support::classes(&village) + support::INSTANCES;
    let (mut rows, mut misplaced) = (0, 0usize);
    'all: for copy in 0.. {
        for block in (0..side * 256).filter(|block| block & 0xFF < side && Tiled::template(*block) == VILLAGE)
        {
            for (number, object) in village.iter().enumerate() {
                if rows == wanted_rows {
                    break 'all;
                }
                // Every hundredth is in the air, and what comes after the first of a kind stands beside it.
                let lift = if rows % 100 == 99 { 3.0 } else { 0.0 };
                misplaced += usize::from(lift > 0.0);
                let cell = block << 16 | object.cell.0 & 0xFFFF;
                text += if rows > 0 { "," } else { "" };
                text +=
                    &support::row(number, 0x7000_0000 + rows, object, cell, [copy as f32 * 0.01, 0.0, lift]);
                rows += 1;
            }
        }
    }
    text += ";";
    let library =
        Arc::new(Library::new(Arc::new(Tiled { sample: sample.source().expect("its records"), side })));
    let start = Instant::now();
    let mut database = Database::new();
    database.read("all.sql", &text).expect("SQL");
    let read = start.elapsed();
    let done = AtomicUsize::new(0);
    let progress = |rows: usize| {
        done.fetch_add(rows, Ordering::Relaxed);
    };
    let checked = database
        .check(&library, &CheckOptions::default().progress(&progress))
        .expect("the world can be read");
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{rows} rows on {} blocks: {seconds:.1} s, {:.1} of them reading; {} findings, {misplaced} in the air",
        side * side,
        read.as_secs_f64(),
        checked.findings.len()
    );
    assert_eq!((checked.instances, done.into_inner()), (wanted_rows, wanted_rows));
    assert!(checked.findings.len() >= misplaced, "what is in the air is found");
    seconds
}
