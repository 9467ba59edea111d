//! Builds navigation meshes for objects that find their own way, a slice per tick, so that no tick stalls.
//!
//! Work is counted, not timed: an object sets out at the same tick on every machine, whether its mesh is built now, was saved in a file, or was built
//! earlier for another query.

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

/// Sweeps that a tick may spend on meshes.
const WORK_PER_TICK: u64 = 1_500;
/// Patches and sweeps that one search may take before it is abandoned.
const SEARCH: usize = 1 << 14;
/// Patches and sweeps per tick; once they are spent, further searches wait for the next tick.
const SEARCHES_PER_TICK: u64 = 6_000;

/// A mesh that an object is waiting for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Order {
    /// The object whose body it is for.
    who: EntityKey,
    block: BlockId,
    /// Hash of what it is built from.
    signature: Signature,
    /// Work that has been spent on it.
    done: u64,
}

/// Which meshes objects may use, and which they are waiting for. This is part of the state, because behaviour depends on it; the meshes
/// themselves follow from the world.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct MeshWork {
    /// By kind of body, with the hash of what they were built from.
    ready: Arc<BTreeMap<AgentKey, BTreeMap<BlockId, Signature>>>,
    /// The first one is being built.
    orders: Vec<Order>,
    /// The cost of a tick's searches so far, and that tick.
    searched: (u64, u64),
}

impl MeshWork {
    /// Blocks with a mesh that is still valid.
    fn usable(&self, routes: &Routes, agent: AgentKey) -> BTreeSet<BlockId> {
        let ready = self.ready.get(&agent).into_iter().flatten();
        ready
            .filter(|&(&block, &from)| routes.signature_around(block) == from)
            .map(|(&block, _)| block)
            .collect()
    }

    /// Records a finished mesh and drops those that are no longer valid.
    fn finish(&mut self, routes: &Routes, agent: AgentKey, block: BlockId, from: Signature) {
        let ready = Arc::make_mut(&mut self.ready).entry(agent).or_default();
        ready.retain(|&block, from| routes.signature_around(block) == *from);
        ready.insert(block, from);
    }
}

/// The walker of a search: routes are proved at a walk, because legs end and narrow places are passed at a walk.
fn walker(who: EntityKey) -> Walker {
    Walker { body: WalkerBody::Entity(who), gait: Gait::Walk, ..Walker::default() }
}

impl Simulation {
    /// Does one tick's work on the meshes that objects are waiting for.
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
            // The object is gone. Others that need the mesh order it themselves.
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

    /// Builds one slice of a block's mesh, for hosts that display meshes. Returns whether the mesh is complete. Does nothing while objects are waiting
    /// for meshes of their own.
    pub fn build_mesh_slice(&mut self, walker: &Walker, block: BlockId) -> Result<bool, SimError> {
        let agent = self.agent(walker)?;
        let mut routes = std::mem::take(&mut self.routes);
        routes.refresh(self);
        let agent = routes.add(agent, &self.library);
        let gateway = |key: EntityKey| self.gateway(key);
        let around = Surroundings { world: &self.world, scene: &self.scene, gateway: &gateway };
        let work = if self.mesh_work.orders.is_empty() { WORK_PER_TICK } else { 0 };
        let is_there = routes.build_more(&around, agent, block, work);
        self.report_refused(&mut routes);
        self.routes = routes;
        Ok(is_there)
    }

    /// A hash of everything that routes through some blocks depend on: the input of their meshes and, for a policy that opens no doors, which doors are shut.
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

    /// Searches for a route from where an object stands, using the meshes that are ready for it, and orders those that are missing.
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

    /// Whether this tick's budget for searches is spent.
    pub(crate) fn has_searched_enough(&self) -> bool {
        self.searched() >= SEARCHES_PER_TICK
    }

    /// Orders the missing meshes of some blocks. Returns whether any was missing.
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
