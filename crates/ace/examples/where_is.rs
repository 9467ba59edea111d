//! Finds everything of one class in files of the community's world database.
//!
//! `cargo run -p threshold-ace --example where_is -- 412 landblocks/*.sql`

use std::{env, error::Error, fs};
use threshold_ace::Database;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let class: u32 = arguments.next().ok_or("usage: where_is CLASS FILE.sql...")?.parse()?;
    let mut database = Database::new();
    for name in arguments {
        database.read(&name, &fs::read_to_string(&name)?)?;
    }
    for instance in database.instances().filter(|instance| instance.class == class) {
        let at = &instance.spot;
        println!("0x{:08X}  0x{:08X} {:?}", instance.guid, at.cell, at.origin);
    }
    Ok(())
}
