//! The list of golden records that come out differently for a good reason.

use serde::Deserialize;
use std::{collections::BTreeSet, fs, path::Path};

/// A record or line that comes out differently, and why that is right.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KnownDifference {
    id: String,
    rule: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KnownDifferences {
    #[serde(default)]
    record: Vec<KnownDifference>,
    #[serde(default)]
    line: Vec<KnownDifference>,
}

/// Which list of `known_differences.toml`.
#[derive(Clone, Copy)]
#[allow(dead_code, reason = "every test binary asks for one of them")]
pub(crate) enum Known {
    /// Recorded sweeps.
    Records,
    /// Lines of scripted walks.
    Lines,
}

/// Checks that exactly the listed records of a world differ: one more is a regression, one less a listed difference
/// that is gone.
pub(crate) fn assert_only_known_differences(known: Known, world: &str, differing: &[String]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/known_differences.toml");
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let lists: KnownDifferences = toml::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let list = match known {
        Known::Records => lists.record,
        Known::Lines => lists.line,
    };
    assert!(list.iter().all(|known| known.rule.contains('§')), "every difference names a rule of the spec");
    let prefix = format!("{world}/");
    let listed: BTreeSet<&str> =
        list.iter().map(|known| known.id.as_str()).filter(|id| id.starts_with(&prefix)).collect();
    let differing: BTreeSet<&str> = differing.iter().map(String::as_str).collect();
    let new: Vec<_> = differing.difference(&listed).collect();
    assert!(new.is_empty(), "{world}: {} differ, such as {:?}", new.len(), &new[..new.len().min(20)]);
    let gone: Vec<_> = listed.difference(&differing).collect();
    assert!(gone.is_empty(), "{world}: listed in known_differences.toml, but agree now: {gone:?}");
}
