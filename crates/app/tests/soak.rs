//! Random players, through the program.

use serde_json::Value;
use std::process::Command;

fn soak(arguments: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_threshold")).arg("soak").args(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Long enough for everything to happen; a longer run is a matter of `--minutes`.
#[test]
fn everything_holds_while_players_run_about() {
    let arguments = ["--seed", "3", "--movers", "40", "--ticks", "1500", "--json"];
    let result = soak(&arguments);
    assert_eq!(result["violation"], Value::Null);
    assert_eq!(
        (&result["seed"], &result["ticks"], &result["players"]),
        (&3.into(), &1500.into(), &40.into())
    );
    let count = |field: &str| result[field].as_u64().unwrap_or_else(|| panic!("{field}: {result}"));
    assert!(count("moves") > 20_000, "{result}");
    for (field, least) in [
        ("cell_changes", 500),
        ("jumps", 100),
        ("teleports", 50),
        ("doors_opened", 20),
        ("doors_closed", 20),
        ("door_bumps", 5),
        ("blocks_unloaded", 5),
        ("blocks_loaded", 5),
        ("lost", 5),
        ("found", 5),
    ] {
        assert!(count(field) >= least, "{field} is {}: {result}", count(field));
    }
    assert_eq!(soak(&arguments)["hash"], result["hash"], "a seed repeats a run");
}

#[test]
fn bad_options_are_refused() {
    for arguments in [["--minutes", "-1"], ["--movers", "0"], ["--minutes", "NaN"]] {
        let output =
            Command::new(env!("CARGO_BIN_EXE_threshold")).arg("soak").args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(!output.stderr.is_empty());
    }
}
