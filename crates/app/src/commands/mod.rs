//! The command line: one file per command or group of commands.

mod bench;
mod check;
pub(crate) mod conform;
mod dat;
mod explore;
mod inspect;
pub(crate) mod map;
mod path;
mod places;
mod reach;
mod record;
mod render;
mod replay;
mod sample;
mod soak;
mod tour;
mod view;
mod visible;
mod walk;
mod watch;
mod way_map;
mod wire;

use clap::{Parser, Subcommand};
use std::sync::LazyLock;
use threshold_dat::DatId;

/// What `--version` tells: enough to build the same program again.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let features =
        [("gpu", cfg!(feature = "gpu")), ("count-allocations", cfg!(feature = "count-allocations"))];
    let built: Vec<&str> = features.iter().filter(|(_, is_on)| *is_on).map(|(name, _)| *name).collect();
    format!(
        "{}\ncommit   {}\nfeatures {}\nbackends {}",
        env!("CARGO_PKG_VERSION"),
        env!("THRESHOLD_COMMIT"),
        if built.is_empty() { "none".to_owned() } else { built.join(", ") },
        if cfg!(feature = "gpu") { "cpu, gpu" } else { "cpu" },
    )
});

/// The cell world of Asheron's Call: data files, cells, movement, visibility and pictures.
///
/// Without a command, runs the tour through the built-in sample world.
#[derive(Parser)]
#[command(name = "threshold", version, long_version = VERSION.as_str())]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    Bench(bench::Args),
    Check(check::Args),
    Conform(conform::Args),
    Dat(dat::Args),
    Explore(explore::Args),
    Inspect(inspect::Args),
    Map(map::Args),
    Path(path::Args),
    Places(places::Args),
    Reach(reach::Args),
    Record(record::Args),
    Render(render::Args),
    Replay(replay::Args),
    Sample(sample::Args),
    Soak(soak::Args),
    Tour(tour::Args),
    View(view::Args),
    Visible(visible::Args),
    Walk(walk::Args),
    Watch(watch::Args),
    Wire(wire::Args),
}

impl Default for Command {
    fn default() -> Command {
        Command::Tour(tour::Args::default())
    }
}

impl Command {
    pub(crate) fn run(self) -> anyhow::Result<Outcome> {
        match self {
            Command::Bench(args) => bench::run(&args),
            Command::Check(args) => check::run(&args),
            Command::Conform(args) => conform::run(&args),
            Command::Dat(args) => dat::run(args),
            Command::Explore(args) => explore::run(args),
            Command::Inspect(args) => inspect::run(args),
            Command::Map(args) => map::run(&args),
            Command::Path(args) => path::run(&args),
            Command::Places(args) => places::run(&args),
            Command::Reach(args) => reach::run(&args),
            Command::Record(args) => record::run(&args),
            Command::Sample(args) => sample::run(args),
            Command::Soak(args) => soak::run(&args),
            Command::Tour(args) => tour::run(&args),
            Command::View(args) => view::run(args),
            Command::Visible(args) => visible::run(&args),
            Command::Render(args) => render::run(args),
            Command::Replay(args) => replay::run(&args),
            Command::Walk(args) => walk::run(&args),
            Command::Watch(args) => watch::run(&args),
            Command::Wire(args) => wire::run(args),
        }
    }
}

/// Id of a record as people write it.
fn record_id(text: &str) -> Result<DatId, String> {
    text.parse().map_err(|_| format!("`{text}` is not an id such as 0xA9B40100"))
}

/// How a command that could do its work ended; errors are apart.
pub(crate) enum Outcome {
    /// Exit status 0.
    Success,
    /// Exit status 1: problems found.
    Findings,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_names_commit_features_and_backends() {
        let told: Vec<(&str, &str)> = VERSION
            .lines()
            .skip(1)
            .filter_map(|line| line.split_once(' '))
            .map(|(k, v)| (k, v.trim()))
            .collect();
        assert_eq!(
            told.iter().map(|(name, _)| *name).collect::<Vec<_>>(),
            ["commit", "features", "backends"]
        );
        let commit = told[0].1;
        assert!(commit == "unknown" || commit.len() == 40, "{commit}");
        assert_eq!(told[2].1.contains("gpu"), cfg!(feature = "gpu"));
    }
}
