//! Checks routes from other sources.

use crate::{Agent, LegFailure, NavError, Policy, Surroundings, walk::Walk};
use threshold_physics::scene::check_position;
use threshold_world::Position;

/// The result of walking a route.
#[derive(Clone, Debug, PartialEq)]
pub struct RouteCheck {
    /// Number of completed legs.
    pub legs: usize,
    /// Metres that were walked.
    pub metres: f32,
    /// Game ids of the doors that it passed.
    pub doors: Vec<u32>,
    /// Where the body was at the end.
    pub end: Position,
    /// Why it ended early; `None` when every leg was completed.
    pub failure: Option<LegFailure>,
}

/// Walks straight from place to place with a body like the agent's; `None` when it cannot stand at the first.
pub fn check_route(
    around: &Surroundings<'_>,
    agent: &Agent,
    policy: &Policy,
    places: &[Position],
) -> Result<Option<RouteCheck>, NavError> {
    places.iter().try_for_each(check_position)?;
    let Some((first, rest)) = places.split_first() else { return Ok(None) };
    let probe = agent.probe(around, *first)?;
    let mut walk = Walk::new(around, policy, probe, agent.stride());
    let Some(start) = walk.put_down(first)? else { return Ok(None) };
    walk.start(&start)?;
    let mut check =
        RouteCheck { legs: 0, metres: 0.0, doors: Vec::new(), end: start.position, failure: None };
    for place in rest {
        let failure = match walk.leg(place, true)? {
            Err(LegFailure::Portal(portal)) if policy.takes_portals && walk.take_portal(portal)? => None,
            walked => walked.err(),
        };
        if failure.is_some() {
            check.failure = failure;
            break;
        }
        check.legs += 1;
    }
    check.end = *walk.position();
    check.metres = walk.metres;
    check.doors = walk.doors;
    Ok(Some(check))
}
