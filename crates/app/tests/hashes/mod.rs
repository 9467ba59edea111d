//! What the same input gives on every machine, in every build and with any number of threads. A change of the sample
//! world changes these on purpose; nothing else may.
#![allow(dead_code, reason = "every test uses a part of it")]

/// How everything stands at the end of the tour.
pub(crate) const TOUR: &str = "98eef89c4c111cfb";
/// Every tick of a thousand movers in the sample world, one hash after the other.
pub(crate) const CROWD: &str = "1e390cd7821e27a6";
