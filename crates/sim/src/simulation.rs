//! The running world.

use crate::{
    Event, Player, SimError,
    animation::RecentHooks,
    build::Builder,
    clock::{Clock, TICK},
    contents::SeenScene,
    doors::Doors,
    eye::eye_above,
    go_to::Trips,
    habits::Doings,
    known::Known,
    loading::Loading,
    mesh_work::MeshWork,
    objects::Placed,
    routes::Routes,
    travel::Journey,
    updates::Told,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::Arc,
};
use threshold_physics::{
    EntityKey, Scene, SceneError, Sweeper,
    scene::{SweptStep, Watch, Watching},
};
use threshold_view::{FramePlan, Lens, Planner, Viewer};
use threshold_world::{BlockId, Frame, Library, Position, World, placed::NamedPlace};

/// A running world: cells, objects, doors, portals, players and their cameras.
///
/// The lower layers can be read: [`Simulation::world`] has the cells, [`Simulation::scene`] the objects.
pub struct Simulation {
    pub(crate) library: Arc<Library>,
    pub(crate) world: World,
    pub(crate) scene: Scene,
    pub(crate) loading: Loading,
    pub(crate) placed: Arc<Placed>,
    pub(crate) places: Vec<NamedPlace>,
    pub(crate) doors: Doors,
    /// What placed objects are doing by themselves.
    pub(crate) doings: Doings,
    /// What observers know of.
    pub(crate) known: Known,
    /// Placed objects whose cells are found when their blocks are loaded.
    pub(crate) unseated: BTreeSet<(BlockId, u32)>,
    pub(crate) players: BTreeMap<EntityKey, Player>,
    pub(crate) clock: Clock,
    /// Who is on the way somewhere.
    pub(crate) trips: Trips,
    pub(crate) routes: Routes,
    /// Meshes that those on the way may use or wait for.
    pub(crate) mesh_work: MeshWork,
    /// What a server has said.
    pub(crate) told: Arc<Told>,
    pub(crate) events: Vec<Event>,
    pub(crate) recent_hooks: RecentHooks,
    /// Observers have come, gone or moved since the scene was told of them.
    pub(crate) has_new_viewers: bool,
    pub(crate) draws_between_ticks: bool,
    /// A player's slide ends with its cause.
    pub(crate) ends_stale_slides: bool,
    /// Carries eyes.
    pub(crate) sweeper: Sweeper,
    planner: Planner,
}

impl Simulation {
    /// The built-in sample world, with its doors, people and portals.
    #[cfg(feature = "sample")]
    pub fn sample() -> Result<Simulation, SimError> {
        Builder::sample()?.build()
    }

    /// Opens a folder with the game's `client_portal.dat` and `client_cell_1.dat`. An `entities.json` next to them lists the
    /// objects that a server would place, a `Locations.txt` names places.
    pub fn open(dir: impl AsRef<Path>) -> Result<Simulation, SimError> {
        Builder::open(dir.as_ref())?.build()
    }

    /// A builder, for other sources and options.
    pub fn builder() -> Builder {
        Builder::default()
    }

    pub(crate) fn assemble(library: Arc<Library>, loading: Loading) -> Simulation {
        Simulation {
            library,
            world: World::new(),
            scene: Scene::new(),
            loading,
            placed: Arc::default(),
            places: Vec::new(),
            doors: Doors::new(),
            doings: Doings::default(),
            known: Known::default(),
            unseated: BTreeSet::new(),
            players: BTreeMap::new(),
            clock: Clock::default(),
            trips: Trips::default(),
            routes: Routes::default(),
            mesh_work: MeshWork::default(),
            told: Arc::default(),
            events: Vec::new(),
            recent_hooks: RecentHooks::default(),
            has_new_viewers: false,
            draws_between_ticks: false,
            ends_stale_slides: true,
            sweeper: Sweeper::new(),
            planner: Planner::default(),
        }
    }

    /// The library of records, in which shared data is loaded once.
    pub fn library(&self) -> &Arc<Library> {
        &self.library
    }

    /// Cells that are loaded.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Objects and the lists of the cells.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// World and scene at once, for operations that the simulation has no method for. The caller is responsible for such
    /// changes; players and doors must not be removed.
    pub fn parts_mut(&mut self) -> (&World, &mut Scene) {
        (&self.world, &mut self.scene)
    }

    /// Named places.
    pub fn places(&self) -> &[NamedPlace] {
        &self.places
    }

    /// Ticks since the start.
    pub fn ticks(&self) -> u64 {
        self.clock.ticks
    }

    /// Advances time: runs as many ticks as are complete, then moves the players' cameras.
    pub fn advance(&mut self, seconds: f64) -> Result<(), SimError> {
        for _ in 0..self.pass_time(seconds)? {
            self.tick()?;
        }
        self.update_eyes(seconds as f32);
        Ok(())
    }

    /// Advances time without running anything, and returns how many ticks are due. For hosts that do something between
    /// ticks: they call [`Simulation::tick`] that many times, then [`Simulation::update_eyes`].
    pub fn pass_time(&mut self, seconds: f64) -> Result<u64, SimError> {
        self.clock.pass(seconds)
    }

    /// Advances the scene's clock without updating anything, for hosts that update single objects themselves, in steps of any
    /// length, as scenarios do. Apart from this, only ticks advance it.
    pub fn advance_clock(&mut self, seconds: f64) -> Result<(), SceneError> {
        self.scene.advance_clock(seconds)
    }

    /// One tick of a thirtieth of a second. Cameras stay where they are.
    pub fn tick(&mut self) -> Result<(), SimError> {
        self.load()?;
        self.step(None)
    }

    /// Like [`Simulation::tick`], and calls `watch` with every sweep right before it is committed.
    pub fn tick_watched(&mut self, watch: &mut Watch<'_>) -> Result<(), SimError> {
        self.load()?;
        self.step(Some(watch))
    }

    /// A tick without [`Simulation::load`] before it. Doors close afterwards, and players that touched a portal leave with
    /// the next load.
    pub fn step_watched(&mut self, watch: &mut Watch<'_>) -> Result<(), SimError> {
        self.step(Some(watch))
    }

    fn step(&mut self, watch: Option<&mut Watch<'_>>) -> Result<(), SimError> {
        self.clock.ticks += 1;
        self.maintain();
        self.build_meshes();
        self.follow_trips()?;
        self.drive_players()?;
        self.follow_habits()?;
        self.update_viewers();
        self.advance_clock(TICK)?;
        let entered = self.update_objects(watch);
        let first = self.events.len();
        self.take_scene_events();
        self.note_hooks(first);
        for (player, portal, destination) in entered {
            self.events.push(Event::Departed { entity: player, portal: Some(portal) });
            self.pass_portal(player, portal);
            self.depart(player, Journey::to(destination))?;
        }
        self.follow_players()?;
        self.close_doors()?;
        self.look_around();
        Ok(())
    }

    /// Brings every object up to the clock; which players ran into which portals.
    fn update_objects(&mut self, watch: Option<&mut Watch<'_>>) -> Vec<(EntityKey, EntityKey, Position)> {
        let Simulation { scene, world, players, placed, .. } = self;
        let mut entered = Vec::new();
        let mut note = |step: &SweptStep<'_>| {
            if players.contains_key(&step.key) {
                entered.extend(step.touched.iter().map(|&touched| (step.key, touched)));
            }
        };
        match watch {
            None => scene.update_all_watched(world, Watching::Touches(&mut note)),
            Some(watch) => {
                let mut both = |step: &SweptStep<'_>| {
                    watch(step);
                    note(step);
                };
                scene.update_all_watched(world, Watching::Everything(&mut both))
            }
        };
        let leads = |(player, touched): (EntityKey, EntityKey)| {
            let portal = placed.get(&scene.get(touched)?.guid?)?;
            Some((player, touched, portal.destination?))
        };
        let mut portals: Vec<_> = entered.into_iter().filter_map(leads).collect();
        portals.dedup_by_key(|(player, ..)| *player);
        portals
    }

    /// Moves all cameras by an amount of time.
    pub fn update_eyes(&mut self, seconds: f32) {
        let keys: Vec<EntityKey> = self.players.keys().copied().collect();
        keys.into_iter().for_each(|key| self.update_eye(key, seconds));
    }

    /// Removes and returns the events since the last call, in order.
    pub fn drain_events(&mut self) -> std::vec::Drain<'_, Event> {
        self.events.drain(..)
    }

    /// The events that have not been drained yet, in order.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The viewer of a player's next picture; `None` while it has no camera.
    pub fn viewer(&self, key: EntityKey, lens: &Lens) -> Option<Viewer> {
        let position = *self.players.get(&key)?.eye.position()?;
        Some(Viewer { position, lens: *lens, player_cell: self.scene.get(key)?.position.cell })
    }

    /// The viewer at eye height above a place, facing in its direction.
    pub fn viewer_above(&self, place: &Position, lens: &Lens) -> Viewer {
        let seat = eye_above(&self.world, &self.scene, None, place);
        let frame = Frame::new(seat.frame.origin, place.frame.rotation());
        Viewer { position: Position::new(seat.cell, frame), lens: *lens, player_cell: place.cell }
    }

    /// What a player sees: the frame plan from its swept camera. Empty for an object without a camera.
    pub fn view(&mut self, key: EntityKey, lens: &Lens) -> FramePlan {
        let mut plan = FramePlan::default();
        if let Some(viewer) = self.viewer(key, lens) {
            self.plan(&viewer, &mut plan);
        }
        plan
    }

    /// Plans a frame for any viewer, reusing the plan's memory.
    pub fn plan(&mut self, viewer: &Viewer, plan: &mut FramePlan) {
        let seen = SeenScene::new(&self.scene, &self.library, viewer);
        self.planner.plan(&self.world, &seen, viewer, plan);
    }

    /// A hash of everything that can change, including the state of server updates.
    ///
    /// [`Scene::state_hash`], continued with the state of server updates, if there is any: sequence numbers by ascending game
    /// id, waiting updates, times at which objects are forgotten.
    pub fn state_hash(&self) -> u64 {
        let fold = |hash: u64, word: u32| (hash ^ u64::from(word)).wrapping_mul(0x0000_0100_0000_01B3);
        self.told.words().fold(self.scene.state_hash(), fold)
    }
}
