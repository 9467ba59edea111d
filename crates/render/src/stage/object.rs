//! One object: its parts, its pose, its lights, and what changes about it at run time.

use super::{ObjectId, Stage, motion::Motion};
use crate::{
    assets::{Appearance, Assets, Lod, LodLevel, MaterialIndex},
    light::PointLight,
    particles::Emitter,
    sky::color_to_vec,
};
use glam::{Vec2, Vec3};
use std::sync::Arc;
use threshold_dat::{
    DatId,
    records::{self, Setup},
};
use threshold_world::{CellId, Frame, Position, Quat, ladder::draw_frame};

/// What is put on the stage.
#[derive(Clone, Debug, Default)]
pub struct Spawn {
    /// GfxObj or Setup.
    pub model: DatId,
    /// Where.
    pub position: Position,
    /// Size; 1 is the model's own.
    pub scale: f32,
    /// It never moves: its lights are baked into the cells.
    pub is_fixed: bool,
    /// What makes it look different from others.
    pub appearance: Appearance,
}

impl Spawn {
    /// A model at a place, in its own size.
    pub fn new(model: DatId, position: Position) -> Spawn {
        Spawn { model, position, scale: 1.0, ..Spawn::default() }
    }
}

/// What hooks change about a part.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(super) struct Overrides {
    pub(super) translucency: f32,
    pub(super) luminosity: Option<f32>,
    pub(super) diffuse: Option<f32>,
    pub(super) texture_velocity: Vec2,
}

/// A part of an object.
pub(super) struct Part {
    pub(super) lod: Option<Arc<Lod>>,
    /// Materials of each level when the object's appearance changes them.
    materials: Option<Box<[Box<[MaterialIndex]>]>>,
    /// Place in the object, before its scale.
    pub(super) frame: Frame,
    scale: Vec3,
    pub(super) overrides: Overrides,
}

/// The particles of another object, or an object of its own.
pub(super) enum Kind {
    Model,
    Emitter { emitter: Emitter, lod: Arc<Lod>, owner: ObjectId, part: Option<u16>, instance: u32 },
}

/// An object on the stage.
pub struct Object {
    /// Where it is.
    pub position: Position,
    /// Its size.
    pub scale: f32,
    /// Nothing of it is drawn.
    pub hidden: bool,
    /// A hook says that nothing of it is drawn.
    pub(super) hidden_by_hook: bool,
    /// Whether its lights shine.
    pub lights_on: bool,
    /// Cells it is registered in.
    pub cells: Vec<CellId>,
    /// GfxObj or Setup.
    pub model: DatId,
    pub(super) is_fixed: bool,
    pub(super) setup: Option<Arc<Setup>>,
    pub(super) parts: Vec<Part>,
    pub(super) kind: Kind,
    pub(super) effects: super::effects::Effects,
    lights: Vec<records::Light>,
    pub(super) motion: Motion,
}

/// A part as it is to be drawn, in the coordinates of its object's block.
pub struct PartDraw<'a> {
    /// The level of detail.
    pub level: &'a LodLevel,
    /// Materials of the level's mesh when they are not the mesh's own.
    pub materials: Option<&'a [MaterialIndex]>,
    /// Its place, turned towards the eye if it turns.
    pub frame: Frame,
    /// Its size.
    pub scale: Vec3,
    /// Where it sorts.
    pub sort_center: Vec3,
    /// Run-time translucency; 0 for none.
    pub translucency: f32,
    /// Run-time luminosity.
    pub luminosity: Option<f32>,
    /// Run-time diffuse.
    pub diffuse: Option<f32>,
    /// By how much its texture has moved.
    pub uv_offset: Vec2,
    /// The block its coordinates belong to.
    pub cell: CellId,
}

/// A record's frame as the engine uses it.
pub(super) fn frame(stored: &records::Frame) -> Frame {
    if stored.is_placed() {
        Frame::new(Vec3::from_array(stored.origin), Quat::from(stored.orientation()))
    } else {
        Frame::IDENTITY
    }
}

impl Object {
    pub(super) fn new(assets: &mut Assets, spawn: &Spawn, now: f64) -> Object {
        let setup = if spawn.model.0 >> 24 == 0x02 { assets.setup(spawn.model) } else { None };
        let mut object = Object {
            position: spawn.position,
            scale: if spawn.scale.is_finite() && spawn.scale > 0.0 { spawn.scale } else { 1.0 },
            hidden: false,
            hidden_by_hook: false,
            lights_on: true,
            cells: Vec::new(),
            model: spawn.model,
            is_fixed: spawn.is_fixed,
            parts: Vec::new(),
            kind: Kind::Model,
            effects: super::effects::Effects::default(),
            lights: Vec::new(),
            motion: Motion::Still,
            setup: setup.clone(),
        };
        let palette = assets.appearance_palette(&spawn.appearance);
        let ids = setup.as_ref().map_or(vec![spawn.model], |setup| setup.parts.clone());
        for (i, mut id) in ids.into_iter().enumerate() {
            let changes = &spawn.appearance.parts;
            if let Some((_, replaced)) = changes.iter().find(|(part, _)| usize::from(*part) == i) {
                id = *replaced;
            }
            let lod = if id == DatId(0) { None } else { assets.lod(id) };
            let materials = lod.as_ref().and_then(|lod| dress(assets, lod, i, &spawn.appearance, palette));
            let scale = setup.as_ref().map_or(Vec3::ONE, |setup| Vec3::from_array(setup.part_scale(i)));
            object.parts.push(Part {
                lod,
                materials,
                frame: Frame::IDENTITY,
                scale,
                overrides: Overrides::default(),
            });
        }
        if let Some(setup) = &setup {
            if let Some(rest) = setup.placement() {
                object.pose(&rest.parts);
            }
            object.lights = setup.lights.iter().map(|(_, light)| *light).collect();
            object.motion = Motion::of(assets, setup, now);
            object.show_own_pose();
            object.effects.start(setup, now);
        }
        object
    }

    /// Takes over how another object of the same model looks and moves; stays where it is.
    pub(super) fn become_like(&mut self, made: Object) {
        let Object { setup, parts, lights, motion, mut effects, .. } = made;
        effects.emitters = std::mem::take(&mut self.effects.emitters);
        (self.setup, self.parts, self.lights) = (setup, parts, lights);
        (self.motion, self.effects) = (motion, effects);
    }

    pub(super) fn emitter(position: Position, kind: Kind) -> Object {
        Object {
            position,
            scale: 1.0,
            hidden: false,
            hidden_by_hook: false,
            lights_on: false,
            cells: Vec::new(),
            model: DatId(0),
            is_fixed: false,
            setup: None,
            parts: Vec::new(),
            kind,
            effects: super::effects::Effects::default(),
            lights: Vec::new(),
            motion: Motion::Still,
        }
    }

    /// Gives a part another mesh.
    pub(super) fn replace_part(&mut self, part: u16, lod: Arc<Lod>) {
        if let Some(part) = self.parts.get_mut(usize::from(part)) {
            part.lod = Some(lod);
            part.materials = None;
        }
    }

    /// Whether time changes it.
    pub(super) fn is_active(&self) -> bool {
        self.motion.is_active() || self.effects.is_active() || self.is_emitter()
    }

    pub(super) fn is_drawn(&self) -> bool {
        !(self.hidden || self.hidden_by_hook)
    }

    pub(super) fn is_emitter(&self) -> bool {
        matches!(self.kind, Kind::Emitter { .. })
    }

    pub(super) fn emitter_ids(&self) -> Vec<ObjectId> {
        self.effects.emitters.clone()
    }

    /// Whether it is a dat static.
    pub fn is_fixed(&self) -> bool {
        self.is_fixed
    }

    /// Number of parts, or of live particles.
    pub fn part_count(&self) -> u16 {
        let count = match &self.kind {
            Kind::Model => self.parts.len(),
            Kind::Emitter { emitter, .. } => emitter.count(),
        };
        count.min(usize::from(u16::MAX)) as u16
    }

    /// Place of a part in the object's block, without its own scale.
    pub(super) fn part_frame(&self, part: Option<u16>) -> Frame {
        let Some(part) = part.and_then(|i| self.parts.get(usize::from(i))) else {
            return self.position.frame;
        };
        let inner = Frame::new(part.frame.origin * self.scale, part.frame.rotation());
        self.position.frame.compose(&inner)
    }

    /// How a part is drawn, seen from `eye` (in the coordinates of the object's block).
    pub(super) fn draw(&self, part: u16, eye: Option<Vec3>, now: f64, stage: &Stage) -> Option<PartDraw<'_>> {
        if !self.is_drawn() {
            return None;
        }
        let (lod, frame, scale, overrides, materials) = match &self.kind {
            Kind::Model => {
                let state = self.parts.get(usize::from(part))?;
                let lod = state.lod.as_deref()?;
                let frame = self.part_frame(Some(part));
                (lod, frame, state.scale * self.scale, state.overrides, state.materials.as_deref())
            }
            Kind::Emitter { emitter, lod, owner, part: of, .. } => {
                let parent = stage.object(*owner).map_or(self.position.frame, |owner| owner.part_frame(*of));
                let view = emitter.particle(usize::from(part), &parent, now)?;
                let overrides = Overrides { translucency: view.translucency, ..Overrides::default() };
                (&**lod, view.frame, Vec3::splat(view.scale), overrides, None)
            }
        };
        if overrides.translucency >= 1.0 {
            return None;
        }
        let sort_center = frame.apply(lod.sort_center * scale);
        let distance = eye.map_or(0.0, |eye| (sort_center - eye).length());
        let (index, level) = lod.select(distance, scale.z);
        level.mesh?;
        let frame = eye.map_or(frame, |eye| draw_frame(level.facing, &frame, sort_center, eye));
        let moved = overrides.texture_velocity * (now as f32);
        Some(PartDraw {
            level,
            materials: materials.and_then(|levels| levels.get(index)).map(|list| &**list),
            frame,
            scale,
            sort_center,
            translucency: overrides.translucency,
            luminosity: overrides.luminosity,
            diffuse: overrides.diffuse,
            uv_offset: moved - moved.floor(),
            cell: self.position.cell,
        })
    }

    /// Its lights, moved by `offset`. Cone angles are junk in shipped data: all shine around. Spec: render-data §12.3.
    pub fn lights(&self, offset: Vec3) -> impl Iterator<Item = PointLight> + '_ {
        self.lights.iter().map(move |light| {
            let local = frame(&light.frame).origin * self.scale;
            PointLight {
                position: self.position.frame.apply(local) + offset,
                color: color_to_vec(light.color),
                intensity: light.intensity,
                falloff: light.falloff,
            }
        })
    }
}

/// Materials of all levels of a part under an appearance; `None` when it changes nothing of the part.
fn dress(
    assets: &mut Assets,
    lod: &Lod,
    part: usize,
    appearance: &Appearance,
    palette: Option<u32>,
) -> Option<Box<[Box<[MaterialIndex]>]>> {
    let changes: Vec<(DatId, DatId)> = appearance
        .textures
        .iter()
        .filter(|(of, _, _)| usize::from(*of) == part)
        .map(|&(_, old, new)| (old, new))
        .collect();
    if changes.is_empty() && palette.is_none() {
        return None;
    }
    let mut levels = Vec::new();
    for level in lod.levels() {
        let surfaces = level.mesh.map_or_else(Box::default, |mesh| assets.mesh(mesh).surfaces.clone());
        // The palette is used only by parts whose own palette is the one it was made from.
        let fits = palette.is_some() && assets.base_palette(&surfaces) == appearance.base_palette;
        let palette = palette.filter(|_| fits);
        let material = |&surface: &DatId| {
            let own = if changes.is_empty() { None } else { assets.texture_of(surface) };
            let texture =
                own.and_then(|own| changes.iter().find(|(old, _)| *old == own).map(|(_, new)| *new));
            assets.changed_surface(surface, texture, palette)
        };
        levels.push(surfaces.iter().map(material).collect());
    }
    Some(levels.into())
}
