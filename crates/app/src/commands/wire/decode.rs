//! `threshold wire decode`: a session as JSON lines.

use super::{Outcome, SessionArg};
use anyhow::Result;
use std::{
    io::{self, BufWriter, Write, stdout},
    str::FromStr,
};
use threshold_wire::{Event, Guid, KINDS, Time};

/// Print the events of a session, one JSON object per line.
///
/// Lines are in the order in which messages become complete. Malformed parts become lines with "event": "malformed";
/// reading continues after them.
#[derive(clap::Args)]
#[command(after_help = "Examples, in a clone of the repository:
  threshold wire decode crates/golden/data/wire/village.pcap.gz --kind created --kind deleted
  threshold wire decode crates/golden/data/wire/walk.pcapng.gz --kind autonomous_position --from +10 --to +20")]
pub(super) struct Args {
    #[command(flatten)]
    session: SessionArg,
    /// Only events of this kind, e.g. position (may be given several times)
    #[arg(long, value_name = "KIND", value_parser = clap::builder::PossibleValuesParser::new(KINDS), hide_possible_values = true)]
    kind: Vec<String>,
    /// Only events about this object, e.g. 0x78080001 (may be given several times)
    #[arg(long, value_name = "GUID", value_parser = guid)]
    object: Vec<Guid>,
    /// Only from this time on: seconds since 1970 as printed, or +SECONDS after the first record
    #[arg(long, value_name = "TIME")]
    from: Option<Moment>,
    /// Only up to this time
    #[arg(long, value_name = "TIME")]
    to: Option<Moment>,
}

fn guid(text: &str) -> Result<Guid, String> {
    text.parse().map_err(|_| format!("`{text}` is not an object such as 0x78080001"))
}

/// A time, as one is given.
#[derive(Clone, Copy)]
enum Moment {
    Absolute(Time),
    /// After the first record.
    Relative(Time),
}

impl FromStr for Moment {
    type Err = threshold_wire::TimeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.strip_prefix('+') {
            Some(seconds) => seconds.parse().map(Moment::Relative),
            None => text.parse().map(Moment::Absolute),
        }
    }
}

impl Moment {
    fn resolve(self, start: Time) -> Time {
        match self {
            Moment::Absolute(time) => time,
            Moment::Relative(after) => Time(start.0.saturating_add(after.0)),
        }
    }
}

impl Args {
    /// Faults of the file have no time: they are at its end.
    fn is_in_time(&self, event: &Event<'_>, start: Time) -> bool {
        let time = event.time.unwrap_or(Time(u64::MAX));
        self.from.is_none_or(|from| time >= from.resolve(start))
            && self.to.is_none_or(|to| time <= to.resolve(start))
    }

    fn print(&self, event: &Event<'_>, text: &mut String, out: &mut impl Write) -> io::Result<()> {
        for line in event.lines() {
            let kind = self.kind.is_empty() || self.kind.iter().any(|kind| kind == line.kind);
            let object = self.object.is_empty() || line.guid.is_some_and(|guid| self.object.contains(&guid));
            if kind && object {
                text.clear();
                line.write(text);
                text.push('\n');
                out.write_all(text.as_bytes())?;
            }
        }
        Ok(())
    }
}

pub(super) fn run(args: &Args) -> Result<Outcome> {
    let mut recording = args.session.open()?;
    let mut out = BufWriter::new(stdout().lock());
    let mut text = String::new();
    loop {
        // In the first step all events have the time of the first record.
        let (start, mut printed) = (recording.start(), Ok(()));
        let more = recording.step(&mut |event| {
            let start = start.or(event.time).unwrap_or_default();
            if printed.is_ok() && args.is_in_time(event, start) {
                printed = args.print(event, &mut text, &mut out);
            }
        });
        printed?;
        if !more {
            break;
        }
    }
    out.flush()?;
    Ok(Outcome::Success)
}
