//! The ways of objects and players over the map.

use super::summary::place;
use crate::commands::map::chart;
use anyhow::{Result, bail};
use glam::Vec2;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};
use threshold_render::map::{Canvas, Color, Rectangle, block_origin};
use threshold_wire::{
    Event, EventKind, Guid, Message,
    messages::{GameAction, Position},
};
use threshold_world::{BlockId, Library, block_ids, coords::BLOCK_SIDE};

/// Farther apart than anything moves between two messages: a teleport.
const TELEPORT: f32 = 60.0;
/// Longest side of the picture, in pixels.
const PIXELS: f32 = 1600.0;
/// Most pixels per metre.
const LARGEST_SCALE: f32 = 6.0;
/// Farthest point that is drawn, in metres from the block's corner; others are not places.
const FARTHEST: f32 = 10_000.0;
/// Colours that can be told apart on grass and stone.
const COLORS: [Color; 8] = [
    [0.90, 0.10, 0.15],
    [0.10, 0.35, 0.95],
    [1.00, 0.85, 0.10],
    [0.65, 0.15, 0.85],
    [1.00, 0.50, 0.05],
    [0.05, 0.80, 0.85],
    [0.95, 0.35, 0.75],
    [1.00, 1.00, 1.00],
];

/// Who walked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Walker {
    /// An object, as the server says.
    Object(Guid),
    /// A client's own character, as it reports.
    Client(u32),
}

/// A place on the map.
#[derive(Clone, Copy)]
struct Point {
    block: BlockId,
    at: Vec2,
}

/// Where everything was.
#[derive(Default)]
pub(super) struct Paths {
    ways: BTreeMap<Walker, Vec<Point>>,
    connections: BTreeSet<u32>,
}

/// A finished map.
pub(super) struct Drawn {
    pub(super) picture: Canvas,
    pub(super) caption: String,
}

impl Paths {
    pub(super) fn add(&mut self, event: &Event<'_>) {
        self.connections.extend(event.connection);
        let EventKind::Message { message, .. } = &event.kind else { return };
        let client = event.connection.map(Walker::Client);
        let found = match message {
            Message::GameAction { action, .. } => client.zip(reported(action)),
            _ => message.guid().map(Walker::Object).zip(place(message)),
        };
        let Some((walker, position)) = found else { return };
        let [x, y, _] = position.origin;
        if x.abs().max(y.abs()) <= FARTHEST {
            let block = position.cell.block();
            let at = block_origin(block) + Vec2::new(x, y);
            self.ways.entry(walker).or_default().push(Point { block, at });
        }
    }

    pub(super) fn connections(&self) -> usize {
        self.connections.len()
    }

    /// Draws the ways through a block and the blocks around it that were walked as well.
    pub(super) fn draw(&self, library: &Arc<Library>, block: Option<BlockId>) -> Result<Drawn> {
        let (known, _) = block_ids(&**library.source())?;
        let mut visits: BTreeMap<BlockId, usize> = BTreeMap::new();
        for point in self.ways.values().flatten() {
            if known.binary_search(&point.block).is_ok() {
                *visits.entry(point.block).or_default() += 1;
            }
        }
        let busiest = visits.iter().max_by_key(|(_, count)| **count).map(|(block, _)| *block);
        let Some(start) = block.or(busiest) else { bail!("no object of the session is in this world") };
        if known.binary_search(&start).is_err() {
            bail!("block {start} has no records in this world");
        }
        let blocks = cluster(start, &visits);
        let (min, max) = extent(&blocks);
        let inside: Vec<BlockId> = known
            .into_iter()
            .filter(|id| {
                let corner = block_origin(*id);
                corner.cmpge(min).all() && corner.cmplt(max).all()
            })
            .collect();
        let scale = (PIXELS / (max - min).max_element()).min(LARGEST_SCALE);
        let mut picture = chart(library, &inside, Rectangle { min, max }, scale)?;
        let mut drawn = 0;
        for (index, way) in self.ways.values().enumerate() {
            drawn += draw_way(&mut picture, way, &blocks, COLORS[index % COLORS.len()]);
        }
        let all: usize = self.ways.values().map(Vec::len).sum();
        let (width, height) = picture.size();
        let caption = format!("{width} x {height} pixels, {drawn} of {all} places, blocks around {start}");
        Ok(Drawn { picture, caption })
    }
}

/// Where the client says it is.
fn reported<'m>(action: &'m GameAction<'_>) -> Option<&'m Position> {
    match action {
        GameAction::MoveToState(report) => Some(&report.position),
        GameAction::AutonomousPosition(report) => Some(&report.position),
        GameAction::Jump(jump) => jump.position.as_ref(),
        _ => None,
    }
}

/// The blocks that can be reached from one over neighbours that were visited.
fn cluster(start: BlockId, visits: &BTreeMap<BlockId, usize>) -> BTreeSet<BlockId> {
    let (mut blocks, mut waiting) = (BTreeSet::from([start]), vec![start]);
    while let Some(block) = waiting.pop() {
        let near = |id: &&BlockId| id.rings_to(block) <= 1;
        for &id in visits.keys().filter(near) {
            if blocks.insert(id) {
                waiting.push(id);
            }
        }
    }
    blocks
}

/// The rectangle around some blocks.
fn extent(blocks: &BTreeSet<BlockId>) -> (Vec2, Vec2) {
    blocks.iter().fold((Vec2::INFINITY, Vec2::NEG_INFINITY), |(min, max), &id| {
        let corner = block_origin(id);
        (min.min(corner), max.max(corner + BLOCK_SIDE))
    })
}

/// Draws what lies in the blocks; how many places that are.
fn draw_way(picture: &mut Canvas, way: &[Point], blocks: &BTreeSet<BlockId>, color: Color) -> usize {
    let mut last: Option<Vec2> = None;
    let mut drawn = 0;
    for point in way {
        if !blocks.contains(&point.block) {
            last = None;
            continue;
        }
        drawn += 1;
        if let Some(before) = last.filter(|before| before.distance(point.at) <= TELEPORT) {
            picture.line(before, point.at, 2.0, color, 0.9);
        }
        last = Some(point.at);
    }
    if let Some(end) = last {
        picture.disc(end, 0.4, 3.0, color, 1.0);
    }
    drawn
}
