//! Scripts: what a person would do with the keys, at which second; for tests and for scripted cameras.
//!
//! A line is a time in seconds and a command; `#` begins a comment.
//!
//! ```text
//! 0    look -90 0            # degrees to the right and up
//! 0    down forward          # hold the key of an action (its name as in the settings)
//! 1.2  up forward
//! 1.3  tap use
//! 2    picture street.png    # the world alone; `screenshot` is the whole window
//! 2    state street.json     # what the inspector shows
//! 3    go Tower Lookout     # at once; `walk` on foot
//! 4    eye 0x80800019 [84 7.1 94] 1 0 0 0
//! 5    show portals          # an overlay
//! 5    seek 12.5             # seconds into a recorded session; also `speed 4` and `follow Boar 1`
//! 6    quit
//! ```

use crate::{input::Action, settings::Overlay};
use std::{collections::VecDeque, path::PathBuf};
use threshold_world::Position;

/// Something a script does.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// A key goes down.
    Down(Action),
    /// A key goes up.
    Up(Action),
    /// A key is pressed and released.
    Tap(Action),
    /// The mouse moves: degrees to the right and up.
    Look {
        /// To the right.
        right: f32,
        /// Up.
        up: f32,
    },
    /// Steps of the wheel towards the player.
    Zoom(i32),
    /// Teleport.
    Go(String),
    /// Walk by oneself.
    Walk(String),
    /// Shows a recorded session at so many seconds after its start.
    Seek(f32),
    /// Follows an object of a recorded session by its name or game id; nothing is the own player.
    Follow(String),
    /// How fast a recorded session runs.
    Speed(f32),
    /// Sets the flying eye somewhere.
    Eye(Position),
    /// Part of the day that has passed.
    Time(f32),
    /// Shows or hides an overlay.
    Show(Overlay),
    /// Writes a picture of the window.
    Screenshot(PathBuf),
    /// Writes a picture of the world alone.
    Picture(PathBuf),
    /// Writes what the inspector shows.
    State(PathBuf),
    /// Leaves.
    Quit,
}

/// A line that cannot be understood.
#[derive(Debug, PartialEq, Eq)]
pub struct ScriptError {
    line: usize,
    problem: String,
}

impl std::fmt::Display for ScriptError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

impl std::error::Error for ScriptError {}

/// Commands with their times.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script {
    commands: VecDeque<(f64, Command)>,
}

/// Times are compared with this slack, so that a time that is a sum of frames is met.
const SLACK: f64 = 1e-6;

impl Script {
    /// Reads a script; relative paths stay as they are written.
    pub fn parse(text: &str) -> Result<Script, ScriptError> {
        let mut commands = VecDeque::new();
        let mut latest = 0.0;
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let fail = |problem: String| ScriptError { line: number + 1, problem };
            let (time, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            let time: f64 = time
                .parse()
                .ok()
                .filter(|time: &f64| time.is_finite() && *time >= latest)
                .ok_or_else(|| fail(format!("`{time}` is not a time at or after {latest}")))?;
            latest = time;
            commands.push_back((time, command(rest.trim()).map_err(fail)?));
        }
        Ok(Script { commands })
    }

    /// The next command that is due.
    pub fn next_due(&mut self, now: f64) -> Option<Command> {
        if self.commands.front().is_some_and(|(time, _)| *time <= now + SLACK) {
            self.commands.pop_front().map(|(_, command)| command)
        } else {
            None
        }
    }

    /// Whether nothing is left to do.
    pub fn is_done(&self) -> bool {
        self.commands.is_empty()
    }
}

fn command(text: &str) -> Result<Command, String> {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim();
    let action = || Action::from_name(rest).ok_or_else(|| format!("there is no action `{rest}`"));
    let number = |text: &str| {
        let value = text.parse::<f32>().ok().filter(|v| v.is_finite());
        value.ok_or_else(|| format!("`{text}` is not a number"))
    };
    let path =
        || if rest.is_empty() { Err(format!("`{word}` needs a file")) } else { Ok(PathBuf::from(rest)) };
    match word {
        "down" => action().map(Command::Down),
        "up" => action().map(Command::Up),
        "tap" => action().map(Command::Tap),
        "look" => {
            let (right, up) = rest.split_once(char::is_whitespace).unwrap_or((rest, "0"));
            Ok(Command::Look { right: number(right)?, up: number(up.trim())? })
        }
        "zoom" => rest.parse().map(Command::Zoom).map_err(|_| format!("`{rest}` is not a number of steps")),
        "go" => Ok(Command::Go(rest.to_owned())),
        "walk" => Ok(Command::Walk(rest.to_owned())),
        "seek" => number(rest).map(Command::Seek),
        "follow" => Ok(Command::Follow(rest.to_owned())),
        "speed" => number(rest).map(Command::Speed),
        "eye" => {
            rest.parse().map(Command::Eye).map_err(|error: threshold_world::loc::LocError| error.to_string())
        }
        "time" => number(rest).map(|part| Command::Time(part.rem_euclid(1.0))),
        "show" => {
            Overlay::from_name(rest).map(Command::Show).ok_or_else(|| format!("there is no overlay `{rest}`"))
        }
        "screenshot" => path().map(Command::Screenshot),
        "picture" => path().map(Command::Picture),
        "state" => path().map(Command::State),
        "quit" => Ok(Command::Quit),
        _ => Err(format!("there is no command `{word}`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_come_in_time() {
        let mut script =
            Script::parse("0 down forward # go\n\n0.5 look -90 5\n1 go Tower Lookout\n1 quit").unwrap();
        assert_eq!(script.next_due(0.0), Some(Command::Down(Action::Forward)));
        assert_eq!(script.next_due(0.4), None);
        assert_eq!(script.next_due(0.5), Some(Command::Look { right: -90.0, up: 5.0 }));
        assert_eq!(script.next_due(9.0), Some(Command::Go("Tower Lookout".into())));
        assert!(!script.is_done());
        assert_eq!(script.next_due(9.0), Some(Command::Quit));
        assert!(script.is_done());
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        for (text, problem) in [
            ("soon quit", "line 1: `soon` is not a time at or after 0"),
            ("2 quit\n1 quit", "line 2: `1` is not a time at or after 2"),
            ("0 dance", "line 1: there is no command `dance`"),
            ("0 down dance", "line 1: there is no action `dance`"),
            ("0 look up", "line 1: `up` is not a number"),
            ("0 picture", "line 1: `picture` needs a file"),
        ] {
            assert_eq!(Script::parse(text).unwrap_err().to_string(), problem);
        }
    }
}
