//! The benchmark table, through the program.

use serde_json::Value;
use std::process::{Command, Output};

fn bench(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_threshold")).arg("bench").args(arguments).output().unwrap()
}

#[test]
fn the_table_is_complete_and_its_figures_are_sane() {
    let output = bench(&["--quick", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let table: Value = serde_json::from_slice(&output.stdout).unwrap();
    let machine = &table["machine"];
    assert!(machine["cores"].as_u64().unwrap() >= 1 && !machine["cpu"].as_str().unwrap().is_empty());
    assert_eq!(machine["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(machine["profile"], if cfg!(debug_assertions) { "debug" } else { "release" });

    let rows = table["rows"].as_array().unwrap();
    for (group, least) in [("sweeps", 14), ("scene", 1), ("sim", 10), ("view", 5), ("data", 4), ("frame", 3)]
    {
        let found = rows.iter().filter(|row| row["group"] == group).count();
        assert!(found >= least, "{group}: {found}");
    }
    for row in rows {
        let figure = |field: &str| row[field].as_f64().unwrap_or_else(|| panic!("{field} of {row}"));
        assert!(figure("best_us") > 0.0 && figure("best_us") <= figure("median_us"), "{row}");
        assert!(figure("median_us") < 1e6, "a second for one thing: {row}");
        let product = figure("best_us") * figure("best_per_second");
        assert!((product - 1e6).abs() < 1.0, "{row}");
        assert!(row["runs"].as_u64().unwrap() >= 3 && row.get("ratio").is_none(), "{row}");
        // What is done again and again allocates nothing once it is warm.
        let allocations = row.get("allocations").map(|count| count.as_f64().unwrap());
        assert_eq!(allocations.is_some(), cfg!(feature = "count-allocations"), "{row}");
        if let Some(count) = allocations {
            let is_repeated = ["sweeps", "view", "frame"].iter().any(|group| row["group"] == *group);
            assert!(if is_repeated { count < 0.5 } else { true }, "{row}");
        }
    }
    if cfg!(target_os = "linux") {
        let bytes = table["memory"]["bytes_per_cell"].as_u64().unwrap();
        assert!((100..10_000).contains(&bytes), "{bytes} bytes per cell");
    }
}

#[test]
fn a_folder_without_recordings_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let output = bench(&["--quick", "--golden", dir.path().to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("README.md"));
}

#[test]
fn crowds_are_the_same_on_any_number_of_threads() {
    let output = bench(&["crowd", "--quick", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let table: Value = serde_json::from_slice(&output.stdout).unwrap();
    let rows = table["rows"].as_array().unwrap();
    for (map, movers) in [("hills", 256), ("hills", 1024), ("sample world", 100), ("sample world", 300)] {
        let crowd = |row: &&Value| row["map"] == map && row["movers"] == movers;
        let of_crowd: Vec<&Value> = rows.iter().filter(crowd).collect();
        assert!(!of_crowd.is_empty(), "{movers} movers, {map}: {rows:#?}");
        for row in of_crowd {
            assert!(row["best_ms"].as_f64().unwrap() > 0.0, "{row}");
            assert!(row["sweeps"].as_u64().unwrap() > movers / 2, "nobody moves: {row}");
        }
    }
}

#[test]
fn a_shard_sleeps_where_no_player_is() {
    let output = bench(&["shard", "--quick", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let figures: Value = serde_json::from_slice(&output.stdout).unwrap();
    let figure = |name: &str| figures[name].as_f64().unwrap_or_else(|| panic!("{name}: {figures:#}"));
    assert_eq!((figure("blocks"), figure("cells")), (144.0, 300.0));
    assert!((515.0..=520.0).contains(&figure("objects")), "{figures:#}");
    let sweeps = figure("sweeps");
    assert!((10.0..80.0).contains(&sweeps), "players and what is near them, not all 110: {figures:#}");
    assert!(figure("tick_best_ms") > 0.0 && figure("tick_best_ms") <= figure("tick_p99_ms"), "{figures:#}");
    assert!(figure("snapshot_bytes") > 10_000.0, "{figures:#}");
}
