//! The built-in walk: a player with gravity goes through the sample world and writes down every tick.

#[cfg(test)]
mod agreement;
mod album;
mod chart;
mod navigation;
mod page;
mod pilot;
mod route;
#[cfg(test)]
mod seal;

pub(crate) use album::Album;
use anyhow::{Context, Result, bail, ensure};
pub(crate) use chart::{Chart, blocks_in, land_extent};
use glam::Vec3;
pub(crate) use page::{Page, Shots};
use pilot::{ARRIVAL, PASSING, Steering, face, steer};
pub(crate) use route::{Leg, SAMPLE_ROUTE, Sight};
use serde::Serialize;
use std::collections::BTreeSet;
use threshold_physics::{EntityKey, MoveResult, scene::SweptStep};
use threshold_scenario::{CellChange, StepReport};
use threshold_sim::{Controls, DoorChange, Event, Simulation, State, TICK, eye_above};
use threshold_view::{FramePlan, Lens, Viewer};
use threshold_world::{CellId, Frame, Position};

/// Ticks without any progress after which the walk counts as stuck.
const PATIENCE: u32 = 60;
/// Ticks for which something is waited for.
const LONGEST_WATCH: u32 = 30 * 60;
/// Ticks of a vain attempt to walk through something.
const ATTEMPT: u32 = 45;
/// Ticks that a journey through a portal may take.
const JOURNEY: u32 = 30;

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
pub(crate) struct Tour {
    pub(crate) sim: Simulation,
    pub(crate) player: EntityKey,
    lens: Lens,
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

impl Tour {
    /// A player at the first place of the route, in a world with all its entities.
    pub(crate) fn begin(mut sim: Simulation, lens: Lens) -> Result<Tour> {
        let start = place(&sim, SAMPLE_ROUTE.first().map_or("", Leg::place))?;
        let player = sim.spawn_player(start)?;
        let plan = FramePlan::default();
        let mut tour = Tour { sim, player, lens, plan, lines: Vec::new(), stops: Vec::new() };
        let placed = MoveResult { ok: true, swept: true, cell_changed: None };
        let line = StepReport::of(tour.sim.scene(), player, -1, &placed);
        tour.sim.drain_events();
        tour.write_down(line);
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
            Leg::Open(door) => self.open(door),
            Leg::Close(door) => self.close(door),
            Leg::Watch { place, what, until } => self.watch(place, what, *until),
            Leg::Enter { portal, arrive } => self.enter(portal, arrive),
        }
        .with_context(|| told)
    }

    /// One number for how everything stands at the end.
    pub(crate) fn hash(&self) -> u64 {
        self.sim.state_hash()
    }

    /// Every change of cell, with the tick it was committed in.
    pub(crate) fn cell_changes(&self) -> impl Iterator<Item = (usize, CellChange)> + '_ {
        self.lines.iter().enumerate().filter_map(|(tick, line)| Some((tick, line.line.cell_changed?)))
    }

    /// The name of a place in an interior cell.
    pub(crate) fn place_in(&self, cell: CellId) -> Option<&str> {
        let place = self.sim.places().iter().find(|place| place.position.cell == cell && cell.is_interior());
        place.map(|place| place.name.as_str())
    }

    fn position(&self) -> Position {
        self.sim.position(self.player).unwrap_or_default()
    }

    fn place(&self, name: &str) -> Result<Position> {
        place(&self.sim, name)
    }

    /// An object that is placed, by name.
    fn object(&self, name: &str) -> Result<EntityKey> {
        self.sim.find_by_name(name).with_context(|| format!("there is nothing called {name}"))
    }

    fn go(&mut self, place: &str) -> Result<()> {
        let target = self.place(place)?;
        for waypoint in navigation::path(self.sim.world(), &self.position(), &target) {
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
        while let Some(mut steering) = steer(&self.position(), target, arrival) {
            // A player that cannot get on steps aside, to the right and then farther to the left.
            let right = (12..26).contains(&stuck);
            let left = (30..44).contains(&stuck);
            if right || left {
                steering.controls = Controls { forward: false, right, left, ..steering.controls };
            }
            self.tick(steering)?;
            let turned_only = !(steering.controls.forward || right || left);
            let left = self.position().offset_to(target).truncate().length();
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
        while let Some(steering) = face(&self.position(), heading) {
            self.tick(steering)?;
        }
        Ok(())
    }

    /// Walks against something that must hold, and checks that it did.
    fn be_blocked(&mut self, by: &str, towards: &str) -> Result<()> {
        let (obstacle, target) = (self.sim.entity(self.object(by)?)?.guid, self.place(towards)?);
        let cell = self.position().cell;
        let mut touched = false;
        for _ in 0..ATTEMPT {
            let Some(steering) = steer(&self.position(), &target, ARRIVAL) else {
                bail!("walked through {by}")
            };
            self.tick(steering)?;
            let line = self.lines.last();
            touched |=
                line.is_some_and(|line| obstacle.is_some_and(|id| line.line.collided_with.contains(&id)));
        }
        if !touched || self.position().cell != cell {
            bail!("{by} did not hold: {}", self.position());
        }
        self.stop(&format!("{by}, closed"));
        Ok(())
    }

    /// Opens a door; one that is open, or that closed by itself in the meantime, is not worth telling of again.
    fn open(&mut self, door: &str) -> Result<()> {
        let key = self.object(door)?;
        ensure!(self.sim.open_door(key)? == Some(DoorChange::Opened), "{door} does not open");
        self.await_rest(key)?;
        let told = format!("{door}, open");
        if !self.stops.iter().any(|stop| stop.name == told) {
            self.stop(&told);
        }
        Ok(())
    }

    fn close(&mut self, door: &str) -> Result<()> {
        let key = self.object(door)?;
        ensure!(self.sim.close_door(key)? == Some(DoorChange::Closed), "{door} does not close");
        self.await_rest(key)
    }

    /// Waits until the leaf of a door has come to rest.
    fn await_rest(&mut self, door: EntityKey) -> Result<()> {
        while self.sim.is_swinging(door) {
            self.tick(Steering::default())?;
        }
        Ok(())
    }

    /// Goes to a place, faces something there, and waits until there is something to see.
    fn watch(&mut self, place: &str, what: &str, until: Sight) -> Result<()> {
        self.go(place)?;
        let seen = self.object(what)?;
        let hand = self.sim.entity(seen)?.attachment().part;
        for _ in 0..LONGEST_WATCH {
            let way = self.position().offset_to(&self.sim.position(seen)?);
            let heading = libm::atan2f(way.x, way.y).to_degrees();
            let facing = face(&self.position(), heading);
            // What moves is never faced exactly.
            let is_faced = facing.is_none_or(|steering| steering.turn.abs() < 3.0);
            if is_faced && self.is_seen(seen, until, hand)? {
                self.stop(what);
                return Ok(());
            }
            self.tick(facing.unwrap_or_default())?;
        }
        bail!("{what} had no visible effect")
    }

    /// Whether there is something to see; `hand` is the part that held what is watched at first.
    fn is_seen(&self, what: EntityKey, sight: Sight, hand: usize) -> Result<bool> {
        let at = self.sim.position(what)?;
        Ok(match sight {
            Sight::InFlight(missile, distance) => {
                let missile = self.sim.entity(self.object(missile)?)?;
                let flies = missile.parent.is_none() && missile.state.contains(State::MISSILE);
                flies && missile.position.distance_to(&at) <= distance
            }
            Sight::Near(distance) => self.position().distance_to(&at) <= distance,
            Sight::ChangedHands => self.sim.entity(what)?.attachment().part != hand,
        })
    }

    fn enter(&mut self, portal: &str, arrive: &str) -> Result<()> {
        let at = self.sim.position(self.object(portal)?)?;
        for _ in 0..20 * PATIENCE {
            if self.sim.player(self.player)?.is_travelling() {
                return self.arrive(portal, arrive);
            }
            let Some(steering) = steer(&self.position(), &at, PASSING) else { break };
            self.tick(steering)?;
            if self.position().cell == self.place(arrive)?.cell {
                return self.arrive(portal, arrive);
            }
        }
        bail!("{portal} was not touched from {}", self.position())
    }

    /// Waits until a portal has led somewhere.
    fn arrive(&mut self, portal: &str, arrive: &str) -> Result<()> {
        for _ in 0..JOURNEY {
            if !self.sim.player(self.player)?.is_travelling() {
                break;
            }
            self.tick(Steering::default())?;
        }
        let arrived = self.place(arrive)?;
        if self.position().cell != arrived.cell {
            bail!("{portal} led to {} and not to {arrive}", self.position());
        }
        self.stop(arrive);
        Ok(())
    }

    fn tick(&mut self, steering: Steering) -> Result<()> {
        let player = self.player;
        self.sim.control(player, steering.controls)?;
        self.sim.look(player, steering.turn, 0.0)?;
        let mut swept = None;
        self.sim.tick_watched(&mut |step| {
            if step.key == player {
                swept = Some(Swept::from(step));
            }
        })?;
        self.sim.update_eyes(TICK as f32);
        let step = self.lines.len() as i64 - 1;
        let scene = self.sim.scene();
        let still = StepReport::of(scene, player, step, &MoveResult::without_sweep(true));
        let mut line = swept.map_or(still.clone(), |swept| swept.report(&self.sim, still));
        line.cell_changed = self.cell_change();
        if line.lost {
            bail!("the player fell out of the world at {}", self.position());
        }
        self.write_down(line);
        Ok(())
    }

    /// From which cell into which the last tick brought the player.
    fn cell_change(&mut self) -> Option<CellChange> {
        let player = self.player;
        let mut changes = self.sim.drain_events().filter_map(|event| match event {
            Event::CellChanged { entity, from, to } if entity == player => {
                Some((from.unwrap_or_default(), to.unwrap_or_default()))
            }
            _ => None,
        });
        let (from, first) = changes.next()?;
        let to = changes.next_back().map_or(first, |(_, to)| to);
        Some(CellChange { from, to })
    }

    /// What a player who stands at a place sees with.
    pub(crate) fn viewer_of(&self, player: &Position) -> Viewer {
        let eye = eye_above(self.sim.world(), self.sim.scene(), Some(self.player), player);
        let frame = Frame::new(eye.frame.origin, player.frame.rotation());
        Viewer { position: Position::new(eye.cell, frame), lens: self.lens, player_cell: player.cell }
    }

    fn write_down(&mut self, line: StepReport) {
        let viewer = self.viewer_of(&self.position());
        self.sim.plan(&viewer, &mut self.plan);
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

/// A named place.
fn place(sim: &Simulation, name: &str) -> Result<Position> {
    let place = sim.places().iter().find(|place| place.name == name);
    Ok(place.with_context(|| format!("there is no place called {name}"))?.position)
}

/// What a sweep of the player met.
struct Swept {
    ok: bool,
    collision_normal: Option<[f32; 3]>,
    collided_env: bool,
    touched: Vec<EntityKey>,
    cells: Vec<CellId>,
}

impl From<&SweptStep<'_>> for Swept {
    fn from(step: &SweptStep<'_>) -> Swept {
        let log = &step.outcome.log;
        Swept {
            ok: step.outcome.ok,
            collision_normal: log.hit_valid.then(|| log.hit.into()),
            collided_env: log.hit_environment,
            touched: step.touched.to_vec(),
            cells: step.cells.iter().map(|entry| entry.id).collect(),
        }
    }
}

impl Swept {
    /// Adds it to what is told of the player.
    fn report(self, sim: &Simulation, line: StepReport) -> StepReport {
        StepReport {
            ok: self.ok,
            collision_normal: self.collision_normal,
            collided_env: self.collided_env,
            collided_with: self.touched.iter().filter_map(|&key| sim.scene().get(key)?.guid).collect(),
            cell_array: self.cells,
            ..line
        }
    }
}
