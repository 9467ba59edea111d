//! Recorded sweeps of an independent implementation.

use std::{collections::BTreeMap, fs, path::Path, sync::Arc};
use threshold_physics::script::{Record, Stage, Tolerance, compare, replay_record};
use threshold_world::{Library, source::DatSource};

fn stage(world: &str) -> Stage {
    let source = DatSource::open(threshold_golden::world_dir(world)).expect("golden world");
    Stage::load(Library::new(Arc::new(source))).expect("golden world loads")
}

fn run(world: &str, file: &Path) {
    let mut stage = stage(world);
    let text = fs::read_to_string(file).expect("captures");
    let mut fields: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut records, mut fragile, mut bad, mut shown) = (0, 0, 0, 0);
    for line in text.lines() {
        let record: Record = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
        if let Some(entities) = &record.entities {
            stage.reset();
            stage.spawn_entities(entities).unwrap();
        }
        records += 1;
        let after = replay_record(&mut stage, &record).unwrap();
        let differences = compare(&record.after, &after, &Tolerance::default(), !record.fragile_cells);
        if record.fragile {
            fragile += usize::from(!differences.is_empty());
            continue;
        }
        if !differences.is_empty() {
            bad += 1;
            for d in &differences {
                *fields.entry(d.field).or_default() += 1;
            }
            if shown < 12 {
                shown += 1;
                eprintln!("{}", record.id);
                for d in differences {
                    eprintln!("   {}: expected {} found {}", d.field, d.expected, d.found);
                }
            }
        }
    }
    eprintln!("{world}: {records} records, {bad} disagree, {fragile} fragile differ, by field {fields:?}");
    assert_eq!(bad, 0, "{world}");
}

#[test]
fn all_captures() {
    let full = threshold_golden::full().unwrap();
    let mut failed = Vec::new();
    for world in ["cottage", "dungeon", "hostile", "plains", "seam"] {
        let file = full.join(format!("captures/{world}.jsonl"));
        if std::panic::catch_unwind(|| run(world, &file)).is_err() {
            failed.push(world);
        }
    }
    assert!(failed.is_empty(), "{failed:?}");
}
