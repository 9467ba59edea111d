//! Habits of placed objects: patrol, chase, throw, hold. Each gives orders to its object; motion tables, move-to and the
//! sweep do the rest.

use crate::{Gait, SimError, Simulation, clock::TICKS_PER_SECOND};
use glam::Vec3;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, sync::Arc};
use threshold_nav::{Attempt, Policy};
use threshold_physics::{
    EntityKey, SceneError, State, Transient,
    motion::{MoveFlags, Movement, MovementParameters},
    scene::GRAVITY,
};
use threshold_world::{
    Frame, Position,
    placed::{Chase, Habits, Hold, PlacedObject, Throw},
};

/// Ticks that a patrol rests at each place.
const REST: u64 = TICKS_PER_SECOND;
/// Ticks for which one that has caught up, or has given up, chases nobody.
const PAUSE: u64 = 3 * TICKS_PER_SECOND;
/// Ticks between two looks at the way to what is chased.
const LOOK: u64 = TICKS_PER_SECOND;
/// After each search in a row that finds no way it takes twice as long until the next one, at most this often: 32 seconds.
const MAX_DOUBLINGS: u32 = 5;
/// Within this distance, in metres, and in the same cell, something has not gone elsewhere.
const SAME_PLACE: f32 = 2.0;
/// How near one comes to what it chases, beyond their sizes.
const CATCH: f32 = 0.3;
/// How near to a place is there.
const ARRIVAL: f32 = 0.3;
/// Part of the time between two throws after which the missile is picked up again.
const PICKED_UP: f32 = 0.7;

/// What a walker is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
enum Errand {
    /// Nothing.
    #[default]
    None,
    /// On the way to a place of its patrol.
    Patrol,
    /// After a player.
    Chase,
    /// On the way home.
    Home,
}

/// What becomes of a missile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
enum Missile {
    /// Nobody has taken it up.
    #[default]
    Lying,
    /// In the thrower's hand.
    Held,
    /// It has been thrown, and may have hit something.
    Thrown,
}

/// A search that found no way.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Missed {
    /// Where to.
    goal: Position,
    /// The tick before which another search is not worth it: somebody may have opened a door by then.
    until: u64,
    /// Searches before it in a row that found none.
    times: u32,
}

impl Missed {
    /// A search that has found no way either, after another one or as the first.
    fn again(before: Option<Missed>, goal: Position, now: u64) -> Missed {
        let times = before.map_or(0, |missed| missed.times + 1);
        Missed { goal, until: now + (LOOK << times.min(MAX_DOUBLINGS)), times }
    }

    /// Whether a search for a way to a goal would most likely find none again.
    fn still_holds(&self, goal: &Position, now: u64) -> bool {
        now < self.until && goal.cell == self.goal.cell && goal.distance_to(&self.goal) < SAME_PLACE
    }
}

/// How far an object is with what it does.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Progress {
    errand: Errand,
    /// The next place of the patrol.
    next: u32,
    /// The tick before which it does not walk.
    rests_until: u64,
    missile: Missile,
    /// When the missile is thrown, or picked up.
    missile_at: u64,
    /// What it chases.
    prey: Option<EntityKey>,
    /// When it looks for its way to that again.
    looks_at: u64,
    /// A way to that which it did not find.
    missed: Option<Missed>,
    /// Which hand holds; `None` before anything is held.
    hand: Option<u32>,
    /// When it changes hands.
    hand_at: u64,
}

/// How far every object with habits is, by game id.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Doings(Arc<BTreeMap<u32, Progress>>);

impl Doings {
    pub(crate) fn add(&mut self, placed: &PlacedObject) {
        if !placed.habits.is_empty() {
            Arc::make_mut(&mut self.0).insert(placed.id, Progress::default());
        }
    }

    pub(crate) fn remove(&mut self, guid: u32) {
        if self.0.contains_key(&guid) {
            Arc::make_mut(&mut self.0).remove(&guid);
        }
    }
}

impl Simulation {
    /// Before the objects of a tick: everything with habits goes on with them. What is in no loaded cell waits.
    pub(crate) fn follow_habits(&mut self) -> Result<(), SimError> {
        if self.doings.0.is_empty() {
            return Ok(());
        }
        let placed = self.placed.clone();
        let mut doings = std::mem::take(&mut self.doings);
        let mut result = Ok(());
        for (guid, progress) in Arc::make_mut(&mut doings.0) {
            let key = self.scene.key_of(*guid);
            let (Some(key), Some(object)) = (key, placed.get(guid)) else { continue };
            if self.scene.get(key).is_some_and(|entity| entity.cell.is_some()) {
                result = result.and(self.follow_habits_of(key, object, progress));
            }
        }
        self.doings = doings;
        result
    }

    fn follow_habits_of(
        &mut self,
        key: EntityKey,
        object: &PlacedObject,
        progress: &mut Progress,
    ) -> Result<(), SimError> {
        let Habits { patrol, chases, throws, holds } = &*object.habits;
        if let Some(hold) = holds {
            self.change_hands(key, hold, progress)?;
        }
        if let Some(throw) = throws {
            self.throw(key, throw, progress)?;
        }
        if let Some(chase) = chases {
            self.chase(key, chase, object, progress)?;
        }
        self.patrol(key, patrol, progress)
    }

    /// Goes to the next place as soon as the last one is reached.
    fn patrol(
        &mut self,
        key: EntityKey,
        places: &[Position],
        progress: &mut Progress,
    ) -> Result<(), SimError> {
        let now = self.clock.ticks;
        if progress.errand == Errand::Patrol && !self.is_on_its_way(key)? {
            progress.errand = Errand::None;
            progress.next += 1;
            progress.rests_until = now + REST;
        }
        if progress.errand == Errand::None && progress.rests_until <= now && self.can_walk(key)? {
            let Some(place) = places.get(progress.next as usize % places.len().max(1)) else { return Ok(()) };
            progress.errand = Errand::Patrol;
            self.go_to_or_straight(key, place)?;
        }
        Ok(())
    }

    /// Runs after the nearest player; goes home after having gone too far, or when the player is gone.
    fn chase(
        &mut self,
        key: EntityKey,
        chase: &Chase,
        object: &PlacedObject,
        progress: &mut Progress,
    ) -> Result<(), SimError> {
        let now = self.clock.ticks;
        let (at, home) = (self.position(key)?, object.position());
        if matches!(progress.errand, Errand::Chase | Errand::Home) && !self.is_on_its_way(key)? {
            let is_away = at.distance_to(&home) > chase.gives_up * 0.5;
            if progress.errand == Errand::Chase && is_away {
                progress.errand = Errand::Home;
                return self.go_to_or_straight(key, &home);
            }
            progress.errand = Errand::None;
            progress.rests_until = now + PAUSE;
        }
        if let Some(prey) = progress.prey.filter(|_| progress.errand == Errand::Chase)
            && progress.looks_at <= now
        {
            progress.looks_at = now + LOOK;
            return self.look_after(key, prey, chase, &home, progress);
        }
        if matches!(progress.errand, Errand::Chase | Errand::Home)
            || progress.rests_until > now
            || !self.can_walk(key)?
        {
            return Ok(());
        }
        let nearest = self.players.keys().filter_map(|&player| {
            let distance = at.distance_to(&self.scene.get(player).filter(|p| p.cell.is_some())?.position);
            (distance <= chase.radius).then_some((distance, player))
        });
        if let Some((_, prey)) = nearest.min_by(|a, b| a.0.total_cmp(&b.0)) {
            progress.errand = Errand::Chase;
            progress.prey = Some(prey);
            progress.looks_at = now + LOOK;
            self.run_after(key, prey, chase, progress)?;
        }
        Ok(())
    }

    /// One that chases looks where its prey is by now. By a way around something it goes no farther from home than straight.
    fn look_after(
        &mut self,
        key: EntityKey,
        prey: EntityKey,
        chase: &Chase,
        home: &Position,
        progress: &mut Progress,
    ) -> Result<(), SimError> {
        let is_here = self.scene.get(prey).is_some_and(|prey| prey.cell.is_some());
        let is_too_far = self.is_going(key) && self.position(key)?.distance_to(home) > chase.gives_up;
        if !is_here || is_too_far {
            return self.stay(key).map(|_| ());
        }
        self.run_after(key, prey, chase, progress)
    }

    /// Runs straight at something, as the original does; around what is in the way where there is a way around it. Where there was none it is not looked for
    /// again until what is chased is elsewhere, or some time has passed.
    fn run_after(
        &mut self,
        key: EntityKey,
        prey: EntityKey,
        chase: &Chase,
        progress: &mut Progress,
    ) -> Result<(), SimError> {
        let (goal, now) = (self.position(prey)?, self.clock.ticks);
        let policy = Policy::leaving_doors_shut();
        if progress.missed.as_ref().is_some_and(|missed| missed.still_holds(&goal, now)) {
            return self.charge(key, prey, chase);
        }
        match self.attempt_way(key, &goal, &policy)? {
            Attempt::Answer(Ok(route)) => {
                progress.missed = None;
                if route.waypoints.len() > 2 {
                    self.set_out(key, route, goal, &policy, Gait::Run);
                    return Ok(());
                }
            }
            Attempt::Answer(Err(_)) => {
                progress.missed = Some(Missed::again(progress.missed, goal, now));
            }
            // One that is on its way already goes on until more is known.
            Attempt::Needs(_) if self.is_going(key) => return Ok(()),
            Attempt::Needs(_) => {}
        }
        self.charge(key, prey, chase)
    }

    /// Runs straight at something.
    fn charge(&mut self, key: EntityKey, prey: EntityKey, chase: &Chase) -> Result<(), SimError> {
        self.stay(key)?;
        if !self.entity(key)?.is_moving_to() {
            let parameters = MovementParameters {
                distance: CATCH,
                fail_distance: chase.gives_up,
                ..MovementParameters::default()
            };
            let parameters = parameters.with(MoveFlags::CAN_CHARGE, true);
            self.perform(key, Movement::MoveToObject(prey, parameters))?;
        }
        Ok(())
    }

    /// Takes up what lies about, and throws it when it is time.
    fn throw(&mut self, key: EntityKey, throw: &Throw, progress: &mut Progress) -> Result<(), SimError> {
        let now = self.clock.ticks;
        let (Some(missile), Some(target)) = (self.find(throw.missile), self.find(throw.target)) else {
            return Ok(());
        };
        if progress.missile_at > now {
            return Ok(());
        }
        let (held_for, lies_for) = (throw.every * (1.0 - PICKED_UP), throw.every * PICKED_UP);
        match progress.missile {
            Missile::Held => {
                progress.missile = Missile::Thrown;
                progress.missile_at = now + in_ticks(lies_for);
                self.launch(key, missile, target, throw.speed)
            }
            Missile::Lying | Missile::Thrown => {
                progress.missile = Missile::Held;
                progress.missile_at = now + in_ticks(held_for);
                self.take(missile, key, throw.hand)
            }
        }
    }

    /// Lets go of a missile at the speed that brings it to its target, if the speed is enough.
    fn launch(
        &mut self,
        thrower: EntityKey,
        missile: EntityKey,
        target: EntityKey,
        speed: f32,
    ) -> Result<(), SimError> {
        let state = self.placed(missile).map_or(State::MISSILE, |p| State::from_bits_truncate(p.state));
        let hand = self.position(missile)?.frame.origin;
        let thrower = self.position(thrower)?;
        let from = Position::new(thrower.cell, Frame::new(hand, thrower.frame.rotation()));
        let aim = self.entity(target)?;
        let middle = Vec3::new(0.0, 0.0, 0.5 * aim.model.height * aim.scale);
        let way = from.offset_to(&aim.position) + middle;
        self.scene.set_parent(&self.world, missile, None, Default::default())?;
        self.scene.set_state(missile, state)?;
        self.scene.set_target(missile, Some(target))?;
        self.scene.update_position(&self.world, missile, from)?;
        self.scene.enter_world(missile)?;
        let seconds = (way.length() / speed).max(0.05);
        let rise = -0.5 * GRAVITY * seconds;
        self.scene.set_velocity(missile, way / seconds + Vec3::Z * rise)?;
        Ok(())
    }

    /// Takes up what is held, and passes it on when it is time.
    fn change_hands(&mut self, key: EntityKey, hold: &Hold, progress: &mut Progress) -> Result<(), SimError> {
        let now = self.clock.ticks;
        let Some(object) = self.find(hold.object).filter(|_| progress.hand_at <= now) else { return Ok(()) };
        let next = progress.hand.map_or(0, |hand| hand + 1) % (hold.hands.len().max(1) as u32);
        let Some(&hand) = hold.hands.get(next as usize) else { return Ok(()) };
        progress.hand = Some(next);
        progress.hand_at = now + in_ticks(hold.every);
        self.take(object, key, hand)
    }

    /// Takes an object into a hand; one without such a hand takes nothing.
    fn take(&mut self, object: EntityKey, holder: EntityKey, hand: u32) -> Result<(), SimError> {
        match self.scene.hold(&self.world, object, holder, hand) {
            Ok(_) | Err(SceneError::ParentCycle | SceneError::ParentDepth) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    fn can_walk(&self, key: EntityKey) -> Result<bool, SimError> {
        Ok(self.entity(key)?.has(Transient::ON_WALKABLE))
    }

    fn is_on_its_way(&self, key: EntityKey) -> Result<bool, SimError> {
        Ok(self.is_going(key) || self.entity(key)?.is_moving_to())
    }

    /// Walks straight to a place.
    pub(crate) fn walk_to(&mut self, key: EntityKey, to: &Position) -> Result<(), SimError> {
        let parameters = MovementParameters { distance: ARRIVAL, ..MovementParameters::default() };
        self.perform(key, Movement::MoveToPosition(*to, parameters.with(MoveFlags::CAN_RUN, false)))
    }

    /// Tells an object what to do; one that cannot stays where it is.
    fn perform(&mut self, key: EntityKey, movement: Movement) -> Result<(), SimError> {
        match self.scene.perform(key, &movement) {
            Ok(()) | Err(SceneError::Motion(_)) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

/// Ticks of some seconds, at least one.
fn in_ticks(seconds: f32) -> u64 {
    ((f64::from(seconds) * TICKS_PER_SECOND as f64).round() as u64).max(1)
}

#[cfg(all(test, feature = "sample"))]
mod tests {
    use super::*;

    fn at(text: &str) -> Position {
        text.parse().expect("a place")
    }

    #[test]
    fn each_search_in_vain_doubles_the_time_to_the_next_one() {
        let goal = at("0x80800100 [60 105.2 20.26]");
        let (mut missed, mut seconds) = (None, Vec::new());
        for _ in 0..7 {
            let again = Missed::again(missed, goal, 1000);
            assert!(again.still_holds(&goal, again.until - 1) && !again.still_holds(&goal, again.until));
            seconds.push((again.until - 1000) / TICKS_PER_SECOND);
            missed = Some(again);
        }
        assert_eq!(seconds, [1, 2, 4, 8, 16, 32, 32]);
        let again = Missed::again(None, goal, 1000);
        assert!(again.still_holds(&at("0x80800100 [61.9 105.2 20.26]"), 1001));
        assert!(!again.still_holds(&at("0x80800100 [62.1 105.2 20.26]"), 1001), "two metres on");
        assert!(!again.still_holds(&at("0x80800104 [60 105.2 20.26]"), 1001), "in another cell");
    }

    #[test]
    fn a_boar_that_cannot_come_to_its_prey_searches_a_few_times_a_minute() {
        let mut sim = Simulation::sample().expect("the sample world");
        // In front of a house with closed doors, and in its hall.
        let (outside, hall) = (at("0x80800015 [60 100 20.01]"), at("0x80800100 [60 105.2 20.26]"));
        let boar = sim.find_by_name("Angry Boar").expect("the boar");
        let mut boar = sim.placed(boar).expect("what is known of it").clone();
        (boar.id, boar.cell, boar.origin) = (0x7000_0002, outside.cell, outside.frame.origin.to_array());
        boar.habits.chases = Some(Chase { radius: 25.0, gives_up: 60.0 });
        let boar = sim.add_placed(boar).expect("a boar");
        sim.spawn_player(hall).expect("a player");
        // Searches are counted by what is remembered of the last one.
        let guid = sim.entity(boar).ok().and_then(|boar| boar.guid).expect("its game id");
        let (mut searches, mut last) = (0, None);
        for _ in 0..60 * TICKS_PER_SECOND {
            sim.tick().expect("a tick");
            let missed = sim.doings.0.get(&guid).and_then(|progress| progress.missed);
            searches += u32::from(missed.is_some() && missed != last);
            last = missed;
        }
        // After 1, 2, 4, 8, 16 and 32 seconds; without that there were one a second.
        assert!((4..=7).contains(&searches), "{searches} searches in a minute");
    }
}
