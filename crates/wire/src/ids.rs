//! Numbers that messages go by.

use std::{fmt, num::ParseIntError, str::FromStr};

/// An object of the server: 0x5… players, 0x7… objects of the world data, 0x8… things made at run time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Guid(pub u32);

impl fmt::Display for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{:08X}", self.0)
    }
}

impl fmt::Debug for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Guid {
    type Err = ParseIntError;

    /// Accepts `0x50000001` and `50000001`.
    fn from_str(s: &str) -> Result<Self, ParseIntError> {
        threshold_dat::parse_hex(s).map(Guid)
    }
}

/// The sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The server.
    Server,
    /// The client.
    Client,
}

impl Side {
    /// The word that events use.
    pub fn name(self) -> &'static str {
        match self {
            Side::Server => "server",
            Side::Client => "client",
        }
    }
}
