//! What keys do. Keys have the names that browsers give them: `KeyW`, `Space`, `F1`.

use crate::session::Session;
use std::collections::BTreeSet;
use threshold_sim::{Controls, Course};

macro_rules! actions {
    ($($action:ident $name:literal $key:literal $group:literal $help:literal;)*) => {
        /// Something that a key does.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(missing_docs)] // The table below says what each does.
        pub enum Action { $($action),* }

        impl Action {
            /// All of them, in the order of the key help.
            pub const ALL: &'static [Action] = &[$(Action::$action),*];

            /// Its name in scripts and settings.
            pub fn name(self) -> &'static str {
                match self { $(Action::$action => $name),* }
            }

            /// The key it is on unless the settings say otherwise.
            pub fn default_key(self) -> &'static str {
                match self { $(Action::$action => $key),* }
            }

            /// What sort of thing it does.
            pub fn group(self) -> &'static str {
                match self { $(Action::$action => $group),* }
            }

            /// What it does, for people.
            pub fn help(self) -> &'static str {
                match self { $(Action::$action => $help),* }
            }
        }
    };
}

actions! {
    Forward "forward" "KeyW" "Walking" "forward";
    Back "back" "KeyS" "Walking" "back";
    Left "left" "KeyA" "Walking" "side-step left";
    Right "right" "KeyD" "Walking" "side-step right";
    TurnLeft "turn-left" "ArrowLeft" "Walking" "turn left";
    TurnRight "turn-right" "ArrowRight" "Walking" "turn right";
    Gait "walk" "ShiftLeft" "Walking" "hold to walk instead of running (free camera: faster)";
    RunLock "run-lock" "KeyR" "Walking" "run or walk by default";
    Jump "jump" "Space" "Walking" "jump; hold to jump higher (free camera: up)";
    Sink "sink" "KeyC" "Walking" "free camera: down";
    Use "use" "KeyE" "World" "open or close the door ahead, or use the object you point at";
    Teleport "teleport" "KeyT" "World" "go to a place by name, loc or map coordinates";
    Map "map" "KeyM" "World" "the map; click on it to go there";
    Bookmark "bookmark" "KeyB" "World" "bookmark this place";
    ZoomIn "zoom-in" "Equal" "Camera" "zoom in, up to first person (also the wheel)";
    ZoomOut "zoom-out" "Minus" "Camera" "zoom out (also the wheel)";
    FirstPerson "first-person" "KeyV" "Camera" "first person on or off";
    Fly "fly" "KeyF" "Camera" "free camera on or off";
    Walls "walls" "KeyX" "Camera" "camera collision with walls on or off";
    Pause "pause" "KeyP" "Time" "pause or resume";
    Step "step" "Period" "Time" "one tick of physics";
    Rewind "rewind" "Comma" "Time" "one tick back; hold to repeat";
    Record "record" "KeyK" "Time" "begin or end a capture file for `threshold replay`";
    Inspector "inspector" "F2" "Panels" "position, cell, contact, what was hit";
    View "view" "F3" "Panels" "cells visible through each opening; the frame plan step by step";
    Journal "journal" "F4" "Panels" "changes of cell and other events";
    Overlays "overlays" "F5" "Panels" "draw cells, openings and surfaces over the picture";
    Help "help" "F1" "Panels" "this list";
    Screenshot "screenshot" "F12" "Panels" "save a screenshot to the pictures folder";
    Quit "quit" "Escape" "Panels" "close the open panel; with none open, quit";
}

impl Action {
    /// An action by its name.
    pub fn from_name(name: &str) -> Option<Action> {
        Action::ALL.iter().copied().find(|action| action.name() == name)
    }

    /// It acts as long as its key is held.
    pub fn is_held(self) -> bool {
        use Action::*;
        matches!(self, Forward | Back | Left | Right | TurnLeft | TurnRight | Gait | Jump | Sink | Rewind)
    }
}

/// A key as people call it.
pub fn key_name(key: &str) -> &str {
    match key {
        "ArrowLeft" => "Left",
        "ArrowRight" => "Right",
        "ShiftLeft" => "Shift",
        "Equal" => "+",
        "Minus" => "-",
        "Period" => ".",
        "Comma" => ",",
        "Escape" => "Esc",
        key => key.trim_start_matches("Key").trim_start_matches("Digit"),
    }
}

/// Keys that are down.
#[derive(Clone, Debug, Default)]
pub struct Held(BTreeSet<Action>);

impl Held {
    /// Notes a key that went down or up.
    pub fn set(&mut self, action: Action, down: bool) {
        if down {
            self.0.insert(action);
        } else {
            self.0.remove(&action);
        }
    }

    /// Whether a key is down.
    pub fn has(&self, action: Action) -> bool {
        self.0.contains(&action)
    }

    /// All keys are up: the window lost the keyboard.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Hands what is held to the player, or to the eye while it flies.
    pub fn apply(&self, session: &mut Session) {
        let axis = |plus, minus| f32::from(i8::from(self.has(plus)) - i8::from(self.has(minus)));
        let flies = session.eye().is_flying();
        session.eye_mut().course = Course {
            right: axis(Action::Right, Action::Left),
            ahead: axis(Action::Forward, Action::Back),
            up: axis(Action::Jump, Action::Sink),
            hurry: self.has(Action::Gait),
        };
        session.control(if flies {
            Controls::default()
        } else {
            Controls {
                forward: self.has(Action::Forward),
                back: self.has(Action::Back),
                left: self.has(Action::Left),
                right: self.has(Action::Right),
                turn_left: self.has(Action::TurnLeft),
                turn_right: self.has(Action::TurnRight),
                toggle_run: self.has(Action::Gait),
                jump: self.has(Action::Jump),
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_keys_are_unique_and_read_back() {
        for &action in Action::ALL {
            assert_eq!(Action::from_name(action.name()), Some(action));
            let same_key = Action::ALL.iter().filter(|other| other.default_key() == action.default_key());
            assert_eq!(same_key.count(), 1, "{action:?}");
        }
    }
}
