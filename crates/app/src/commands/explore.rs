//! `threshold explore`: starts the explorer, a program of its own.

use super::{Cli, Outcome};
use anyhow::{Context, Result, bail};
use clap::CommandFactory;
use std::{
    env,
    ffi::OsString,
    io::{Write, stdout},
    path::Path,
    process::Command,
};

const BUILD: &str =
    "the explorer is not built yet: `cargo run --release -p threshold-explorer` builds and starts it";

/// Open a window and walk through the world.
///
/// The explorer is a separate package, because the window takes minutes to build. This command starts it if it is
/// built, and otherwise explains how to build it.
#[derive(clap::Args)]
#[command(
    disable_help_flag = true,
    after_help = "Examples:
  threshold explore
  threshold explore --at 'Tower Lookout'
  threshold explore --dats ~/ac --at 42.1N, 33.6E"
)]
pub(crate) struct Args {
    /// Options for the explorer: --at PLACE, --dats DIR, --instances FILE..., --size WxH, --backend auto|cpu|gpu
    /// and others; once it is built, `threshold explore --help` lists them all
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

pub(crate) fn run(args: Args) -> Result<Outcome> {
    let own = env::current_exe().context("cannot locate this program")?;
    let explorer = own.with_file_name(format!("threshold-explorer{}", env::consts::EXE_SUFFIX));
    if !explorer.is_file() {
        if args.arguments.iter().any(|argument| argument == "--help" || argument == "-h") {
            return help();
        }
        bail!("{BUILD} (`cargo build --release -p threshold-explorer` puts it at {})", explorer.display(),);
    }
    start(&explorer, args.arguments)
}

/// What can be said of the explorer before there is one.
fn help() -> Result<Outcome> {
    let mut cli = Cli::command();
    cli.build();
    let explore = cli.find_subcommand_mut("explore").context("a command of its own")?;
    write!(stdout(), "{}\n{BUILD}\n", explore.render_long_help())?;
    Ok(Outcome::Success)
}

/// Becomes the explorer.
#[cfg(unix)]
fn start(explorer: &Path, arguments: Vec<OsString>) -> Result<Outcome> {
    use std::os::unix::process::CommandExt;
    Err(Command::new(explorer).args(arguments).exec()).with_context(|| explorer.display().to_string())
}

/// Waits for the explorer and ends as it does.
#[cfg(not(unix))]
fn start(explorer: &Path, arguments: Vec<OsString>) -> Result<Outcome> {
    let status = Command::new(explorer).args(arguments).status();
    let status = status.with_context(|| explorer.display().to_string())?;
    std::process::exit(status.code().unwrap_or(2));
}
