//! What is remembered from one time to the next.

use crate::input::Action;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
};
use threshold_render::Backend;

/// What is shown besides the picture.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Show {
    /// The key help.
    pub help: bool,
    /// Position, cell, contact.
    pub inspector: bool,
    /// The portal view and the frame plan.
    pub view: bool,
    /// Events and changes of cell.
    pub journal: bool,
    /// The map.
    pub map: bool,
    /// Which overlays there are.
    pub overlays: bool,
    /// Regions of the screen through which cells are seen.
    pub regions: bool,
    /// Cells in view.
    pub cells: bool,
    /// Openings.
    pub portals: bool,
    /// Polygons that can be hit; walkable ones stand out.
    pub surfaces: bool,
    /// Surfaces and tree of the eye's own cell.
    pub bsp: bool,
    /// Objects by the number of cells that list them.
    pub shapes: bool,
    /// Where the player can stand.
    pub mesh: bool,
}

/// Something that is drawn over the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The fields of [`Show`] of the same names say it.
pub enum Overlay {
    Cells,
    Portals,
    Regions,
    Surfaces,
    Bsp,
    Shapes,
    Mesh,
}

impl Overlay {
    /// All of them, with their names in scripts and what they show.
    pub const ALL: [(Overlay, &'static str, &'static str); 7] = [
        (Overlay::Cells, "cells", "cells in view, with their numbers"),
        (Overlay::Portals, "portals", "openings between cells, and to the outdoors"),
        (Overlay::Regions, "regions", "regions of the screen that look through openings"),
        (Overlay::Surfaces, "surfaces", "surfaces that can be hit; walkable ones green"),
        (Overlay::Bsp, "bsp", "surfaces and tree of the eye's own cell"),
        (Overlay::Shapes, "shapes", "objects by the number of cells that list them"),
        (Overlay::Mesh, "mesh", "where the player can stand, as ways are found on it"),
    ];

    /// An overlay by its name.
    pub fn from_name(name: &str) -> Option<Overlay> {
        Overlay::ALL.iter().find(|(_, own, _)| *own == name).map(|&(overlay, ..)| overlay)
    }
}

impl Show {
    /// Whether an overlay is drawn.
    pub fn overlay_mut(&mut self, overlay: Overlay) -> &mut bool {
        match overlay {
            Overlay::Cells => &mut self.cells,
            Overlay::Portals => &mut self.portals,
            Overlay::Regions => &mut self.regions,
            Overlay::Surfaces => &mut self.surfaces,
            Overlay::Bsp => &mut self.bsp,
            Overlay::Shapes => &mut self.shapes,
            Overlay::Mesh => &mut self.mesh,
        }
    }
}

/// The settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Keys by action; those that are left out are where they always are.
    pub keys: BTreeMap<String, String>,
    /// Degrees per pixel that the mouse moves.
    pub mouse_speed: f32,
    /// Moving the mouse up looks down.
    pub invert_mouse: bool,
    /// Vertical field of view in degrees.
    pub fov: f32,
    /// Part of the day that has passed.
    pub time: f32,
    /// Rain and snow, on days that have them.
    pub weather: bool,
    /// What draws the picture.
    pub backend: Backend,
    /// Size of the window.
    pub window: [u32; 2],
    /// Run skill of the player.
    pub run: u32,
    /// Jump skill of the player.
    pub jump: u32,
    /// The eye was in the player's head.
    pub first_person: bool,
    /// What is shown.
    pub show: Show,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            keys: BTreeMap::new(),
            mouse_speed: 0.15,
            invert_mouse: false,
            fov: 60.0,
            time: 0.45,
            weather: false,
            backend: Backend::Auto,
            window: [1280, 720],
            run: 100,
            jump: 200,
            first_person: false,
            show: Show::default(),
        }
    }
}

impl Settings {
    /// Where settings are kept, by the custom of the system; `None` when it has no place for them.
    pub fn default_path() -> Option<PathBuf> {
        let dir = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let base = if cfg!(windows) {
            dir("APPDATA")
        } else if cfg!(target_os = "macos") {
            dir("HOME").map(|home| home.join("Library/Application Support"))
        } else {
            dir("XDG_CONFIG_HOME").or_else(|| dir("HOME").map(|home| home.join(".config")))
        };
        base.map(|base| base.join("threshold").join("explorer.json"))
    }

    /// Reads settings; the usual ones when there is no such file.
    pub fn load(path: &Path) -> Result<Settings> {
        if !path.exists() {
            return Ok(Settings::default());
        }
        let context = || path.display().to_string();
        let text = fs::read_to_string(path).with_context(context)?;
        let settings: Settings = serde_json::from_str(&text).with_context(context)?;
        Ok(settings.tamed())
    }

    /// Writes them, with the folder if it is missing.
    pub fn save(&self, path: &Path) -> Result<()> {
        let context = || path.display().to_string();
        if let Some(dir) = path.parent() {
            fs::create_dir_all(dir).with_context(context)?;
        }
        let text = serde_json::to_string_pretty(self).with_context(context)?;
        fs::write(path, text + "\n").with_context(context)
    }

    /// Numbers that a hand has written are brought to where they make sense.
    fn tamed(mut self) -> Settings {
        let tame = |value: f32, low: f32, high: f32, usual: f32| {
            if value.is_finite() { value.clamp(low, high) } else { usual }
        };
        let usual = Settings::default();
        self.mouse_speed = tame(self.mouse_speed, 0.01, 2.0, usual.mouse_speed);
        self.fov = tame(self.fov, 20.0, 110.0, usual.fov);
        self.time = tame(self.time, 0.0, 1.0, usual.time);
        self.window = self.window.map(|side| side.clamp(320, 8192));
        self.run = self.run.min(1000);
        self.jump = self.jump.min(1000);
        self
    }

    /// The key that an action is on.
    pub fn key(&self, action: Action) -> &str {
        self.keys.get(action.name()).map_or(action.default_key(), String::as_str)
    }

    /// What a key does.
    pub fn action(&self, key: &str) -> Option<Action> {
        Action::ALL.iter().copied().find(|&action| self.key(action) == key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_remembered_and_half_written_ones_are_filled_up() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("deep/explorer.json");
        assert_eq!(Settings::load(&path).unwrap(), Settings::default());
        let mut settings = Settings { fov: 75.0, ..Settings::default() };
        settings.keys.insert("forward".into(), "KeyZ".into());
        settings.save(&path).unwrap();
        let read = Settings::load(&path).unwrap();
        assert_eq!(read, settings);
        assert_eq!(read.action("KeyZ"), Some(Action::Forward));
        assert_eq!(read.action("KeyW"), None);
        fs::write(&path, r#"{"fov": 900, "window": [1, 99999]}"#).unwrap();
        let read = Settings::load(&path).unwrap();
        assert_eq!((read.fov, read.window, read.run), (110.0, [320, 8192], 100));
        fs::write(&path, "{").unwrap();
        assert!(Settings::load(&path).unwrap_err().to_string().contains("explorer.json"));
    }
}
