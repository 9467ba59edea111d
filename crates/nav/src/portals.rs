//! Portals that teleport: links for routes that may use them, from the portal to its destination.

use crate::{
    Gateway, Nav, NavError, PatchId, Surroundings,
    nav::Way,
    policy::Terms,
    route::{ENOUGH, patches_from},
    walk::Walk,
};
use std::collections::{BTreeMap, BTreeSet};
use threshold_physics::scene::{Foothold, check_position};
use threshold_world::BlockId;

/// Where a portal leads.
pub(crate) struct Exit {
    pub(crate) at: Foothold,
    /// Patches that a body comes to from there.
    pub(crate) patches: Vec<PatchId>,
}

/// Where the portals lead that may be taken, by game id.
#[derive(Default)]
pub(crate) struct Exits(BTreeMap<u32, Exit>);

impl Exits {
    /// The portals that a policy allows. Those that lead where nothing is loaded, or where nobody can stand, are left out; of those that lead to meshes that may not
    /// be used, the blocks are added to `lacking`.
    pub(crate) fn find(
        nav: &Nav,
        around: &Surroundings<'_>,
        terms: &Terms<'_>,
        walk: &mut Walk<'_>,
        lacking: &mut BTreeSet<BlockId>,
    ) -> Result<Exits, NavError> {
        let mut exits = Exits::default();
        if !terms.policy.takes_portals || !nav.agent().role.is_player {
            return Ok(exits);
        }
        for (key, entity) in around.scene.entities() {
            let (Some(id), Some(Gateway::Portal(to))) = (entity.guid, (around.gateway)(key)) else {
                continue;
            };
            if entity.cell.is_none() || check_position(&to).is_err() {
                continue;
            }
            let Some(at) = walk.put_down(&to)? else { continue };
            let block = at.position.cell.block();
            if !terms.may_use(block) {
                lacking.insert(block);
                continue;
            }
            let patches = patches_from(nav, around, walk, &at, ENOUGH)?;
            exits.0.insert(id, Exit { at, patches });
        }
        Ok(exits)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn get(&self, portal: u32) -> Option<&Exit> {
        self.0.get(&portal)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Exit> {
        self.0.values()
    }

    /// The portal that a link runs into, and where it leads.
    pub(crate) fn of(&self, nav: &Nav, way: &Way) -> Option<(u32, &Exit)> {
        if self.is_empty() {
            return None;
        }
        let id = nav.door_of(way)?;
        self.get(id).map(|exit| (id, exit))
    }
}
