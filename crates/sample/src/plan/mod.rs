//! Plans of interiors: rooms, the openings between them, and the objects in them.
//!
//! A plan has its own space; a building or a dungeon places it in a landblock. Rooms are convex. They touch only where
//! players can pass or look from one to the other: walls have thickness, and a doorway or a window is a small room
//! of its own that bridges it.

mod compile;
mod stairs;
mod surface;
mod visible;

pub use compile::{CompiledCell, CompiledExit, CompiledPlan, CompiledPortal};
pub use stairs::{Flight, spiral_steps};
pub use visible::Sight;

use crate::{
    error::BuildError,
    geom::{Convex, Polygon, convex_parts},
    material::Skin,
};
use glam::{DVec2, DVec3};
use threshold_dat::DatId;
use threshold_world::Frame;

/// A room of a [`Plan`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RoomId(pub(crate) usize);

impl RoomId {
    /// Its place among the plan's rooms and compiled cells.
    pub fn index(self) -> usize {
        self.0
    }
}

/// Dressing of a room.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finish {
    /// The floor.
    pub floor: Skin,
    /// The walls.
    pub wall: Skin,
    /// The ceiling.
    pub ceiling: Skin,
}

impl Finish {
    /// The skin of a side of a room with this outward normal.
    fn of(&self, outward: DVec3) -> Skin {
        match outward.z {
            z if z < -0.5 => self.floor,
            z if z > 0.5 => self.ceiling,
            _ => self.wall,
        }
    }
}

/// An object that stands in a room, placed in the plan's space.
#[derive(Clone, Debug, PartialEq)]
pub struct Furniture {
    /// GfxObj or Setup.
    pub model: DatId,
    /// In the plan's space.
    pub frame: Frame,
}

/// A convex room.
#[derive(Clone, Debug)]
pub struct Room {
    /// For messages and gazetteers.
    pub name: String,
    /// The space it fills.
    pub volume: Convex<Skin>,
    /// Solids in it: steps, pillars, counters.
    pub solids: Vec<Convex<Skin>>,
    /// Objects.
    pub furniture: Vec<Furniture>,
}

/// An opening between two rooms, or from a room to the outdoors.
#[derive(Clone, Debug)]
pub struct Link {
    /// The room that `polygon` faces into.
    pub room: RoomId,
    /// The room behind it; `None` for the outdoors.
    pub other: Option<RoomId>,
    /// The opening.
    pub polygon: Polygon,
    /// Whether players can walk through; otherwise they can only look.
    pub passable: bool,
}

impl Link {
    /// The opening as `room` sees it, and what is behind it, if it is one of that room's.
    pub(crate) fn seen_from(&self, room: RoomId) -> Option<(Polygon, Option<RoomId>)> {
        if self.room == room {
            Some((self.polygon.clone(), self.other))
        } else if self.other == Some(room) {
            Some((self.polygon.flipped(), Some(self.room)))
        } else {
            None
        }
    }
}

/// Rooms and their openings.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    rooms: Vec<Room>,
    links: Vec<Link>,
}

impl Plan {
    /// A room of any convex shape.
    pub fn room(&mut self, name: impl Into<String>, volume: Convex<Skin>) -> RoomId {
        self.rooms.push(Room { name: name.into(), volume, solids: Vec::new(), furniture: Vec::new() });
        RoomId(self.rooms.len() - 1)
    }

    /// A room between two corners.
    pub fn block(&mut self, name: impl Into<String>, min: DVec3, max: DVec3, look: Finish) -> RoomId {
        self.room(name, Convex::block(min, max, ()).dressed(|n| look.of(n)))
    }

    /// A room with a convex outline and level floor and ceiling.
    pub fn prism(
        &mut self,
        name: impl Into<String>,
        outline: &[DVec2],
        (floor, ceiling): (f64, f64),
        look: Finish,
    ) -> RoomId {
        self.room(name, Convex::prism(outline, floor, ceiling, ()).dressed(|n| look.of(n)))
    }

    /// A room between two loops of corners, for sloping floors; see [`Convex::between`].
    pub fn between(
        &mut self,
        name: impl Into<String>,
        lower: &[DVec3],
        upper: &[DVec3],
        look: Finish,
    ) -> RoomId {
        self.room(name, Convex::between(lower, upper, ()).dressed(|n| look.of(n)))
    }

    /// A room whose outline need not be convex: it becomes several cells joined by portals.
    pub fn hall(
        &mut self,
        name: &str,
        outline: &[DVec2],
        (floor, ceiling): (f64, f64),
        look: Finish,
    ) -> Result<Vec<RoomId>, BuildError> {
        let parts = convex_parts(outline)?;
        let rooms: Vec<RoomId> = (1..)
            .zip(&parts)
            .map(|(i, part)| {
                let name = if parts.len() == 1 { name.to_owned() } else { format!("{name} {i}") };
                self.prism(name, part, (floor, ceiling), look)
            })
            .collect();
        for (i, &a) in rooms.iter().enumerate() {
            for &b in &rooms[i + 1..] {
                if let Some(polygon) = self.common_wall(a, b) {
                    self.links.push(Link { room: a, other: Some(b), polygon, passable: true });
                }
            }
        }
        Ok(rooms)
    }

    /// Opens the wall that two rooms have in common, as far as both reach.
    pub fn join(&mut self, a: RoomId, b: RoomId) -> Result<(), BuildError> {
        let polygon = self
            .common_wall(a, b)
            .ok_or_else(|| BuildError::Apart(self.rooms[a.0].name.clone(), self.rooms[b.0].name.clone()))?;
        self.links.push(Link { room: a, other: Some(b), polygon, passable: true });
        Ok(())
    }

    /// A small room that bridges the wall between two others: a doorway, a hatch, an arch.
    pub fn passage(
        &mut self,
        name: impl Into<String>,
        (a, b): (RoomId, RoomId),
        volume: Convex<Skin>,
    ) -> Result<RoomId, BuildError> {
        let room = self.room(name, volume);
        self.join(a, room)?;
        self.join(room, b)?;
        Ok(room)
    }

    /// A passage between two corners.
    pub fn doorway(
        &mut self,
        name: impl Into<String>,
        rooms: (RoomId, RoomId),
        (min, max): (DVec3, DVec3),
        look: Finish,
    ) -> Result<RoomId, BuildError> {
        self.passage(name, rooms, Convex::block(min, max, ()).dressed(|n| look.of(n)))
    }

    /// Opens the side of a room that faces `outward` to the outdoors. Exits are numbered in the order they are made;
    /// a building's shell gets its openings from them.
    pub fn exit(&mut self, room: RoomId, outward: DVec3, passable: bool) -> Result<(), BuildError> {
        let facets = &self.rooms[room.0].volume.facets;
        let side = facets.iter().find(|f| f.polygon.plane().is_some_and(|p| p.normal.dot(outward) > 0.999));
        let Some(side) = side else {
            return Err(BuildError::NoSide(self.rooms[room.0].name.clone(), outward));
        };
        let polygon = side.polygon.flipped();
        self.links.push(Link { room, other: None, polygon, passable });
        Ok(())
    }

    /// A window in an outer wall.
    pub fn window(
        &mut self,
        name: impl Into<String>,
        room: RoomId,
        outward: DVec3,
        (min, max): (DVec3, DVec3),
        look: Finish,
    ) -> Result<RoomId, BuildError> {
        let niche = self.block(name, min, max, look);
        self.join(room, niche)?;
        self.exit(niche, outward, false)?;
        Ok(niche)
    }

    /// Matter in a room. Where it touches walls it replaces them; solids may touch and overlap each other.
    pub fn solid(&mut self, room: RoomId, solid: Convex<Skin>) {
        self.rooms[room.0].solids.push(solid);
    }

    /// An object in a room.
    pub fn furnish(&mut self, room: RoomId, model: DatId, frame: Frame) {
        self.rooms[room.0].furniture.push(Furniture { model, frame });
    }

    /// All rooms by number.
    pub fn rooms(&self) -> &[Room] {
        &self.rooms
    }

    /// The ids of all rooms in order.
    pub fn room_ids(&self) -> impl Iterator<Item = RoomId> + use<> {
        (0..self.rooms.len()).map(RoomId)
    }

    /// All openings.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// The openings to the outdoors in order, as an outdoor viewer sees them.
    pub fn exits(&self) -> impl Iterator<Item = &Link> {
        self.links.iter().filter(|l| l.other.is_none())
    }

    /// Where walls of two rooms lie on each other, facing into `a`.
    fn common_wall(&self, a: RoomId, b: RoomId) -> Option<Polygon> {
        let sides = |room: RoomId| self.rooms[room.0].volume.facets.iter().map(|f| &f.polygon);
        for mine in sides(a) {
            let Some(plane) = mine.plane() else { continue };
            for theirs in sides(b) {
                let touching = theirs.plane().is_some_and(|p| p.flipped().coincides(&plane, theirs.center()));
                if touching && let Some(common) = mine.overlap(theirs) {
                    return Some(common.flipped());
                }
            }
        }
        None
    }
}
