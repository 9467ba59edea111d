//! Routes: a navigation mesh for every kind of body in use, kept up to date with what is loaded.

use crate::{
    Event, SimError, Simulation, Walker, WalkerBody,
    signatures::{Signature, Signatures},
};
use std::{collections::BTreeMap, fs, io, path::PathBuf};
use threshold_dat::{DatId, IdScheme};
use threshold_nav::{
    Agent, Gateway, KeptMeshes, Marks, Nav, NavError, Policy, Request, Route, Surroundings, Unreachable,
};
use threshold_physics::{EntityKey, movement::Controls};
use threshold_world::{BlockId, Library, Position, parallel};

/// A query for the route from one place to another.
#[derive(Clone, Debug)]
pub struct PathRequest<'a> {
    /// The body that walks.
    pub walker: Walker,
    /// Start of the route.
    pub from: Position,
    /// Where it should end.
    pub to: Position,
    /// What the route may use.
    pub policy: &'a Policy,
    /// Whether a body walks the route before it is returned.
    pub prove: bool,
}

/// What tells one kind of body from another: setup, size, pace and whether it is a player's.
pub(crate) type AgentKey = (u32, u32, u32, bool);

/// Links that turned out not to hold, by kind of body: part of the state, as answers depend on them.
pub(crate) type KeptMarks = BTreeMap<AgentKey, Marks>;

/// Largest mesh file that is read. The meshes of the whole map take a sixth of that.
const MAX_FILE: u64 = 2 << 30;

/// Meshes and the signatures of their input. Not part of the state: it follows from the world.
#[derive(Default)]
pub(crate) struct Routes {
    navs: BTreeMap<AgentKey, Nav>,
    signatures: Signatures,
    /// Marks of meshes that have not been needed yet.
    kept: KeptMarks,
    /// The folder with saved meshes.
    pub(crate) folder: Option<PathBuf>,
    /// Files that could not be used, with the reasons.
    refused: Vec<(PathBuf, String)>,
    /// Tick, version of the world and number of objects when the signatures were last compared.
    checked: Option<(u64, u64, usize)>,
}

impl Simulation {
    /// Finds the shortest route and proves it by walking it, or reports where the reachable region ends. The policy decides
    /// about doors; living objects are ignored. Only what is loaded is searched.
    pub fn find_path(&mut self, request: &PathRequest<'_>) -> Result<Result<Route, Unreachable>, SimError> {
        let mut answers = self.find_paths(std::slice::from_ref(request));
        answers.pop().unwrap_or(Err(SimError::NoLegs))
    }

    /// Like [`Simulation::find_path`] for many requests, on all processors.
    pub fn find_paths(
        &mut self,
        requests: &[PathRequest<'_>],
    ) -> Vec<Result<Result<Route, Unreachable>, SimError>> {
        let mut routes = std::mem::take(&mut self.routes);
        routes.refresh(self);
        let asked: Vec<(Result<AgentKey, SimError>, &PathRequest<'_>)> = requests
            .iter()
            .map(|request| {
                (self.agent(&request.walker).map(|agent| routes.add(agent, &self.library)), request)
            })
            .collect();
        self.report_refused(&mut routes);
        let gateway = |key: EntityKey| self.gateway(key);
        let around = Surroundings { world: &self.world, scene: &self.scene, gateway: &gateway };
        let answers = parallel::map(&asked, |(key, request)| {
            let PathRequest { from, to, policy, prove, .. } = **request;
            let nav = key.as_ref().ok().and_then(|key| routes.navs.get(key));
            nav.map(|nav| nav.find(&around, &Request { from, to, policy, prove }))
        });
        let answers = asked.into_iter().zip(answers).map(|((key, _), answer)| match (key, answer) {
            (Err(error), _) => Err(error),
            (Ok(_), Some(answer)) => Ok(answer?),
            (Ok(_), None) => Err(SimError::NoLegs),
        });
        let answers = answers.collect();
        self.routes = routes;
        answers
    }

    /// Calls a function with the mesh of a kind of body.
    pub fn with_nav<R>(
        &mut self,
        walker: &Walker,
        act: impl FnOnce(&Nav, &Surroundings<'_>) -> R,
    ) -> Result<R, SimError> {
        let mut routes = std::mem::take(&mut self.routes);
        routes.refresh(self);
        let gateway = |key: EntityKey| self.gateway(key);
        let around = Surroundings { world: &self.world, scene: &self.scene, gateway: &gateway };
        let added = self.agent(walker).map(|agent| routes.add(agent, &self.library));
        let result =
            added.and_then(|key| routes.navs.get(&key).ok_or(SimError::NoLegs).map(|nav| act(nav, &around)));
        self.report_refused(&mut routes);
        self.routes = routes;
        result
    }

    /// Saves the meshes built for a kind of body next to the data files, for the next program that opens them. Saved meshes
    /// that are still valid are kept. Returns the file.
    pub fn keep_meshes(&mut self, walker: &Walker) -> Result<PathBuf, SimError> {
        let folder = self.routes.folder.clone().ok_or(SimError::NoFolder)?;
        let data = data_stamp(&self.library);
        let (name, bytes) = self
            .with_nav(walker, |nav, around| (KeptMeshes::file_name(nav.agent()), nav.keep(around, data)))?;
        let file = folder.join(name);
        // Written beside and renamed, so that nobody reads half a file.
        let part = file.with_extension("mesh.part");
        let written = fs::write(&part, bytes).and_then(|()| fs::rename(&part, &file));
        written.map_err(|error| SimError::KeepMeshes { file: file.clone(), error })?;
        Ok(file)
    }

    pub(crate) fn report_refused(&mut self, routes: &mut Routes) {
        let refused = routes.refused.drain(..);
        self.events.extend(refused.map(|(file, why)| Event::MeshesRefused { file, why }));
    }

    /// Takes note of everything that may have changed, after all of it was replaced.
    pub(crate) fn refresh_routes(&mut self) {
        let mut routes = std::mem::take(&mut self.routes);
        routes.checked = None;
        if !routes.navs.is_empty() {
            routes.refresh(self);
        }
        self.routes = routes;
    }

    /// Whether an object is a door or a portal.
    pub(crate) fn gateway(&self, key: EntityKey) -> Option<Gateway> {
        if self.doors.contains_key(&key) {
            return Some(Gateway::Door);
        }
        Some(Gateway::Portal(self.placed(key)?.destination?))
    }

    /// The body of a walker, as meshes are made for.
    pub(crate) fn agent(&self, walker: &Walker) -> Result<Agent, SimError> {
        let pace = walker.motion(&Controls { forward: true, ..Controls::default() }).velocity.y;
        let agent = match walker.body {
            WalkerBody::Player => Agent::player(self.model(crate::PLAYER_SETUP)?),
            WalkerBody::Creature { setup, scale } => Agent::creature(self.model(setup)?, scale),
            WalkerBody::Entity(key) => {
                let entity = self.entity(key)?;
                if !entity.role.is_creature() {
                    return Err(SimError::NoLegs);
                }
                Agent { model: entity.model.clone(), scale: entity.scale, role: entity.role, pace }
            }
        };
        Ok(Agent { pace, ..agent })
    }
}

impl Routes {
    pub(crate) fn key(agent: &Agent) -> AgentKey {
        (agent.model.id.0, agent.scale.to_bits(), agent.pace.to_bits(), agent.role.is_player)
    }

    pub(crate) fn nav(&self, agent: AgentKey) -> Option<&Nav> {
        self.navs.get(&agent)
    }

    /// Continues the mesh of a block until this much work has been spent on it. Returns its cost once it is complete.
    pub(crate) fn build_some(
        &mut self,
        around: &Surroundings<'_>,
        agent: AgentKey,
        block: BlockId,
        work: u64,
    ) -> Option<u64> {
        self.navs.get_mut(&agent)?.build_some(around, block, work)
    }

    /// Continues the mesh of a block for some sweeps. Returns whether it is complete.
    pub(crate) fn build_more(
        &mut self,
        around: &Surroundings<'_>,
        agent: AgentKey,
        block: BlockId,
        sweeps: u64,
    ) -> bool {
        self.navs.get_mut(&agent).is_some_and(|nav| match sweeps {
            0 => nav.built(block).is_some(),
            _ => nav.build_more(around, block, sweeps),
        })
    }

    /// The signature of what the mesh of a block depends on: the block and its neighbours.
    pub(crate) fn signature_around(&self, block: BlockId) -> Signature {
        self.signatures.around(block)
    }

    pub(crate) fn add(&mut self, agent: Agent, library: &Library) -> AgentKey {
        let key = Routes::key(&agent);
        if !self.navs.contains_key(&key) {
            let kept = self.read_kept(&agent, library);
            let nav = Nav::new(agent);
            let nav = kept.into_iter().fold(nav, Nav::with_kept);
            nav.set_marks(&self.kept.remove(&key).unwrap_or_default());
            self.navs.insert(key, nav);
        }
        key
    }

    /// The saved meshes of a body.
    fn read_kept(&mut self, agent: &Agent, library: &Library) -> Option<KeptMeshes> {
        let file = self.folder.as_ref()?.join(KeptMeshes::file_name(agent));
        let bytes = match fs::metadata(&file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
            Ok(about) if about.len() > MAX_FILE => Err(format!("it is larger than {MAX_FILE} bytes")),
            Ok(_) => fs::read(&file).map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        let read = |bytes| KeptMeshes::read(bytes, agent, data_stamp(library)).map_err(|why| why.to_string());
        match bytes.and_then(read) {
            Ok(kept) => Some(kept),
            Err(why) => {
                self.refused.push((file, why));
                None
            }
        }
    }

    /// All links that turned out to fail.
    pub(crate) fn marks(&self) -> KeptMarks {
        let mut marks = self.kept.clone();
        marks.extend(self.navs.iter().map(|(&key, nav)| (key, nav.marks())));
        marks.retain(|_, marks| *marks != Marks::default());
        marks
    }

    /// Restores the result of [`Routes::marks`].
    pub(crate) fn set_marks(&mut self, marks: &KeptMarks) {
        self.kept = marks.clone();
        for (key, nav) in &self.navs {
            nav.set_marks(&self.kept.remove(key).unwrap_or_default());
        }
    }

    /// Drops the meshes of blocks that have changed. Once a tick is enough, because routes are proved in the world as it is.
    pub(crate) fn refresh(&mut self, sim: &Simulation) {
        let now = (sim.clock.ticks, sim.world.version(), sim.scene.len());
        if self.checked == Some(now) {
            return;
        }
        self.checked = Some(now);
        let gateway = |key: EntityKey| sim.gateway(key);
        let around = Surroundings { world: &sim.world, scene: &sim.scene, gateway: &gateway };
        for block in self.signatures.refresh(&around) {
            self.navs.values_mut().for_each(|nav| nav.forget(block));
        }
    }
}

/// A number that tells data files from others: their iterations.
fn data_stamp(library: &Library) -> u64 {
    let mut stamp = 0xCBF2_9CE4_8422_2325;
    for scheme in [IdScheme::Portal, IdScheme::Cell] {
        let record = library.source().record(scheme, DatId::ITERATION).ok().flatten().unwrap_or_default();
        for byte in record.iter().copied().chain([0xFF]) {
            stamp = (stamp ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }
    stamp
}

impl From<NavError> for SimError {
    fn from(error: NavError) -> SimError {
        match error {
            NavError::Scene(error) => SimError::Scene(error),
        }
    }
}
