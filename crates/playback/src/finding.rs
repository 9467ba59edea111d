//! Contradictions between a session and the world.

use serde::{Serialize, Serializer};
use std::fmt;
use threshold_sim::Position;

/// Kinds of contradictions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FindingKind {
    /// The server's cell of an object is not the one it is in here, or does not exist.
    Cell,
    /// An object could not follow the positions that the server reported because of an obstacle.
    Blocked,
    /// An object got a position from the server but was never placed in any cell.
    NeverPlaced,
    /// A door closed while something was in the way.
    DoorBlocked,
    /// An update from the server is invalid.
    Refused,
    /// The player moved by the client's keys is not where the client reports it.
    Diverged,
}

impl fmt::Display for FindingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FindingKind::Cell => "cell",
            FindingKind::Blocked => "blocked",
            FindingKind::NeverPlaced => "never placed",
            FindingKind::DoorBlocked => "door blocked",
            FindingKind::Refused => "refused",
            FindingKind::Diverged => "diverged",
        })
    }
}

/// A contradiction between the session and the world.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// What.
    pub kind: FindingKind,
    /// Number of the captured record that caused it.
    pub packet: u64,
    /// Seconds after the start of the session.
    pub seconds: f64,
    /// The object.
    #[serde(serialize_with = "hex")]
    pub guid: Option<u32>,
    /// Its name.
    pub name: String,
    /// The position that the server or the client reported.
    #[serde(serialize_with = "loc")]
    pub told: Option<Position>,
    /// Where it is here.
    #[serde(serialize_with = "loc")]
    pub ours: Option<Position>,
    /// A description.
    pub text: String,
}

fn hex<S: Serializer>(guid: &Option<u32>, serializer: S) -> Result<S::Ok, S::Error> {
    guid.map(|guid| format!("0x{guid:08X}")).serialize(serializer)
}

fn loc<S: Serializer>(position: &Option<Position>, serializer: S) -> Result<S::Ok, S::Error> {
    position.map(|position| position.to_string()).serialize(serializer)
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:9.3} s  packet {}  {}: ", self.seconds, self.packet, self.kind)?;
        if let Some(guid) = self.guid {
            write!(f, "{} (0x{guid:08X}) ", if self.name.is_empty() { "object" } else { &self.name })?;
        }
        f.write_str(&self.text)?;
        if let Some(told) = &self.told {
            write!(f, "; told {told}")?;
        }
        if let Some(ours) = &self.ours {
            write!(f, "; ours {ours}")?;
        }
        Ok(())
    }
}
