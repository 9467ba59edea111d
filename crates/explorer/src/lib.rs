//! A window onto the cell world: walk through it, and see the engine at work.
//!
//! [`session`] is the explorer without its window: a running world with a player, a journal, a history to step back in,
//! recordings. [`session_view`] is what is drawn of it. [`data`] opens the world to explore.

pub mod data;
pub mod explorer;
pub mod input;
pub mod inspect;
pub mod map;
pub mod overlay;
pub mod platform;
pub mod script;
pub mod session;
pub mod session_view;
pub mod settings;
#[cfg(feature = "window")]
pub mod window;

/// The examples of the README and of the pages under `docs`, which show every crate at work.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../../README.md")]
    struct Readme;
    #[doc = include_str!("../../../docs/clients.md")]
    struct Clients;
    #[doc = include_str!("../../../docs/crates.md")]
    struct Crates;
    #[doc = include_str!("../../../docs/servers.md")]
    struct Servers;
}
