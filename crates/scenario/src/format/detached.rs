//! Scenarios of a motion table alone.

use super::fields::{CommandWord, number, one, seconds_option, setup_id, table_id};
use serde::{Deserialize, de::IgnoredAny};
use threshold_dat::DatId;

/// The object whose motion table is played.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct DetachedMover {
    /// Setup; it does not affect what is played.
    #[serde(deserialize_with = "setup_id")]
    pub setup: DatId,
    /// Motion table.
    #[serde(deserialize_with = "table_id")]
    pub motion_table: DatId,
}

/// A motion to begin.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Request {
    /// Which.
    pub command: CommandWord,
    /// How fast.
    #[serde(default = "one", deserialize_with = "number")]
    pub speed: f32,
}

/// A motion to end.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct StopRequest {
    /// Which.
    pub command: CommandWord,
}

/// The action of a step.
#[derive(Clone, Debug, PartialEq)]
pub enum DetachedCommand {
    /// A motion begins.
    Request(Request),
    /// A motion ends.
    Stop(StopRequest),
    /// Stops everything.
    StopAll,
    /// The default state again.
    Reset,
    /// Removes all animations except the one that repeats.
    DropLinks,
    /// So many seconds pass.
    Advance(f32),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawStep {
    request: Option<Request>,
    stop_request: Option<StopRequest>,
    #[serde(default)]
    stop_all: bool,
    #[serde(default)]
    reset: bool,
    #[serde(default)]
    drop_links: bool,
    #[serde(default, deserialize_with = "seconds_option")]
    advance: Option<f32>,
    #[serde(rename = "note")]
    _note: Option<IgnoredAny>,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "RawStep")]
pub struct DetachedStep {
    /// The action.
    pub command: DetachedCommand,
}

impl TryFrom<RawStep> for DetachedStep {
    type Error = &'static str;

    fn try_from(raw: RawStep) -> Result<DetachedStep, &'static str> {
        let commands = [
            raw.request.map(DetachedCommand::Request),
            raw.stop_request.map(DetachedCommand::Stop),
            raw.stop_all.then_some(DetachedCommand::StopAll),
            raw.reset.then_some(DetachedCommand::Reset),
            raw.drop_links.then_some(DetachedCommand::DropLinks),
            raw.advance.map(DetachedCommand::Advance),
        ];
        let mut commands = commands.into_iter().flatten();
        match (commands.next(), commands.next()) {
            (Some(command), None) => Ok(DetachedStep { command }),
            _ => Err("a step of a detached scenario does exactly one thing"),
        }
    }
}

/// A scenario for a motion table without a world.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct DetachedScenario {
    /// Title.
    #[serde(default)]
    pub name: String,
    /// The object with the motion table.
    pub mover: DetachedMover,
    /// The steps.
    #[serde(default)]
    pub steps: Vec<DetachedStep>,
}
