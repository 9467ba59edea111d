//! What is in a dat file: how many records of each kind, and how many bytes they have.
//!
//! `cargo run --release -p threshold-dat --example census -- client_portal.dat`

use std::{collections::BTreeMap, env, error::Error, process::ExitCode};
use threshold_dat::container::DatFile;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let Some(path) = env::args_os().nth(1) else {
        eprintln!("usage: census FILE.dat");
        return Ok(ExitCode::from(2));
    };
    let file = DatFile::open(path)?;
    let mut kinds: BTreeMap<String, (u32, u64)> = BTreeMap::new();
    for entry in file.entries() {
        let entry = entry?;
        let kind = entry.id.kind(file.scheme()).map_or("unknown".to_owned(), |kind| format!("{kind:?}"));
        let (records, bytes) = kinds.entry(kind).or_default();
        *records += 1;
        *bytes += u64::from(entry.size);
    }
    println!("{:<24}{:>10}{:>14}", "kind", "records", "bytes");
    for (kind, (records, bytes)) in kinds {
        println!("{kind:<24}{records:>10}{bytes:>14}");
    }
    Ok(ExitCode::SUCCESS)
}
