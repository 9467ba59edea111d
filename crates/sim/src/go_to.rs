//! Walking to a place: a route is found and proved, move-to drives each leg of it, doors are opened, and an object that is
//! blocked looks for another route.

use crate::{
    Event, Gait, SimError, Simulation, Walker,
    clock::{TICK, TICKS_PER_SECOND},
};
use glam::Vec3;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, sync::Arc};
use threshold_nav::{Attempt, Obstruction, Passage, Policy, Route, Unreachable};
use threshold_physics::{
    EntityKey, Motion, SceneError,
    motion::{MoveFlags, Movement, MovementParameters},
    movement::Controls,
    scene::check_position,
};
use threshold_world::{BlockId, Position, heading_of};

/// A leg ends within this distance of its waypoint, in metres.
const LEG_REACH: f32 = 0.15;
/// Within this distance of a waypoint objects walk, in metres: a run cannot be stopped on the spot.
const RUN_UP: f32 = 2.5;
/// [`LEG_REACH`] of an object without a motion table, in metres.
const EXACT: f32 = 0.02;
/// An object that is stuck within this distance of a waypoint continues with the next leg, in metres.
const SLACK: f32 = 0.4;
/// A walk ends within this distance of the goal, in metres.
const GOAL_REACH: f32 = 0.3;
/// A larger difference in height is another floor, in metres.
const LEVEL: f32 = 1.2;
/// Ticks without progress after which an object counts as stuck.
const PATIENCE: u32 = 30;
/// What counts as progress, in metres.
const PROGRESS: f32 = 0.02;
/// How often a trip is replanned before it is given up.
const MAX_REPLANS: u32 = 8;
/// Ticks that a trip waits for its meshes: a minute.
const MAX_WAIT: u32 = 60 * TICKS_PER_SECOND as u32;
/// Doors on the route are opened within this distance, in metres.
const DOOR_REACH: f32 = 2.5;

/// Why an object gave up going to a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GaveUp {
    /// There is no route, or no longer one.
    Unreachable(Unreachable),
    /// Something blocks the route and stays there.
    Blocked,
    /// A player's keys were held.
    Keys,
}

/// An object's trip to a place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Trip {
    goal: Position,
    policy: Policy,
    gait: Gait,
    waypoints: Vec<Position>,
    /// Game ids of the closed doors on the route.
    doors: Vec<u32>,
    /// Portals on the route.
    passages: Vec<Passage>,
    /// Index of the waypoint that the current leg leads to.
    next: u32,
    /// The route is being searched for.
    is_looking: bool,
    /// Blocks whose meshes the search is waiting for.
    needs: Vec<BlockId>,
    /// Ticks spent waiting.
    waited: u32,
    /// Without a route, walk straight ahead.
    or_straight: bool,
    /// Blocks that the route passes through, and the hash of what it was proved in.
    blocks: Vec<BlockId>,
    proved_in: u64,
    /// The tick of the last check that the route is still valid.
    asked_at: u64,
    /// The current leg has been started.
    has_set_out: bool,
    /// It was started at a run.
    runs: bool,
    nearest: f32,
    still: u32,
    replans: u32,
}

impl Trip {
    /// A trip whose route is not known yet.
    fn new(goal: Position, policy: &Policy, gait: Gait) -> Trip {
        Trip {
            goal,
            policy: policy.clone(),
            gait,
            waypoints: Vec::new(),
            doors: Vec::new(),
            passages: Vec::new(),
            next: 1,
            is_looking: true,
            needs: Vec::new(),
            waited: 0,
            or_straight: false,
            blocks: Vec::new(),
            proved_in: 0,
            asked_at: 0,
            has_set_out: false,
            runs: false,
            nearest: f32::INFINITY,
            still: 0,
            replans: 0,
        }
    }

    fn begin_leg(&mut self, waypoint: u32) {
        (self.next, self.has_set_out, self.nearest, self.still) = (waypoint, false, f32::INFINITY, 0);
    }

    /// Follows this route from now on.
    fn take(&mut self, route: Route) {
        self.blocks = route.cells.iter().map(|cell| cell.block()).collect();
        self.blocks.sort_unstable();
        self.blocks.dedup();
        (self.waypoints, self.doors, self.passages) = (route.waypoints, route.doors, route.passages);
        (self.is_looking, self.waited) = (false, 0);
        self.begin_leg(1);
    }

    /// Starts a new search.
    fn look(&mut self, needs: Vec<BlockId>) {
        (self.waypoints, self.doors, self.passages) = Default::default();
        (self.is_looking, self.needs) = (true, needs);
    }
}

/// All trips.
pub(crate) type Trips = Arc<BTreeMap<EntityKey, Trip>>;

/// The state of a leg.
enum Leg {
    UnderWay,
    Done,
    HeldUp,
}

/// Metres per second of an object without a motion table.
fn pace(gait: Gait) -> f32 {
    let walker = Walker { gait, ..Walker::default() };
    walker.motion(&Controls { forward: true, ..Controls::default() }).velocity.y
}

impl Simulation {
    /// Sends a player or creature to a place. The search takes some ticks, because the meshes it needs may have to be built first; then the object walks the
    /// route leg by leg. [`Event::SetOut`] reports the route, [`Event::CameTo`] or [`Event::GaveUpGoing`] how the trip ended. Replaces an earlier trip.
    pub fn go_to(&mut self, key: EntityKey, goal: &Position, policy: &Policy) -> Result<(), SimError> {
        let gait = if self.players.contains_key(&key) { Gait::Run } else { Gait::Walk };
        self.send(key, Trip::new(*goal, policy, gait))
    }

    /// Like [`Simulation::go_to`], but without a route the object walks straight ahead as far as it gets.
    pub(crate) fn go_to_or_straight(&mut self, key: EntityKey, goal: &Position) -> Result<(), SimError> {
        self.send(key, Trip { or_straight: true, ..Trip::new(*goal, &Policy::default(), Gait::Walk) })
    }

    fn send(&mut self, key: EntityKey, trip: Trip) -> Result<(), SimError> {
        check_position(&trip.goal)?;
        if !self.entity(key)?.role.is_creature() {
            return Err(SimError::NoLegs);
        }
        Arc::make_mut(&mut self.trips).insert(key, trip);
        Ok(())
    }

    /// Starts a trip along a known route.
    pub(crate) fn set_out(
        &mut self,
        key: EntityKey,
        route: Route,
        goal: Position,
        policy: &Policy,
        gait: Gait,
    ) {
        let mut trip = Trip::new(goal, policy, gait);
        trip.take(route);
        self.note_proof(&mut trip);
        Arc::make_mut(&mut self.trips).insert(key, trip);
    }

    /// A player has run into a portal. If its route takes the portal, the trip continues behind it.
    pub(crate) fn pass_portal(&mut self, player: EntityKey, portal: EntityKey) {
        let id = self.scene.get(portal).and_then(|portal| portal.guid);
        let Some(trip) = self.trips.get(&player) else { return };
        let passage = trip.passages.iter().find(|p| Some(p.portal) == id && p.waypoint >= trip.next);
        if let Some(&Passage { waypoint, .. }) = passage
            && let Some(trip) = Arc::make_mut(&mut self.trips).get_mut(&player)
        {
            trip.begin_leg(waypoint + 1);
        }
    }

    /// Cancels [`Simulation::go_to`]. Returns whether there was anything to cancel.
    pub fn stay(&mut self, key: EntityKey) -> Result<bool, SimError> {
        let was_going = self.is_going(key);
        if was_going {
            Arc::make_mut(&mut self.trips).remove(&key);
            self.stand_still(key)?;
        }
        Ok(was_going)
    }

    /// Whether an object is on its way to a place.
    pub fn is_going(&self, key: EntityKey) -> bool {
        self.trips.contains_key(&key)
    }

    /// The rest of an object's route: the ends of its legs.
    pub fn way_ahead(&self, key: EntityKey) -> &[Position] {
        self.trips.get(&key).and_then(|trip| trip.waypoints.get(trip.next as usize..)).unwrap_or(&[])
    }

    /// Advances all trips, before the objects of a tick are updated. Objects outside the loaded cells wait.
    pub(crate) fn follow_trips(&mut self) -> Result<(), SimError> {
        if self.trips.is_empty() {
            return Ok(());
        }
        let mut trips = std::mem::take(&mut self.trips);
        let mut result = Ok(());
        Arc::make_mut(&mut trips).retain(|&key, trip| match self.follow_trip(key, trip) {
            Ok(goes_on) => goes_on,
            Err(error) => {
                result = Err(error);
                false
            }
        });
        // No trip begins in this loop.
        self.trips = trips;
        result
    }

    /// One tick of a trip; false when it is over.
    fn follow_trip(&mut self, key: EntityKey, trip: &mut Trip) -> Result<bool, SimError> {
        let Some(entity) = self.scene.get(key) else { return Ok(false) };
        let is_away = self.players.get(&key).is_some_and(|player| player.journey.is_some());
        if entity.cell.is_none() || is_away {
            return Ok(true);
        }
        let moves = |held: Controls| Controls { toggle_run: false, ..held } != Controls::default();
        if self.players.get(&key).is_some_and(|player| moves(player.controls)) {
            return self.give_up(key, GaveUp::Keys);
        }
        if trip.is_looking && !self.look_for_way(key, trip)? {
            return Ok(false);
        }
        if trip.is_looking {
            return Ok(true);
        }
        if !self.keep_way_true(key, trip)? {
            return Ok(false);
        }
        self.open_doors_near(key, trip)?;
        loop {
            match self.leg(key, trip)? {
                Leg::UnderWay => {
                    self.walk_leg(key, trip)?;
                    return Ok(true);
                }
                Leg::Done if trip.next as usize + 1 < trip.waypoints.len() => {
                    trip.begin_leg(trip.next + 1);
                }
                Leg::Done => {
                    self.stand_still(key)?;
                    self.events.push(Event::CameTo { entity: key, at: self.position(key)? });
                    return Ok(false);
                }
                Leg::HeldUp => return self.replan(key, trip),
            }
        }
    }

    fn leg(&self, key: EntityKey, trip: &mut Trip) -> Result<Leg, SimError> {
        let entity = self.entity(key)?;
        let Some(to) = trip.waypoints.get(trip.next as usize) else { return Ok(Leg::Done) };
        let way = entity.position.offset_to(to);
        let distance = way.truncate().length();
        let is_last = trip.next as usize + 1 == trip.waypoints.len();
        // An object with a motion table stops where its animation ends; any other stops exactly.
        let leg_reach = if entity.has_motion_table() { LEG_REACH } else { EXACT };
        let reach = if is_last { GOAL_REACH } else { leg_reach };
        let is_level = way.z.abs() < LEVEL;
        if distance < reach && is_level && entity.stands() {
            return Ok(Leg::Done);
        }
        if distance < trip.nearest - PROGRESS || !entity.stands() {
            trip.nearest = trip.nearest.min(distance);
            trip.still = 0;
        } else {
            trip.still += 1;
        }
        Ok(match trip.still > PATIENCE {
            true if !is_last && distance < SLACK && is_level => Leg::Done,
            true => Leg::HeldUp,
            false => Leg::UnderWay,
        })
    }

    /// Moves the object along the current leg.
    fn walk_leg(&mut self, key: EntityKey, trip: &mut Trip) -> Result<(), SimError> {
        let Some(&to) = trip.waypoints.get(trip.next as usize) else { return Ok(()) };
        let entity = self.entity(key)?;
        let runs = trip.gait == Gait::Run && entity.position.offset_to(&to).truncate().length() > RUN_UP;
        if entity.has_motion_table() {
            if !trip.has_set_out || !entity.is_moving_to() || trip.runs && !runs {
                (trip.has_set_out, trip.runs) = (true, runs);
                let parameters =
                    MovementParameters { distance: LEG_REACH * 0.8, ..MovementParameters::default() };
                let parameters = parameters.with(MoveFlags::CAN_RUN, runs);
                // Places have no size; a body that stopped at its own edge would not reach them.
                let parameters = parameters.with(MoveFlags::USE_CYLINDERS, false);
                self.perform_or_stay(key, Movement::MoveToPosition(to, parameters))?;
            }
            return Ok(());
        }
        let way = entity.position.offset_to(&to);
        let (distance, scale) = (way.truncate().length(), entity.scale);
        let speed = pace(if runs { Gait::Run } else { Gait::Walk }).min(distance / TICK as f32) / scale;
        self.scene.face(key, heading_of(way))?;
        self.scene.set_motion(key, Motion { velocity: Vec3::Y * speed, turn: 0.0 })?;
        Ok(())
    }

    fn perform_or_stay(&mut self, key: EntityKey, movement: Movement) -> Result<(), SimError> {
        match self.scene.perform(key, &movement) {
            Ok(()) | Err(SceneError::Motion(_)) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    fn stand_still(&mut self, key: EntityKey) -> Result<(), SimError> {
        if self.entity(key)?.has_motion_table() {
            self.perform_or_stay(key, Movement::StopCompletely)
        } else {
            Ok(self.scene.set_motion(key, Motion::default())?)
        }
    }

    /// Opens the route's closed doors that are near.
    fn open_doors_near(&mut self, key: EntityKey, trip: &Trip) -> Result<(), SimError> {
        for &id in &trip.doors {
            let Some(door) = self.find(id).filter(|door| self.doors.get(door).is_some_and(|d| !d.open))
            else {
                continue;
            };
            let way = self.position(key)?.offset_to(&self.position(door)?);
            if way.truncate().length() < DOOR_REACH && way.z.abs() < LEVEL * 2.0 {
                self.open_door(door)?;
            }
        }
        Ok(())
    }

    /// Records what the route of a trip was proved in.
    fn note_proof(&mut self, trip: &mut Trip) {
        trip.proved_in = self.ways_signature(&trip.blocks, &trip.policy);
        trip.asked_at = self.clock.ticks;
    }

    /// Once a second, checks whether anything along the route has changed since it was proved, and if so searches for another one. The old route is followed
    /// until the new one is known. False when there is no route any more.
    fn keep_way_true(&mut self, key: EntityKey, trip: &mut Trip) -> Result<bool, SimError> {
        if self.clock.ticks < trip.asked_at + TICKS_PER_SECOND || self.has_searched_enough() {
            return Ok(true);
        }
        trip.asked_at = self.clock.ticks;
        if self.ways_signature(&trip.blocks, &trip.policy) == trip.proved_in {
            return Ok(true);
        }
        match self.attempt_way(key, &trip.goal, &trip.policy)? {
            Attempt::Answer(Ok(route)) => {
                trip.take(route);
                self.note_proof(trip);
                Ok(true)
            }
            Attempt::Answer(Err(why)) => self.give_up(key, GaveUp::Unreachable(why)),
            Attempt::Needs(_) => Ok(true),
        }
    }

    /// Searches for another route from here; false after too many attempts.
    fn replan(&mut self, key: EntityKey, trip: &mut Trip) -> Result<bool, SimError> {
        trip.replans += 1;
        if trip.replans > MAX_REPLANS {
            return self.give_up(key, GaveUp::Blocked);
        }
        trip.look(Vec::new());
        self.look_for_way(key, trip)
    }

    /// Searches for the route with the meshes that are ready; false when there is none.
    fn look_for_way(&mut self, key: EntityKey, trip: &mut Trip) -> Result<bool, SimError> {
        if self.has_searched_enough() {
            return Ok(true);
        }
        trip.waited += 1;
        if self.order_meshes(key, &trip.needs) && trip.waited < MAX_WAIT {
            return Ok(true);
        }
        match self.attempt_way(key, &trip.goal, &trip.policy)? {
            Attempt::Answer(Ok(route)) => {
                if trip.replans == 0 {
                    self.events.push(Event::SetOut { entity: key, route: Box::new(route.clone()) });
                }
                trip.take(route);
                self.note_proof(trip);
                Ok(true)
            }
            Attempt::Answer(Err(_)) if trip.or_straight => {
                self.walk_to(key, &trip.goal)?;
                Ok(false)
            }
            Attempt::Answer(Err(why)) => self.give_up(key, GaveUp::Unreachable(why)),
            Attempt::Needs(_) if trip.waited >= MAX_WAIT => {
                let nearest = self.position(key)?;
                let gap = nearest.offset_to(&trip.goal).truncate().length();
                self.give_up(key, GaveUp::Unreachable(Unreachable { why: Obstruction::GaveUp, nearest, gap }))
            }
            Attempt::Needs(blocks) => {
                self.stand_still(key)?;
                trip.needs = blocks;
                Ok(true)
            }
        }
    }

    fn give_up(&mut self, key: EntityKey, why: GaveUp) -> Result<bool, SimError> {
        self.stand_still(key)?;
        self.events.push(Event::GaveUpGoing { entity: key, at: self.position(key)?, why });
        Ok(false)
    }
}
