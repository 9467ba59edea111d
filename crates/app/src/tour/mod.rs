//! The built-in walk: a player with gravity goes through the sample world and writes down every tick.

mod album;
mod chart;
mod navigation;
mod page;
mod pilot;
mod route;
#[cfg(test)]
mod seal;

use crate::surroundings::Surroundings;
pub(crate) use album::Album;
use anyhow::{Context, Result, bail};
pub(crate) use chart::{Chart, blocks_in, land_extent};
use glam::Vec3;
pub(crate) use page::{Page, Shots};
use pilot::{ARRIVAL, PASSING, TICK, face, steer};
pub(crate) use route::{Leg, SAMPLE_ROUTE};
use serde::Serialize;
use std::collections::BTreeSet;
use threshold_physics::{
    EntityKey, EntityRole, PlaceOptions, Placement, Spawn, State, movement::WALK_SPEED, scene::Motion,
};
use threshold_sample::SampleWorld;
use threshold_scenario::{CellChange, StepReport};
use threshold_sim::eye_above;
use threshold_view::{FramePlan, Lens, Options, Planner, Viewer};
use threshold_world::{CellId, Frame, Library, Position};

/// Model of the player.
const PLAYER_SETUP: threshold_dat::DatId = threshold_dat::DatId(0x0200_0001);
/// Game id of the player; the sample's own entities count from 1.
const PLAYER_GUID: u32 = 0x5000_0001;
/// Ticks without any progress after which the walk counts as stuck.
const PATIENCE: u32 = 60;
/// Ticks of a vain attempt to walk through something.
const ATTEMPT: u32 = 45;

/// Degrees between the points of a winding way.
const WINDING: f32 = 15.0;

/// A tick of the tour: what `walk` prints, and what was seen.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct TourLine {
    #[serde(flatten)]
    pub(crate) line: StepReport,
    /// The cell of the eye.
    pub(crate) viewer_cell: CellId,
    /// Interior cells in view, ascending.
    pub(crate) visible_cells: Vec<CellId>,
    /// The landscape was in view.
    pub(crate) landscape: bool,
}

/// A moment worth telling of.
#[derive(Clone, Debug)]
pub(crate) struct Stop {
    pub(crate) name: String,
    pub(crate) tick: usize,
    pub(crate) player: Position,
}

/// The tour under way.
pub(crate) struct Tour<'s> {
    pub(crate) around: Surroundings,
    sample: &'s SampleWorld,
    pub(crate) player: EntityKey,
    lens: Lens,
    planner: Planner,
    plan: FramePlan,
    pub(crate) lines: Vec<TourLine>,
    pub(crate) stops: Vec<Stop>,
}

impl TourLine {
    /// Where the player was.
    pub(crate) fn player(&self) -> Position {
        Position::new(self.line.cell, Frame::new(self.line.origin.into(), self.line.rotation))
    }
}

impl<'s> Tour<'s> {
    /// A player at the first place of the route, in a world with all its entities.
    pub(crate) fn begin(sample: &'s SampleWorld, library: &Library, lens: Lens) -> Result<Tour<'s>> {
        let mut around = Surroundings::whole(library)?;
        around.spawn_placed(library, &sample.entities)?;
        let model = library.model(PLAYER_SETUP)?.context("the sample world has no player")?;
        let mut tour = Tour {
            sample,
            player: EntityKey::default(),
            lens,
            planner: Planner::new(Options::default()),
            plan: FramePlan::default(),
            lines: Vec::new(),
            stops: Vec::new(),
            around,
        };
        let start = tour.place(SAMPLE_ROUTE.first().map_or("", Leg::place))?;
        tour.player = tour.around.spawn(Spawn {
            guid: Some(PLAYER_GUID),
            model,
            position: start,
            state: State::from_bits_retain(0x0040_0408),
            scale: 1.0,
            role: EntityRole { is_player: true, ..EntityRole::default() },
        })?;
        tour.teleport(&start)?;
        Ok(tour)
    }

    /// Walks a leg of the route.
    pub(crate) fn walk(&mut self, leg: &Leg) -> Result<()> {
        let told = leg.to_string();
        match leg {
            Leg::Go(place) => self.go(place),
            Leg::See(place) => self.go(place).and_then(|()| self.turn_to(place)).map(|()| self.stop(place)),
            Leg::Via(place, offset) => self.go_beside(place, *offset),
            Leg::Wind { place, axis, radius, from, to } => self.wind(place, *axis, *radius, (*from, *to)),
            Leg::Blocked { by, towards } => self.be_blocked(by, towards),
            Leg::Open(door) => self.set_open(door, true),
            Leg::Close(door) => self.set_open(door, false),
            Leg::Enter { portal, arrive } => self.enter(portal, arrive),
        }
        .with_context(|| told)
    }

    /// One number for how everything stands at the end.
    pub(crate) fn hash(&self) -> u64 {
        self.around.scene.state_hash()
    }

    /// Every change of cell, with the tick it was committed in.
    pub(crate) fn cell_changes(&self) -> impl Iterator<Item = (usize, CellChange)> + '_ {
        self.lines.iter().enumerate().filter_map(|(tick, line)| Some((tick, line.line.cell_changed?)))
    }

    /// The name of a place in an interior cell.
    pub(crate) fn place_in(&self, cell: CellId) -> Option<&'s str> {
        let place = self.sample.places.iter().find(|place| place.position.cell == cell && cell.is_interior());
        place.map(|place| place.name.as_str())
    }

    fn position(&self) -> Position {
        self.around.scene.get(self.player).map(|entity| entity.position).unwrap_or_default()
    }

    fn place(&self, name: &str) -> Result<Position> {
        let place = self.sample.places.iter().find(|place| place.name == name);
        Ok(place.with_context(|| format!("there is no place called {name}"))?.position)
    }

    fn entity(&self, name: &str) -> Result<&'s threshold_world::placed::PlacedObject> {
        let entity = self.sample.entities.iter().find(|entity| entity.name == name);
        entity.with_context(|| format!("there is nothing called {name}"))
    }

    fn go(&mut self, place: &str) -> Result<()> {
        let target = self.place(place)?;
        for waypoint in navigation::path(&self.around.world, &self.position(), &target) {
            self.go_straight(&waypoint, if waypoint == target { ARRIVAL } else { PASSING })?;
        }
        let position = self.position();
        // Outdoors a place may lie on the border of two cells.
        if position.cell != target.cell && (position.cell.is_interior() || target.cell.is_interior()) {
            bail!("{place} is in {}, but the walk ended in {}", target.cell, position.cell);
        }
        Ok(())
    }

    fn go_beside(&mut self, place: &str, [east, north]: [f32; 2]) -> Result<()> {
        let mut target = self.place(place)?;
        target.frame.origin += Vec3::new(east, north, 0.0);
        self.go_straight(&target, PASSING)
    }

    fn wind(&mut self, place: &str, axis: [f32; 2], radius: f32, (from, to): (f32, f32)) -> Result<()> {
        let steps = ((to - from).abs() / WINDING).ceil().max(1.0) as u32;
        for i in 0..=steps {
            let angle = (from + (to - from) * i as f32 / steps as f32).to_radians();
            let (east, north) = (radius * libm::cosf(angle), radius * libm::sinf(angle));
            self.go_beside(place, [axis[0] + east, axis[1] + north])?;
        }
        Ok(())
    }

    fn go_straight(&mut self, target: &Position, arrival: f32) -> Result<()> {
        let mut stuck = 0;
        let mut nearest = f32::INFINITY;
        while let Some(mut motion) = steer(&self.position(), target, arrival) {
            // Whoever cannot get on steps aside, to the right and then farther to the left.
            if let Some(side) =
                [(12, 1.0), (30, -1.0)].iter().find(|(from, _)| (*from..from + 14).contains(&stuck))
            {
                motion.velocity = Vec3::new(side.1 * WALK_SPEED, 0.0, 0.0);
            }
            self.tick(motion)?;
            let left = self.position().offset_to(target).truncate().length();
            let turned_only = motion.velocity == Vec3::ZERO;
            stuck = if left < nearest - 0.005 { 0 } else { stuck + u32::from(!turned_only) };
            nearest = nearest.min(left);
            if stuck > PATIENCE {
                bail!("stuck at {}, {left:.2} m from {target}", self.position());
            }
        }
        Ok(())
    }

    fn turn_to(&mut self, place: &str) -> Result<()> {
        let heading = self.place(place)?.frame.heading();
        while let Some(motion) = face(&self.position(), heading) {
            self.tick(motion)?;
        }
        Ok(())
    }

    /// Walks against something that must hold, and checks that it did.
    fn be_blocked(&mut self, by: &str, towards: &str) -> Result<()> {
        let (obstacle, target) = (self.entity(by)?.id, self.place(towards)?);
        let cell = self.position().cell;
        let mut touched = false;
        for _ in 0..ATTEMPT {
            let Some(motion) = steer(&self.position(), &target, ARRIVAL) else {
                bail!("walked through {by}")
            };
            self.tick(motion)?;
            touched |= self.lines.last().is_some_and(|line| line.line.collided_with.contains(&obstacle));
        }
        if !touched || self.position().cell != cell {
            bail!("{by} did not hold: {}", self.position());
        }
        self.stop(&format!("{by}, closed"));
        Ok(())
    }

    fn set_open(&mut self, door: &str, open: bool) -> Result<()> {
        let id = self.entity(door)?.id;
        let Surroundings { world, scene, .. } = &mut self.around;
        let key = scene.key_of(id).with_context(|| format!("{door} is gone"))?;
        scene.set_ethereal(world, key, open)?;
        if open {
            self.stop(&format!("{door}, open"));
        }
        Ok(())
    }

    fn enter(&mut self, portal: &str, arrive: &str) -> Result<()> {
        let entity = self.entity(portal)?;
        let destination = entity.destination.with_context(|| format!("{portal} leads nowhere"))?;
        let at = Position::new(entity.cell, Frame::at(entity.origin.into()));
        for _ in 0..20 * PATIENCE {
            if self.lines.last().is_some_and(|line| line.line.collided_with.contains(&entity.id)) {
                self.teleport(&destination)?;
                let arrived = self.place(arrive)?;
                if self.position().cell != arrived.cell {
                    bail!("{portal} led to {} and not to {arrive}", self.position());
                }
                self.stop(arrive);
                return Ok(());
            }
            let Some(motion) = steer(&self.position(), &at, PASSING) else { break };
            self.tick(motion)?;
        }
        bail!("{portal} was not touched from {}", self.position())
    }

    fn teleport(&mut self, to: &Position) -> Result<()> {
        let Surroundings { world, scene, .. } = &mut self.around;
        let (placement, result) = scene.place(world, self.player, to, PlaceOptions::default())?;
        if placement != Placement::Placed {
            bail!("there is no room at {to}");
        }
        let step = self.lines.len() as i64 - 1;
        let line = StepReport::of(&self.around.scene, self.player, step, &result);
        self.write_down(line);
        Ok(())
    }

    fn tick(&mut self, motion: Motion) -> Result<()> {
        let Surroundings { world, scene, .. } = &mut self.around;
        scene.set_motion(self.player, motion)?;
        scene.end_stale_slide(self.player);
        scene.advance_clock(TICK)?;
        let result = scene.update(world, self.player)?;
        scene.drain_events();
        let step = self.lines.len() as i64 - 1;
        let line = StepReport::of(scene, self.player, step, &result);
        if line.lost {
            bail!("the player fell out of the world at {}", self.position());
        }
        self.write_down(line);
        Ok(())
    }

    /// What a player who stands at a place sees with.
    pub(crate) fn viewer_of(&self, player: &Position) -> Viewer {
        let eye = eye_above(&self.around.world, &self.around.scene, Some(self.player), player);
        let frame = Frame::new(eye.frame.origin, player.frame.rotation());
        Viewer { position: Position::new(eye.cell, frame), lens: self.lens, player_cell: player.cell }
    }

    fn write_down(&mut self, line: StepReport) {
        let viewer = self.viewer_of(&self.position());
        self.planner.plan(&self.around.world, &self.around, &viewer, &mut self.plan);
        let visible: BTreeSet<CellId> = self.plan.cells.iter().map(|cell| cell.id).collect();
        self.lines.push(TourLine {
            line,
            viewer_cell: viewer.position.cell,
            visible_cells: visible.into_iter().collect(),
            landscape: self.plan.draws_landscape(),
        });
    }

    fn stop(&mut self, name: &str) {
        let tick = self.lines.len().saturating_sub(1);
        self.stops.push(Stop { name: name.to_owned(), tick, player: self.position() });
    }
}
