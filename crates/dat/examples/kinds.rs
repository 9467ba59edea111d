//! Lists how many records of each kind a dat file has, and how many bytes they take.
//!
//! `cargo run -p threshold-dat --example kinds -- client_portal.dat`

use std::{collections::BTreeMap, error::Error};
use threshold_dat::container::DatFile;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: kinds FILE.dat")?;
    let dat = DatFile::open(path)?;
    let mut kinds: BTreeMap<_, (u32, u64)> = BTreeMap::new();
    for entry in dat.entries() {
        let entry = entry?;
        let (count, bytes) = kinds.entry(entry.id.kind(dat.scheme())).or_default();
        *count += 1;
        *bytes += u64::from(entry.size);
    }
    for (kind, (count, bytes)) in kinds {
        println!("{count:>8} {bytes:>12}  {kind}");
    }
    Ok(())
}
