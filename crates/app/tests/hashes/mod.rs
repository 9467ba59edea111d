//! What the same input gives on every machine, in every build and with any number of threads. A change of the sample
//! world changes these on purpose; nothing else may.
#![allow(dead_code, reason = "every test uses a part of it")]

/// How everything stands at the end of the tour.
pub(crate) const TOUR: &str = "74e02b7e28e61f7c";
/// Every tick of a thousand movers in the sample world, one hash after the other.
pub(crate) const CROWD: &str = "db95ba3c43e76ee0";
