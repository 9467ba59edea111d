//! Counts the objects of each class in the community's SQL files, the most frequent first.
//!
//! `cargo run --release -p threshold-ace --example census -- landblocks/*.sql weenies/*.sql`

use std::{collections::BTreeMap, error::Error, path::PathBuf};
use threshold_ace::Database;

fn main() -> Result<(), Box<dyn Error>> {
    let files: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    if files.is_empty() {
        return Err("usage: census FILE.sql…".into());
    }
    let database = Database::open(&files)?;
    let mut classes: BTreeMap<u32, u32> = BTreeMap::new();
    for instance in database.instances() {
        *classes.entry(instance.class).or_default() += 1;
    }
    let mut classes: Vec<(u32, u32)> = classes.into_iter().collect();
    classes.sort_by_key(|&(class, count)| (std::cmp::Reverse(count), class));
    for (class, count) in classes {
        let name = database.class(class).and_then(|class| class.name.as_deref());
        println!("{count:>8}  {class:>6} {}", name.unwrap_or("(not in the files)"));
    }
    Ok(())
}
