//! `threshold wire summary`: what is in a session.

use super::{Outcome, SessionArg, path::Paths};
use crate::{
    dats::DatsArg,
    out_file::{ForceArg, OutFile},
};
use anyhow::Result;
use serde::Serialize;
use std::{
    collections::BTreeMap,
    io::{BufWriter, Write, stdout},
    path::PathBuf,
};
use threshold_wire::{
    Event, EventKind, Guid, Message, Side, Time,
    messages::{GameAction, Position, action_name, event_name, message_name},
};

/// Summarise a session: times, kinds of events, objects.
///
/// With --map, the paths of all objects and players are drawn on the map of the world: one colour each, with a dot at the
/// last position. The map shows the blocks around the busiest one, or around --block.
#[derive(clap::Args)]
#[command(after_help = "Examples, in a clone of the repository:
  threshold wire summary crates/golden/data/wire/village.pcap.gz
  threshold wire summary crates/golden/data/wire/walk.pcapng.gz --objects 0 --map walk.png")]
pub(super) struct Args {
    #[command(flatten)]
    session: SessionArg,
    /// List this many objects, those with the most events first
    #[arg(long, value_name = "N", default_value_t = 20)]
    objects: usize,
    /// Draw the paths on a map
    #[arg(long, value_name = "FILE.png")]
    map: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArg,
    /// Centre the map on this landblock, or on the one of a named place
    #[arg(long, value_name = "BLOCK", requires = "map")]
    block: Option<String>,
    #[command(flatten)]
    dats: DatsArg,
    /// Print one object with everything
    #[arg(long)]
    json: bool,
}

/// How often, by who sent it.
#[derive(Clone, Copy, Default, Serialize)]
struct Sides {
    server: u64,
    client: u64,
}

impl Sides {
    fn add(&mut self, from: Option<Side>, count: u64) {
        match from {
            Some(Side::Server) => self.server += count,
            Some(Side::Client) => self.client += count,
            // Faults of the file are listed among the faults.
            None => {}
        }
    }
}

#[derive(Default, Serialize)]
struct Summary {
    records: u64,
    start: f64,
    seconds: f64,
    connections: usize,
    messages: Sides,
    bytes: Sides,
    kinds: BTreeMap<&'static str, Sides>,
    /// Messages that are known by name or number alone.
    others: BTreeMap<String, Sides>,
    faults: BTreeMap<String, u64>,
    objects: Vec<Object>,
    #[serde(skip)]
    last: Time,
    #[serde(skip)]
    by_guid: BTreeMap<Guid, Object>,
}

/// What is known of an object.
#[derive(Clone, Default, Serialize)]
struct Object {
    guid: String,
    name: Option<String>,
    events: u64,
    positions: u64,
    /// Seconds after the start of the session.
    first: f64,
    last: f64,
    at: Option<String>,
}

pub(super) fn run(args: &Args) -> Result<Outcome> {
    let map = args.map.as_deref().map(|path| OutFile::picture(path, args.force)).transpose()?;
    let mut recording = args.session.open()?;
    let (mut summary, mut paths) = (Summary::default(), Paths::default());
    loop {
        // In the first step all events have the time of the first record.
        let start = recording.start();
        let more = recording.step(&mut |event| {
            summary.add(event, start.or(event.time).unwrap_or_default());
            paths.add(event);
        });
        if !more {
            break;
        }
    }
    summary.finish(recording.records(), recording.start().unwrap_or_default(), paths.connections());
    let mut out = BufWriter::new(stdout().lock());
    if args.json {
        serde_json::to_writer(&mut out, &summary)?;
        writeln!(out)?;
    } else {
        summary.print(args.objects, &mut out)?;
    }
    if let (Some(file), Some(map)) = (&args.map, map) {
        let library = args.dats.library()?;
        let block = args.block.as_deref().map(|text| args.dats.block(text, &**library.source()));
        let drawn = paths.draw(&library, block.transpose()?)?;
        map.write(&drawn.picture.png()?)?;
        if !args.json {
            writeln!(out, "\n{}: {}", file.display(), drawn.caption)?;
        }
    }
    out.flush()?;
    Ok(Outcome::Success)
}

impl Summary {
    fn add(&mut self, event: &Event<'_>, start: Time) {
        let time = event.time.unwrap_or(self.last);
        self.last = self.last.max(time);
        for line in event.lines() {
            self.kinds.entry(line.kind).or_default().add(event.from, 1);
            if let Some(guid) = line.guid {
                let object = self.by_guid.entry(guid).or_insert_with(|| Object {
                    guid: guid.to_string(),
                    first: time.since(start),
                    ..Object::default()
                });
                object.events += 1;
                object.last = time.since(start);
            }
        }
        match &event.kind {
            EventKind::Connected => {}
            EventKind::Malformed(fault) => *self.faults.entry(fault_name(fault)).or_default() += 1,
            EventKind::Message { message, size } => {
                self.messages.add(event.from, 1);
                self.bytes.add(event.from, *size as u64);
                self.describe(message);
                if let Some(name) = other_name(message) {
                    self.others.entry(name).or_default().add(event.from, 1);
                }
            }
        }
    }

    fn describe(&mut self, message: &Message<'_>) {
        let Some(object) = message.guid().and_then(|guid| self.by_guid.get_mut(&guid)) else { return };
        if let Message::CreateObject(description) | Message::UpdateObject(description) = message {
            object.name = Some(description.weenie.name.to_string());
        }
        if let Some(position) = place(message) {
            object.positions += 1;
            object.at = Some(threshold_world::Position::from(position).to_string());
        }
    }

    fn finish(&mut self, records: u64, start: Time, connections: usize) {
        (self.records, self.connections) = (records, connections);
        (self.start, self.seconds) = (start.seconds(), self.last.since(start));
        self.objects = std::mem::take(&mut self.by_guid).into_values().collect();
        self.objects.sort_by(|a, b| b.events.cmp(&a.events).then_with(|| a.guid.cmp(&b.guid)));
    }

    fn print(&self, objects: usize, out: &mut impl Write) -> Result<()> {
        let Summary { records, connections, start, seconds, .. } = self;
        writeln!(out, "records: {records}, connections: {connections}, {seconds:.3} s from {start:.6} on")?;
        writeln!(out, "\n{:<32} {:>10} {:>10}", "", "server", "client")?;
        let mut row =
            |name: &str, sides: &Sides| writeln!(out, "{name:<32} {:>10} {:>10}", sides.server, sides.client);
        row("messages", &self.messages)?;
        row("bytes of messages", &self.bytes)?;
        for (kind, sides) in &self.kinds {
            row(kind, sides)?;
        }
        for (name, sides) in &self.others {
            row(&format!("  {name}"), sides)?;
        }
        for (fault, count) in &self.faults {
            writeln!(out, "malformed: {fault}: {count}")?;
        }
        writeln!(out, "\nobjects: {}", self.objects.len())?;
        if objects > 0 && !self.objects.is_empty() {
            let head = ["object", "events", "places", "from s", "to s"];
            writeln!(
                out,
                "{:<10} {:>7} {:>7} {:>9} {:>9}  name, last place",
                head[0], head[1], head[2], head[3], head[4]
            )?;
        }
        for object in self.objects.iter().take(objects) {
            let Object { guid, events, positions, first, last, .. } = object;
            let name = object.name.as_deref().unwrap_or("?");
            let at = object.at.as_ref().map(|at| format!(", {at}")).unwrap_or_default();
            writeln!(out, "{guid:<10} {events:>7} {positions:>7} {first:>9.3} {last:>9.3}  {name}{at}")?;
        }
        Ok(())
    }
}

/// Where a message puts its object.
pub(super) fn place<'m>(message: &'m Message<'_>) -> Option<&'m Position> {
    match message {
        Message::CreateObject(object) | Message::UpdateObject(object) => object.physics.position.as_ref(),
        Message::UpdatePosition(update) => Some(&update.position.position),
        Message::PositionAndMovement(update) => Some(&update.position.position),
        _ => None,
    }
}

fn fault_name(fault: &threshold_wire::Fault) -> String {
    use threshold_wire::Fault;
    match fault {
        Fault::Capture(fault) => format!("capture, {}", fault.name()),
        Fault::Udp { .. } => "udp, truncated".to_owned(),
        Fault::Packet(error) => format!("packet, {}", error.reason.name()),
        Fault::Fragment(fault) => format!("fragment, {}", fault.reason.name()),
        Fault::Abandoned(open) => {
            format!("fragment, {}", if open.evicted { "evicted" } else { "incomplete" })
        }
        Fault::Message(error) => format!("message, {}", error.reason.name()),
    }
}

/// Messages that are known by name or number alone.
fn other_name(message: &Message<'_>) -> Option<String> {
    let named = |name: Option<&'static str>, number: u32| match name {
        Some(name) => format!("0x{number:04X} {name}"),
        None => format!("0x{number:04X}"),
    };
    match message {
        Message::Other { opcode, .. } => Some(named(message_name(*opcode), *opcode)),
        Message::GameEvent(event) => Some(format!("event {}", named(event_name(event.number), event.number))),
        Message::GameAction { action: GameAction::Other { number, .. }, .. } => {
            Some(format!("action {}", named(action_name(*number), *number)))
        }
        _ => None,
    }
}
