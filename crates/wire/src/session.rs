//! From captured records to events: connections, flows, messages. Spec: wire §2.3, §4.2.

use crate::{
    Side,
    capture::{Datagram, Record},
    event::{Event, EventKind, Fault},
    messages::Message,
    packet::{Packet, PacketFlags},
    reassembly::{Abandoned, Added, Arrival, Reassembly},
    sequence::SequenceSet,
};
use std::{collections::HashMap, net::Ipv4Addr, ops::RangeInclusive};

/// Connections that are followed at a time; the one that was silent longest makes room.
const MAX_CONNECTIONS: usize = 1024;
/// Bytes of open messages in all connections together; the message that was opened first makes room.
const MAX_HELD: usize = 64 << 20;

/// Ports of servers: retail's and those of most emulators.
pub const DEFAULT_PORTS: RangeInclusive<u16> = 9000..=10_013;

/// Where events go.
pub type Sink<'s> = dyn FnMut(&Event<'_>) + 's;

/// The state between the packets of a capture. Its memory is bounded for any input.
#[derive(Debug)]
pub struct Session {
    ports: RangeInclusive<u16>,
    connections: Vec<Connection>,
    by_key: HashMap<Key, usize>,
    /// Where the last packet belonged to: mostly the next one does, too.
    last: usize,
    begun: u32,
    held: usize,
}

/// Client address and port, server address. The server's port does not count: it has two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key {
    client: (Ipv4Addr, u16),
    server: Ipv4Addr,
}

#[derive(Debug)]
struct Connection {
    key: Key,
    number: u32,
    /// Number of the record that was its last.
    active: u64,
    server: Flow,
    client: Flow,
}

/// One direction of a connection.
#[derive(Debug, Default)]
struct Flow {
    seen: SequenceSet,
    open: Reassembly,
}

impl Connection {
    fn flow(&mut self, side: Side) -> &mut Flow {
        match side {
            Side::Server => &mut self.server,
            Side::Client => &mut self.client,
        }
    }

    /// Gives up all open messages, in the order in which their first packets came.
    fn abandon(&mut self) -> Vec<(u32, Side, Abandoned)> {
        let mut abandoned = Vec::new();
        for side in [Side::Server, Side::Client] {
            let number = self.number;
            abandoned.extend(self.flow(side).open.abandon().into_iter().map(|open| (number, side, open)));
        }
        abandoned.sort_by_key(|(_, _, open)| open.began.packet);
        abandoned
    }
}

/// Where an event comes from.
#[derive(Clone, Copy)]
struct Origin {
    arrival: Arrival,
    side: Side,
    connection: Option<u32>,
}

impl Origin {
    fn event(self, kind: EventKind<'_>) -> Event<'_> {
        let Arrival { packet, time } = self.arrival;
        Event { packet, time: Some(time), from: Some(self.side), connection: self.connection, kind }
    }

    fn fault(self, fault: impl Into<Fault>) -> Event<'static> {
        self.event(EventKind::Malformed(fault.into()))
    }

    fn abandoned(self, open: Abandoned) -> Event<'static> {
        let arrival = if open.evicted { self.arrival } else { open.began };
        Origin { arrival, ..self }.fault(Fault::Abandoned(open))
    }
}

impl Session {
    /// A session with servers on these ports.
    pub fn new(ports: RangeInclusive<u16>) -> Session {
        Session { ports, connections: Vec::new(), by_key: HashMap::new(), last: 0, begun: 0, held: 0 }
    }

    /// Takes one captured record; traffic of others gives no events.
    pub fn record(&mut self, record: &Record<'_>, sink: &mut Sink<'_>) {
        if let Some(datagram) = record.datagram() {
            self.datagram(record.arrival, &datagram, sink);
        }
    }

    /// Takes one datagram.
    pub fn datagram(&mut self, arrival: Arrival, datagram: &Datagram<'_>, sink: &mut Sink<'_>) {
        let (source, target) = (datagram.source, datagram.target);
        let (side, client, server) = if self.ports.contains(&target.port()) {
            (Side::Client, source, target)
        } else if self.ports.contains(&source.port()) {
            (Side::Server, target, source)
        } else {
            return;
        };
        let mut origin = Origin { arrival, side, connection: None };
        if datagram.missing > 0 {
            return sink(&origin.fault(Fault::Udp { missing: datagram.missing }));
        }
        let packet = match Packet::decode(datagram.payload) {
            Ok(packet) => packet,
            Err(error) => return sink(&origin.fault(error)),
        };
        let key = Key { client: (*client.ip(), client.port()), server: *server.ip() };
        let index = self.connection(key, origin, sink);
        let Some(connection) = self.connections.get_mut(index) else { return };
        connection.active = arrival.packet;
        origin.connection = Some(connection.number);
        let held = connection.server.open.held() + connection.client.open.held();
        connection.packet(origin, &packet, sink);
        self.held = self.held + connection.server.open.held() + connection.client.open.held() - held;
        while self.held > MAX_HELD && self.evict(origin, sink) {}
    }

    /// The connection with this key; a new one may have to push out another.
    fn connection(&mut self, key: Key, origin: Origin, sink: &mut Sink<'_>) -> usize {
        if self.connections.get(self.last).is_some_and(|last| last.key == key) {
            return self.last;
        }
        if let Some(&index) = self.by_key.get(&key) {
            self.last = index;
            return index;
        }
        if self.connections.len() >= MAX_CONNECTIONS {
            let silent = self.connections.iter().enumerate().min_by_key(|(_, connection)| connection.active);
            if let Some(index) = silent.map(|(index, _)| index) {
                let mut silent = self.connections.swap_remove(index);
                self.by_key.remove(&silent.key);
                if let Some(moved) = self.connections.get(index) {
                    self.by_key.insert(moved.key, index);
                }
                self.held -= silent.server.open.held() + silent.client.open.held();
                for (number, side, open) in silent.abandon() {
                    let origin = Origin { side, connection: Some(number), ..origin };
                    sink(&origin.abandoned(Abandoned { evicted: true, ..open }));
                }
            }
        }
        let (number, flow) = (self.begun, Flow::default);
        self.begun += 1;
        self.last = self.connections.len();
        self.by_key.insert(key, self.last);
        self.connections.push(Connection { key, number, active: 0, server: flow(), client: flow() });
        self.last
    }

    /// Gives up the message that was opened first in any connection.
    fn evict(&mut self, origin: Origin, sink: &mut Sink<'_>) -> bool {
        let flows = self.connections.iter_mut().flat_map(|connection| {
            let number = connection.number;
            [(Side::Server, &mut connection.server), (Side::Client, &mut connection.client)]
                .map(|(side, flow)| (number, side, flow))
        });
        let oldest = flows
            .filter_map(|(number, side, flow)| Some((flow.open.oldest()?, number, side, flow)))
            .min_by_key(|(began, number, side, _)| (*began, *number, *side));
        let Some((_, number, side, flow)) = oldest else { return false };
        let held = flow.open.held();
        let evicted = flow.open.evict();
        self.held -= held - flow.open.held();
        if let Some(open) = evicted {
            sink(&Origin { side, connection: Some(number), ..origin }.abandoned(open));
        }
        true
    }

    /// Ends the session: every open message is incomplete.
    pub fn finish(&mut self, sink: &mut Sink<'_>) {
        let mut abandoned: Vec<_> = self.connections.iter_mut().flat_map(Connection::abandon).collect();
        abandoned.sort_by_key(|(_, _, open)| open.began.packet);
        for (number, side, open) in abandoned {
            sink(&Origin { arrival: open.began, side, connection: Some(number) }.abandoned(open));
        }
        self.held = 0;
    }
}

impl Connection {
    fn packet(&mut self, origin: Origin, packet: &Packet<'_>, sink: &mut Sink<'_>) {
        if packet.flags.intersects(PacketFlags::LOGIN | PacketFlags::CONNECT_REQUEST) {
            for (_, side, open) in self.abandon() {
                sink(&Origin { side, ..origin }.abandoned(open));
            }
            (self.server, self.client) = (Flow::default(), Flow::default());
            sink(&origin.event(EventKind::Connected));
        }
        if !packet.flags.contains(PacketFlags::FRAGMENTS) {
            return;
        }
        let flow = self.flow(origin.side);
        if packet.sequence != 0 && !flow.seen.insert(packet.sequence) {
            return;
        }
        for fragment in packet.fragments() {
            let (evicted, added) = flow.open.add(origin.arrival, &fragment);
            if let Some(open) = evicted {
                sink(&origin.abandoned(open));
            }
            match added {
                Added::Whole(bytes) => message(origin, &bytes, sink),
                Added::Part => {}
                Added::Refused(fault) => sink(&origin.fault(fault)),
            }
        }
    }
}

fn message(origin: Origin, bytes: &[u8], sink: &mut Sink<'_>) {
    match Message::decode(origin.side, bytes) {
        Ok(message) => sink(&origin.event(EventKind::Message { message, size: bytes.len() })),
        Err(error) => sink(&origin.fault(error)),
    }
}
