//! `threshold watch`: a recorded session in a running world.

use super::{Outcome, wire::SessionArg};
use crate::{
    dats::DatsArg,
    out_file::{ForceArg, Mark, OutFile},
};
use anyhow::Result;
use serde::Serialize;
use std::{
    io::{BufWriter, Write, stdout},
    path::PathBuf,
    time::Instant,
};
use threshold_playback::{Drive, Options, Playback, Verdict};
use threshold_sim::{Skills, TICKS_PER_SECOND};

/// Play a recorded session in the world, and report contradictions.
///
/// Server messages are applied at their recorded times. Reports objects whose cell is not the one that the server says,
/// objects that could not walk to the position that the server says, objects that were never placed, and doors that closed
/// on a character.
///
/// With --client, the player is moved by the keys that the client reported, and compared with the positions that the client
/// itself computed. The session does not contain the player's skills, so pass them. Exit status 1 when there are findings.
#[derive(clap::Args)]
#[command(after_help = "Examples, in a clone of the repository:
  threshold watch crates/golden/data/wire/walk.pcapng.gz
  threshold watch crates/golden/data/wire/village.pcap.gz --show 3")]
pub(crate) struct Args {
    #[command(flatten)]
    session: SessionArg,
    #[command(flatten)]
    dats: DatsArg,
    /// Which connection to play if the file has several, counted from 0 [default: the first with messages]
    #[arg(long, value_name = "N")]
    connection: Option<u32>,
    /// Move the player by the recorded keys, and compare it with what the client reported
    #[arg(long)]
    client: bool,
    /// How far the player may be from the position that its client reports
    #[arg(long, value_name = "METRES", default_value_t = 0.5, value_parser = distance, requires = "client")]
    tolerance: f32,
    /// The player's run skill
    #[arg(long, value_name = "SKILL", default_value_t = 200, requires = "client")]
    run_skill: u32,
    /// The player's jump skill
    #[arg(long, value_name = "SKILL", default_value_t = 200, requires = "client")]
    jump_skill: u32,
    /// The player's burden as a fraction of its capacity
    #[arg(long, value_name = "LOAD", default_value_t = 0.0, value_parser = distance, requires = "client")]
    load: f32,
    /// Write the sweep before the first divergence, for `threshold replay`
    #[arg(long, value_name = "FILE.jsonl", requires = "client")]
    capture: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArg,
    /// Print the first N findings
    #[arg(long, value_name = "N", default_value_t = 20)]
    show: usize,
    /// Print one object with everything
    #[arg(long)]
    json: bool,
}

fn distance(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(number) if number.is_finite() && number >= 0.0 => Ok(number),
        _ => Err("expected a number that is at least 0".into()),
    }
}

#[derive(Serialize)]
struct Printed<'v> {
    #[serde(flatten)]
    verdict: &'v Verdict,
    /// State in the end.
    state_hash: String,
    /// Seconds that it took.
    took: f64,
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    let capture =
        args.capture.as_deref().map(|path| OutFile::new(path, Mark::None, args.force)).transpose()?;
    let mut recording = args.session.open()?;
    let mut sim = args.dats.empty_simulation()?;
    let mut options = Options::default();
    options.connection = args.connection;
    if args.client {
        options.drive = Drive::Keys { tolerance: args.tolerance };
        options.skills = Skills { run: args.run_skill, jump: args.jump_skill, burden: args.load };
    }
    let started = Instant::now();
    let mut playback = Playback::new(options);
    while playback.step(&mut sim, &mut recording)? {}
    let verdict = playback.finish(&sim);
    let took = started.elapsed().as_secs_f64();
    let record = verdict.client.as_ref().and_then(|client| client.first_divergence.as_ref());
    if let (Some(out), Some(record)) = (&capture, record) {
        let line = serde_json::to_string(record)? + "\n";
        out.write(line.as_bytes())?;
    }
    let mut out = BufWriter::new(stdout().lock());
    if args.json {
        let state_hash = format!("{:016x}", sim.state_hash());
        serde_json::to_writer(&mut out, &Printed { verdict: &verdict, state_hash, took })?;
        writeln!(out)?;
    } else {
        print(&mut out, &verdict, args, took)?;
        if let (Some(path), Some(_)) = (&args.capture, record) {
            writeln!(out, "the sweep before the first divergence is in {}", path.display())?;
        }
    }
    out.flush()?;
    Ok(if verdict.is_clean() { Outcome::Success } else { Outcome::Findings })
}

fn print(out: &mut impl Write, verdict: &Verdict, args: &Args, took: f64) -> Result<()> {
    let played = verdict.ticks as f64 / TICKS_PER_SECOND as f64;
    writeln!(out, "{played:.1} s of session in {took:.2} s ({:.0} x real time)", played / took.max(1e-6))?;
    let (objects, most) = (verdict.objects, verdict.most_objects);
    writeln!(
        out,
        "{objects} objects described, {most} at once; {} updates taken over, {} overtaken, {} before their object, {} refused",
        verdict.done, verdict.stale, verdict.queued, verdict.refused
    )?;
    if let Some(client) = &verdict.client {
        let metres = client.metres;
        writeln!(
            out,
            "client: {} positions compared, {} in the same cell; off by {:.4} m (median), {:.4} m (90 %), {:.4} m (99 %), {:.4} m at most",
            client.compared, client.same_cell, metres.median, metres.p90, metres.p99, metres.max
        )?;
    }
    for (kind, count) in &verdict.counts {
        writeln!(out, "{kind}: {count}")?;
    }
    for finding in verdict.findings.iter().take(args.show) {
        writeln!(out, "{finding}")?;
    }
    if verdict.is_clean() {
        writeln!(out, "nothing found")?;
    }
    Ok(())
}
