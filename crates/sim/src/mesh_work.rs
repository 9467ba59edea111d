//! Meshes for those who find their way by themselves: built as ticks pass, so much in each, so that no tick waits for one.
//!
//! Work is counted, not timed: who sets out when is the same on every machine, whether a mesh was built, kept in a file or asked for by somebody else before.

use crate::{
    Gait, SimError, Simulation, Walker, WalkerBody,
    routes::{AgentKey, Routes},
    signatures::{Signature, mix},
};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};
use threshold_nav::{Attempt, DoorPolicy, Policy, Request, Surroundings};
use threshold_physics::EntityKey;
use threshold_world::{BlockId, Position};

/// Sweeps that a tick spends on meshes.
const WORK_PER_TICK: u64 = 1_500;
/// Patches and sweeps that somebody's search may take before it is given up.
const SEARCH: usize = 1 << 14;
/// Patches and sweeps of searches after which those who have not begun theirs wait for the next tick.
const SEARCHES_PER_TICK: u64 = 6_000;

/// A mesh that somebody waits for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Order {
    /// Whose kind of body it is for.
    who: EntityKey,
    block: BlockId,
    /// What it is built from.
    signature: Signature,
    /// Work that has been spent on it.
    done: u64,
}

/// Which meshes are there for those who find their way by themselves, and which they wait for. This is state, as what they do depends on it; the meshes
/// themselves follow from the world.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct MeshWork {
    /// By kind of body, with what they were built from.
    ready: Arc<BTreeMap<AgentKey, BTreeMap<BlockId, Signature>>>,
    /// The first is under way.
    orders: Vec<Order>,
    /// What the searches of a tick have cost so far, and that tick.
    searched: (u64, u64),
}

impl MeshWork {
    /// Blocks whose meshes are there and still hold.
    fn usable(&self, routes: &Routes, agent: AgentKey) -> BTreeSet<BlockId> {
        let ready = self.ready.get(&agent).into_iter().flatten();
        ready
            .filter(|&(&block, &from)| routes.signature_around(block) == from)
            .map(|(&block, _)| block)
            .collect()
    }

    /// A mesh is there from now on; those that no longer hold are dropped.
    fn finish(&mut self, routes: &Routes, agent: AgentKey, block: BlockId, from: Signature) {
        let ready = Arc::make_mut(&mut self.ready).entry(agent).or_default();
        ready.retain(|&block, from| routes.signature_around(block) == *from);
        ready.insert(block, from);
    }
}

/// How somebody looks for its way: it is at a walk that legs end and narrow places are passed.
fn walker(who: EntityKey) -> Walker {
    Walker { body: WalkerBody::Entity(who), gait: Gait::Walk, ..Walker::default() }
}

impl Simulation {
    /// Does a tick's work on the meshes that somebody waits for.
    pub(crate) fn build_meshes(&mut self) {
        if self.mesh_work.orders.is_empty() {
            return;
        }
        let mut work = std::mem::take(&mut self.mesh_work);
        let mut routes = std::mem::take(&mut self.routes);
        routes.refresh(self);
        let mut left = WORK_PER_TICK;
        while left > 0 && !work.orders.is_empty() {
            let Order { who, block, signature, done } = &mut work.orders[0];
            let now = routes.signature_around(*block);
            if *signature != now {
                (*signature, *done) = (now, 0);
            }
            let (block, spent) = (*block, *done + left);
            // Nobody waits for what one who is gone has ordered; others order it themselves.
            let Ok(agent) = self.agent(&walker(*who)).map(|agent| routes.add(agent, &self.library)) else {
                work.orders.remove(0);
                continue;
            };
            let gateway = |key: EntityKey| self.gateway(key);
            let around = Surroundings { world: &self.world, scene: &self.scene, gateway: &gateway };
            match routes.build_some(&around, agent, block, spent) {
                Some(cost) => {
                    left = (spent - cost).min(left);
                    work.finish(&routes, agent, block, now);
                    work.orders.remove(0);
                }
                None => {
                    work.orders[0].done = spent;
                    left = 0;
                }
            }
        }
        self.report_refused(&mut routes);
        self.routes = routes;
        self.mesh_work = work;
    }

    /// What ways through some blocks depend on, as a number: what meshes do, and which doors stand open for one who opens none.
    pub(crate) fn ways_signature(&mut self, blocks: &[BlockId], policy: &Policy) -> u64 {
        let mut routes = std::mem::take(&mut self.routes);
        routes.refresh(self);
        let ground = blocks.iter().fold(0, |hash, &block| mix(hash, routes.signature_around(block)));
        self.routes = routes;
        if policy.doors == DoorPolicy::Opens {
            return ground;
        }
        let doors = self.doors.iter().filter(|(_, door)| !door.open);
        let doors = doors.filter_map(|(&key, _)| self.scene.get(key));
        let doors = doors.filter(|door| blocks.contains(&door.position.cell.block()));
        doors.fold(ground, |hash, door| mix(hash, door.guid.unwrap_or(0).into()))
    }

    /// Looks for somebody's way from where it stands, with the meshes that are there for it. Those that are not are ordered.
    pub(crate) fn attempt_way(
        &mut self,
        key: EntityKey,
        goal: &Position,
        policy: &Policy,
    ) -> Result<Attempt, SimError> {
        let (agent, from) = (self.agent(&walker(key))?, self.position(key)?);
        let mut routes = std::mem::take(&mut self.routes);
        routes.refresh(self);
        let agent = routes.add(agent, &self.library);
        self.report_refused(&mut routes);
        let usable = self.mesh_work.usable(&routes, agent);
        let gateway = |key: EntityKey| self.gateway(key);
        let around = Surroundings { world: &self.world, scene: &self.scene, gateway: &gateway };
        let request = Request { from, to: *goal, policy, prove: true };
        let found =
            routes.nav(agent).map(|nav| nav.attempt(&around, &request, &|id| usable.contains(&id), SEARCH));
        self.routes = routes;
        let (found, cost) = found.ok_or(SimError::NoLegs)??;
        self.mesh_work.searched = (self.searched() + cost, self.clock.ticks);
        if let Attempt::Needs(blocks) = &found {
            self.order_meshes(key, blocks);
        }
        Ok(found)
    }

    fn searched(&self) -> u64 {
        let (cost, tick) = self.mesh_work.searched;
        if tick == self.clock.ticks { cost } else { 0 }
    }

    /// Whether this tick has done its share of searches.
    pub(crate) fn has_searched_enough(&self) -> bool {
        self.searched() >= SEARCHES_PER_TICK
    }

    /// Orders the meshes of blocks that are not there for somebody; whether any was missing.
    pub(crate) fn order_meshes(&mut self, who: EntityKey, blocks: &[BlockId]) -> bool {
        let Ok(agent) = self.agent(&walker(who)) else { return false };
        let mut routes = std::mem::take(&mut self.routes);
        routes.refresh(self);
        let agent = routes.add(agent, &self.library);
        let usable = self.mesh_work.usable(&routes, agent);
        let missing: Vec<BlockId> = blocks.iter().copied().filter(|block| !usable.contains(block)).collect();
        for &block in &missing {
            let ordered = self.mesh_work.orders.iter().filter(|order| order.block == block);
            let is_same =
                |other: EntityKey| self.agent(&walker(other)).is_ok_and(|a| Routes::key(&a) == agent);
            if !ordered.into_iter().any(|order| order.who == who || is_same(order.who)) {
                let signature = routes.signature_around(block);
                self.mesh_work.orders.push(Order { who, block, signature, done: 0 });
            }
        }
        self.report_refused(&mut routes);
        self.routes = routes;
        !missing.is_empty()
    }
}
