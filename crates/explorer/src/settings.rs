//! What is remembered from one time to the next.

use crate::{input::Action, platform};
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
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
    /// Closes one panel, the one that covers most first. False when none is open.
    pub fn close_panel(&mut self) -> bool {
        let panels = [
            &mut self.help,
            &mut self.map,
            &mut self.overlays,
            &mut self.journal,
            &mut self.view,
            &mut self.inspector,
        ];
        panels.into_iter().find(|open| **open).map(|open| *open = false).is_some()
    }

    /// Names of the overlays that are drawn.
    pub fn overlay_names(&self) -> Vec<&'static str> {
        let mut show = self.clone();
        Overlay::ALL
            .iter()
            .filter(|(overlay, ..)| *show.overlay_mut(*overlay))
            .map(|(_, name, _)| *name)
            .collect()
    }

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

/// A place that somebody wants to find again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bookmark {
    /// What it is called.
    pub name: String,
    /// Where it is, in `/loc` notation.
    pub loc: String,
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
    /// Where pictures of the window are written; without it the user's own folder of pictures.
    pub pictures: Option<PathBuf>,
    /// Places to find again, oldest first.
    pub bookmarks: Vec<Bookmark>,
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
            pictures: None,
            bookmarks: Vec::new(),
            show: Show::default(),
        }
    }
}

impl Settings {
    /// Reads settings; the usual ones when there is no such file.
    pub fn load(path: &Path) -> Result<Settings> {
        let Some(text) = platform::read_text(path)? else { return Ok(Settings::default()) };
        let settings: Settings = serde_json::from_str(&text).with_context(|| path.display().to_string())?;
        Ok(settings.tamed())
    }

    /// Writes them, with the folder if it is missing.
    pub fn save(&self, path: &Path) -> Result<()> {
        let text = serde_json::to_string_pretty(self).with_context(|| path.display().to_string())?;
        platform::write_file(path, text + "\n")
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

    /// What of these settings somebody may wonder about who has forgotten them, in words.
    pub fn reminder(&self) -> Option<String> {
        let usual = Settings::default();
        let mut parts = Vec::new();
        if self.window != usual.window {
            parts.push(format!("a window of {} x {}", self.window[0], self.window[1]));
        }
        let overlays = self.show.overlay_names();
        if !overlays.is_empty() {
            parts.push(format!("overlays {}", overlays.join(", ")));
        }
        if !self.bookmarks.is_empty() {
            parts.push(format!("{} bookmarks", self.bookmarks.len()));
        }
        (!parts.is_empty()).then(|| format!("as you left it: {}", parts.join("; ")))
    }

    /// Remembers a place under a name, or under the next free number; says which.
    pub fn add_bookmark(&mut self, name: &str, loc: String) -> &Bookmark {
        let is_free = |name: &str| self.bookmarks.iter().all(|known| !known.name.eq_ignore_ascii_case(name));
        let name = match name.trim() {
            "" => (1..).map(|n| format!("Bookmark {n}")).find(|name| is_free(name)).unwrap_or_default(),
            name => name.to_owned(),
        };
        self.bookmarks.retain(|known| !known.name.eq_ignore_ascii_case(&name));
        self.bookmarks.push(Bookmark { name, loc });
        &self.bookmarks[self.bookmarks.len() - 1]
    }

    /// A bookmark by its name, in any case.
    pub fn bookmark(&self, name: &str) -> Option<&Bookmark> {
        self.bookmarks.iter().find(|bookmark| bookmark.name.eq_ignore_ascii_case(name.trim()))
    }

    /// The key that an action is on.
    pub fn key(&self, action: Action) -> &str {
        let default = || platform::default_key(action.default_key());
        self.keys.get(action.name()).map_or_else(default, String::as_str)
    }

    /// What a key does.
    pub fn action(&self, key: &str) -> Option<Action> {
        Action::ALL.iter().copied().find(|&action| self.key(action) == key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn panels_close_one_by_one() {
        let mut show = Show { help: true, view: true, portals: true, ..Show::default() };
        assert!(show.close_panel() && !show.help && show.view, "the help covers most");
        assert!(show.close_panel() && !show.view);
        assert!(!show.close_panel() && show.portals, "overlays are no panels");
    }

    #[test]
    fn what_was_left_is_said_and_the_usual_is_not() {
        assert_eq!(Settings::default().reminder(), None);
        let mut settings = Settings { window: [900, 600], ..Settings::default() };
        (settings.show.portals, settings.show.mesh) = (true, true);
        let reminder = "as you left it: a window of 900 x 600; overlays portals, mesh";
        assert_eq!(settings.reminder().as_deref(), Some(reminder));
    }

    #[test]
    fn bookmarks_have_names_of_their_own() {
        let mut settings = Settings::default();
        assert_eq!(settings.add_bookmark("", "a".into()).name, "Bookmark 1");
        assert_eq!(settings.add_bookmark(" ", "b".into()).name, "Bookmark 2");
        settings.add_bookmark("Hearth", "c".into());
        settings.add_bookmark("hearth", "d".into());
        assert_eq!(settings.bookmark("HEARTH").map(|bookmark| bookmark.loc.as_str()), Some("d"));
        assert_eq!(settings.bookmarks.len(), 3);
        settings.bookmarks.remove(0);
        assert_eq!(settings.add_bookmark("", "e".into()).name, "Bookmark 1", "a number that is free again");
    }

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
