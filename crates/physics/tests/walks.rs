//! Scripted walks of an independent implementation, from start to end.

use std::{collections::BTreeMap, fs, sync::Arc};
use threshold_physics::script::{After, Stage, Tolerance, Walk, compare};
use threshold_world::{Library, source::DatSource};

#[test]
fn all_walks() {
    let full = threshold_golden::full().unwrap();
    let mut failures = 0;
    for world in ["cottage", "dungeon", "hostile", "plains", "seam"] {
        let source = DatSource::open(threshold_golden::world_dir(world)).expect("golden world");
        let mut stage = Stage::load(Library::new(Arc::new(source))).expect("golden world loads");
        let mut files: Vec<_> = fs::read_dir(full.join("scenarios").join(world))
            .unwrap()
            .map(|e| e.unwrap().path())
            .filter(|p| p.extension().is_some_and(|e| e == "json"))
            .collect();
        files.sort();
        let mut fields: BTreeMap<String, usize> = BTreeMap::new();
        let (mut lines, mut bad) = (0, 0);
        for file in files {
            let scenario = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
            let expected = fs::read_to_string(file.with_extension("expected.jsonl")).unwrap();
            let mut walk = Walk::begin(&mut stage, scenario).unwrap();
            for line in expected.lines() {
                let value: serde_json::Value = serde_json::from_str(line).unwrap();
                let after: After = serde_json::from_value(value.clone()).unwrap();
                let found = walk.next_line().expect("a line").unwrap();
                let found_json = serde_json::to_value(&found).unwrap();
                let mut mine: After = serde_json::from_value(found_json.clone()).unwrap();
                mine.collision_normal = None;
                lines += 1;
                let fragile = value.get("fragile").is_some();
                let cells = value.get("fragile_cells").is_none();
                let mut differences = compare(&after, &mine, &Tolerance::default(), cells);
                let mut texts: Vec<_> = differences
                    .drain(..)
                    .map(|d| (d.field.to_string(), format!("expected {} found {}", d.expected, d.found)))
                    .collect();
                for key in ["mover_shadow_cells", "entity_shadow_cells"] {
                    if let Some(e) = value.get(key)
                        && cells
                        && found_json.get(key) != Some(e)
                    {
                        texts.push((key.into(), format!("expected {e} found {:?}", found_json.get(key))));
                    }
                }
                if std::env::var("DUMP").is_ok_and(|d| file.ends_with(d)) {
                    eprintln!("{} {:?} {:?}", found.step, after.origin, found.origin);
                }
                if !texts.is_empty() {
                    if !fragile {
                        bad += 1;
                        for (f, _) in &texts {
                            *fields.entry(f.clone()).or_default() += 1;
                        }
                        if bad < 6 {
                            eprintln!("{} step {}", file.display(), found.step);
                            for (f, t) in &texts {
                                eprintln!("   {f}: {t}");
                            }
                        }
                    }
                    break;
                }
            }
        }
        eprintln!("{world}: {lines} lines, {bad} walks disagree {fields:?}");
        failures += bad;
    }
    assert_eq!(failures, 0);
}
