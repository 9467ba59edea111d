//! `threshold`: the cell world of Asheron's Call on the command line.
#![warn(clippy::print_stdout, clippy::print_stderr, reason = "they panic when nobody reads what they print")]

mod backend;
mod bench;
mod camera;
mod commands;
mod dats;
mod input;
mod memory;
mod out_file;
mod out_folder;
mod overlays;
mod progress;
mod text;
mod tour;

use clap::Parser;
use commands::{Cli, Outcome};
use std::{io, process::ExitCode};
use text::say;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return misused(&error),
    };
    match cli.command.unwrap_or_default().run() {
        Ok(Outcome::Success) => ExitCode::SUCCESS,
        Ok(Outcome::Findings) => ExitCode::from(1),
        // A reader such as `head` that has seen enough is not a failure.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            say!("threshold: {}", one_line(&error));
            ExitCode::from(2)
        }
    }
}

/// Help that was asked for, or what is wrong with the arguments on one line.
fn misused(error: &clap::Error) -> ExitCode {
    use clap::error::ErrorKind::{
        DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand as NoSubcommand, DisplayVersion,
    };
    if matches!(error.kind(), DisplayHelp | DisplayVersion | NoSubcommand) {
        error.exit();
    }
    let text = error.to_string();
    let told = text.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:"));
    let told: Vec<&str> = told.filter(|line| !line.is_empty() && !line.starts_with("For more")).collect();
    let told = told.join(" ").replace(" tip: ", "; tip: ");
    say!("threshold: {}; see --help", told.trim_start_matches("error: "));
    ExitCode::from(2)
}

/// The error and its causes, each said once: some errors repeat their cause in their own text.
fn one_line(error: &anyhow::Error) -> String {
    let mut line = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if !line.contains(&cause) {
            let separator = if line.is_empty() { "" } else { ": " };
            line = line + separator + &cause;
        }
    }
    line.replace('\n', " ")
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}
