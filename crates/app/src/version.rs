//! What `threshold --version` says.

use std::sync::LazyLock;

/// Version, commit, features and the backends that pictures can be drawn with: what a report of a fault should name.
pub(crate) static VERSION: LazyLock<String> = LazyLock::new(|| {
    let features = [("count-allocations", cfg!(feature = "count-allocations")), ("gpu", cfg!(feature = "gpu"))];
    let names: Vec<&str> = features.iter().filter(|(_, on)| *on).map(|(name, _)| *name).collect();
    let features = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    let backends = if cfg!(feature = "gpu") { "cpu, gpu" } else { "cpu" };
    let (version, commit) = (env!("CARGO_PKG_VERSION"), env!("THRESHOLD_COMMIT"));
    format!("{version}\ncommit: {commit}\nfeatures: {features}\nbackends: {backends}")
});
