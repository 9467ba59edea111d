//! A capture and its session together.

use crate::{
    Capture, Time,
    event::{Event, EventKind, Fault},
    session::{Session, Sink},
};
use std::ops::RangeInclusive;

/// A recorded session, decoded a record at a time.
pub struct Recording<'r> {
    capture: Capture<'r>,
    session: Session,
    start: Option<Time>,
    ended: bool,
}

impl<'r> Recording<'r> {
    /// A recording with servers on these ports.
    pub fn new(capture: Capture<'r>, ports: RangeInclusive<u16>) -> Self {
        Recording { capture, session: Session::new(ports), start: None, ended: false }
    }

    /// Decodes the next record; false at the end, after all open messages have been abandoned.
    pub fn step(&mut self, sink: &mut Sink<'_>) -> bool {
        match self.capture.next() {
            Some(Ok(record)) => {
                self.start.get_or_insert(record.arrival.time);
                self.session.record(&record, sink);
            }
            Some(Err(fault)) => {
                let kind = EventKind::Malformed(Fault::Capture(fault));
                let packet = self.capture.records();
                sink(&Event { packet, time: None, from: None, connection: None, kind });
            }
            None if !self.ended => {
                self.ended = true;
                self.session.finish(sink);
            }
            None => {}
        }
        !self.ended
    }

    /// How many records have been read.
    pub fn records(&self) -> u64 {
        self.capture.records()
    }

    /// When the first record was captured.
    pub fn start(&self) -> Option<Time> {
        self.start
    }
}
