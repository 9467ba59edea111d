//! Recorded network sessions, event by event.

use super::{
    engine::{Engine, Fault, Program},
    kit::Kit,
    report::{First, Verdict, objects},
};
use anyhow::Result;
use rayon::prelude::*;
use serde_json::Value;
use threshold_golden::{WireCapture, wire_captures, wire_difference};
use threshold_wire::{Capture, DEFAULT_PORTS, decode};

pub(super) fn play(
    kit: &Kit,
    engine: &Engine,
    wanted: &(dyn Fn(&str) -> bool + Sync),
) -> Result<Vec<Verdict>> {
    let mut sessions = wire_captures();
    sessions.retain(|session| wanted(&session.name));
    let play = |session: &WireCapture| -> Result<Verdict> {
        let first = match engine {
            Engine::Own => own(session),
            Engine::Program(program) => other(program, kit, session)?,
        };
        Ok(Verdict { case: session.name.clone(), fragile: false, first })
    };
    sessions.par_iter().map(play).collect()
}

fn own(session: &WireCapture) -> Option<First> {
    let mut lines = Vec::new();
    // A file that is no capture has no events, which is what is expected of it.
    if let Ok(capture) = Capture::new(session.bytes.as_slice()) {
        decode(capture, DEFAULT_PORTS, &mut |event| {
            lines.extend(event.lines().map(|line| line.to_string().into_bytes()));
        });
    }
    judge(session, &lines.join(&b'\n'), None)
}

fn other(program: &Program, kit: &Kit, session: &WireCapture) -> Result<Option<First>> {
    let file = kit.put(&format!("wire/{}", session.name), &session.bytes)?;
    let values = [("dats", kit.path().display().to_string()), ("scenario", file.display().to_string())];
    let answer = program.answer(&values)?;
    // A session without events cannot be opened; how a program says so is its own affair.
    let fault =
        answer.fault.filter(|fault| !(session.expected.is_empty() && matches!(fault, Fault::Ended(..))));
    Ok(judge(session, &answer.output, fault.as_ref()))
}

fn judge(session: &WireCapture, output: &[u8], fault: Option<&Fault>) -> Option<First> {
    let case = session.name.as_str();
    let mut lines = objects(output);
    for (number, expected) in (1..).zip(&session.expected) {
        let found = match lines.next() {
            Some(Ok(found)) => Value::Object(found),
            Some(Err(text)) => return Some(First::new(case, number, "line", text, "a JSON object")),
            None => return Some(First::missing(case, number, fault)),
        };
        if let Some(difference) = wire_difference(&found, expected) {
            let (found, expected) = (difference.found.to_string(), difference.expected.to_string());
            return Some(First::new(case, number, &difference.field, found, expected));
        }
    }
    let end = session.expected.len() as i64;
    if let Some(fault) = fault {
        return Some(First::new(case, end, "exit", fault.to_string(), "exit status 0"));
    }
    lines.next().map(|_| First::new(case, end + 1, "line", "a line", "nothing: the session has ended"))
}
