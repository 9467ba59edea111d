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
