//! Checks of what people write for a world.

use crate::{
    fault::{Fault, ThStatus},
    handles::ThWorld,
    memory::{OutArray, read_text},
    world::with_world,
};
use threshold_ace::{CheckOptions, Database};

/// Checks rows of ACE-World SQL against a world: placements and classes. Writes one line per
/// finding, `sql:LINE: PROBLEM: …`, UTF-8 without a zero at the end; no line when all is well. Classes are looked up in the
/// same text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_check_instances(
    world: *mut ThWorld,
    sql: *const u8,
    length: u32,
    findings: *mut u8,
    capacity: u32,
    count: *mut u32,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let (sql, out) =
            unsafe { (read_text(sql, length, "sql")?, OutArray::new(findings, capacity, count)?) };
        let mut database = Database::new();
        database.read("sql", &sql).map_err(|error| Fault::argument(error.to_string()))?;
        let found = database.check(world.sim.library(), &CheckOptions::default())?.findings;
        let lines: Vec<String> = found.iter().map(ToString::to_string).collect();
        out.set(lines.join("\n").as_bytes())
    })
}
