//! Effects of scripts and hooks on an object: particles, fading, hiding, lights. Spec: render-data §13, §14.

use super::{
    Object, ObjectId, Stage,
    object::{Kind, Overrides, frame},
};
use crate::{assets::Assets, particles::Emitter};
use glam::Vec2;
use std::sync::Arc;
use threshold_dat::{
    DatId,
    records::{HookAction, PhysicsScript, Setup},
};

/// Scripts that may run on one object at once; scripts that call each other stop here.
const MAX_SCRIPTS: usize = 16;
/// Hooks that wait for a record that could not be read.
const MAX_LATE_HOOKS: usize = 1024;
/// Emitters that one object may have.
const MAX_EMITTERS: usize = 64;

/// A script at work.
struct Running {
    script: Arc<PhysicsScript>,
    started: f64,
    next: usize,
}

/// A value on its way.
struct Fade {
    part: Option<u16>,
    what: Faded,
    from: f32,
    to: f32,
    started: f64,
    seconds: f64,
}

#[derive(Clone, Copy, PartialEq)]
enum Faded {
    Translucency,
    Luminosity,
    Diffuse,
    Scale,
}

/// Effects of one object.
#[derive(Default)]
pub(super) struct Effects {
    pending: Vec<(DatId, f64)>,
    running: Vec<Running>,
    fades: Vec<Fade>,
    pub(super) emitters: Vec<ObjectId>,
}

impl Effects {
    /// What an object starts with: its setup's default script.
    pub(super) fn start(&mut self, setup: &Setup, now: f64) {
        if setup.defaults.script != DatId(0) {
            self.pending.push((setup.defaults.script, now));
        }
    }

    pub(super) fn is_active(&self) -> bool {
        !(self.pending.is_empty() && self.running.is_empty() && self.fades.is_empty())
    }
}

impl Stage {
    /// Advances time for all effects.
    pub fn advance(&mut self, assets: &mut Assets, seconds: f64) {
        assets.retry();
        self.mend(assets);
        self.now += seconds;
        let active = std::mem::take(&mut self.active);
        let mut hooks = std::mem::take(&mut self.hooks);
        for &id in &active {
            let now = self.now;
            if let Some(object) = self.object_mut(id) {
                object.fade(now);
                object.animate(now, &mut hooks);
                for hook in hooks.drain(..) {
                    self.hook(assets, id, hook.action());
                }
                self.run_scripts(assets, id);
                self.emit(id);
            }
        }
        self.hooks = hooks;
        let mut active = active;
        active.retain(|&id| self.object(id).is_some_and(Object::is_active));
        active.append(&mut self.active);
        self.active = active;
    }

    /// Starts a script on an object.
    pub fn play_script(&mut self, id: ObjectId, script: DatId) {
        let now = self.now;
        if let Some(object) = self.object_mut(id) {
            object.effects.pending.push((script, now));
            if !self.active.contains(&id) {
                self.active.push(id);
            }
        }
    }

    fn run_scripts(&mut self, assets: &mut Assets, id: ObjectId) {
        let now = self.now;
        let Some(object) = self.object_mut(id) else { return };
        let effects = &mut object.effects;
        for (script, started) in std::mem::take(&mut effects.pending) {
            if started > now {
                effects.pending.push((script, started));
                continue;
            }
            let (found, is_sure) = assets.surely(|assets| assets.script(script));
            if !is_sure {
                effects.pending.push((script, started));
            } else if let Some(script) = found.filter(|_| effects.running.len() < MAX_SCRIPTS) {
                effects.running.push(Running { script, started, next: 0 });
            }
        }
        let mut running = std::mem::take(&mut effects.running);
        for script in &mut running {
            while let Some(step) =
                script.script.steps.get(script.next).filter(|s| script.started + s.start <= now)
            {
                self.hook(assets, id, &step.hook.action);
                script.next += 1;
            }
        }
        running.retain(|script| script.next < script.script.steps.len());
        if let Some(object) = self.object_mut(id) {
            running.append(&mut object.effects.running);
            object.effects.running = running;
        }
    }

    /// Does what a hook says, as far as it can be seen; later, when a record for it cannot be read now.
    pub(super) fn hook(&mut self, assets: &mut Assets, id: ObjectId, action: &HookAction) {
        let ((), is_sure) = assets.surely(|assets| self.do_hook(assets, id, action));
        if !is_sure && self.provisional.hooks.len() < MAX_LATE_HOOKS {
            self.provisional.hooks.push((id, action.clone()));
        }
    }

    fn do_hook(&mut self, assets: &mut Assets, id: ObjectId, action: &HookAction) {
        let now = self.now;
        match *action {
            HookAction::CreateParticle { emitter, part, ref offset, instance }
            | HookAction::CreateBlockingParticle { emitter, part, ref offset, instance } => {
                let offset = frame(offset).origin;
                self.create_emitter(assets, id, emitter, u16::try_from(part).ok(), offset, instance);
            }
            HookAction::StopParticle { instance } => self.for_emitters(id, instance, Emitter::stop),
            HookAction::DestroyParticle { instance } => self.destroy_emitters(id, instance),
            HookAction::ReplaceObject { part, object: mesh } => {
                // What is missing replaces nothing.
                if let Some(lod) = assets.lod(mesh)
                    && let Some(object) = self.object_mut(id)
                {
                    object.replace_part(part, lod);
                }
            }
            _ => {
                let Some(object) = self.object_mut(id) else { return };
                object.hook(action, now);
            }
        }
    }

    fn create_emitter(
        &mut self,
        assets: &mut Assets,
        owner: ObjectId,
        emitter: DatId,
        part: Option<u16>,
        offset: glam::Vec3,
        instance: u32,
    ) {
        let Some(info) = assets.emitter(emitter) else { return };
        let Some(lod) = assets.lod(info.hardware_model) else { return };
        let now = self.now;
        let Some(object) = self.object(owner) else { return };
        if object.effects.emitters.len() >= MAX_EMITTERS {
            return;
        }
        let part = part.filter(|&part| usize::from(part) < object.parts.len());
        let parent = object.part_frame(part);
        let position = object.position;
        let seed = u64::from(owner) << 32 | u64::from(emitter.0) ^ u64::from(instance);
        let emitter = Emitter::new(info, offset, &parent, now, seed);
        let kind = Kind::Emitter { emitter, lod, owner, part, instance };
        let id = self.insert(Object::emitter(position, kind), &[position.cell]);
        if let Some(object) = self.object_mut(owner) {
            object.effects.emitters.push(id);
        }
    }

    fn for_emitters(&mut self, owner: ObjectId, instance: u32, change: impl Fn(&mut Emitter)) {
        let ids = self.object(owner).map(Object::emitter_ids).unwrap_or_default();
        for id in ids {
            if let Some(Kind::Emitter { emitter, instance: own, .. }) =
                self.object_mut(id).map(|object| &mut object.kind)
                && *own == instance
            {
                change(emitter);
            }
        }
    }

    fn destroy_emitters(&mut self, owner: ObjectId, instance: u32) {
        let ids = self.object(owner).map(Object::emitter_ids).unwrap_or_default();
        let is_it = |stage: &Stage, id: ObjectId| matches!(stage.object(id).map(|o| &o.kind), Some(Kind::Emitter { instance: own, .. }) if *own == instance);
        for id in ids.into_iter().filter(|&id| is_it(self, id)).collect::<Vec<_>>() {
            self.remove(id);
            if let Some(object) = self.object_mut(owner) {
                object.effects.emitters.retain(|&other| other != id);
            }
        }
    }

    /// Lets an emitter emit.
    fn emit(&mut self, id: ObjectId) {
        let now = self.now;
        let Some(Kind::Emitter { owner, part, .. }) = self.object(id).map(|object| &object.kind) else {
            return;
        };
        let Some(owner) = self.object(*owner) else { return };
        let (parent, position) = (owner.part_frame(*part), owner.position);
        if self.object(id).is_some_and(|object| object.position.cell != position.cell) {
            self.place(id, position, &[position.cell]);
        }
        if let Some(object) = self.object_mut(id) {
            object.position = position;
            if let Kind::Emitter { emitter, .. } = &mut object.kind {
                emitter.update(&parent, now);
            }
        }
    }
}

impl Object {
    fn hook(&mut self, action: &HookAction, now: f64) {
        let one = |part: u32| u16::try_from(part).ok();
        let mut fade = |part, what, from: f32, to: f32, seconds: f32| {
            let seconds = f64::from(seconds);
            self.effects.fades.push(Fade { part, what, from, to, started: now, seconds });
        };
        match *action {
            HookAction::Transparent { start, end, time } => fade(None, Faded::Translucency, start, end, time),
            HookAction::TransparentPart { part, start, end, time } => {
                fade(one(part), Faded::Translucency, start, end, time);
            }
            HookAction::Luminous { start, end, time } => fade(None, Faded::Luminosity, start, end, time),
            HookAction::LuminousPart { part, start, end, time } => {
                fade(one(part), Faded::Luminosity, start, end, time);
            }
            HookAction::Diffuse { start, end, time } => fade(None, Faded::Diffuse, start, end, time),
            HookAction::DiffusePart { part, start, end, time } => {
                fade(one(part), Faded::Diffuse, start, end, time);
            }
            HookAction::Scale { end, time } => fade(None, Faded::Scale, self.scale, end, time),
            HookAction::NoDraw { on } => self.hidden_by_hook = on,
            HookAction::SetLight { on } => self.lights_on = on,
            HookAction::TextureVelocity { u, v } => {
                self.each_part(None, |o| o.texture_velocity = Vec2::new(u, v));
            }
            HookAction::TextureVelocityPart { part, u, v } => {
                self.each_part(one(part), |o| o.texture_velocity = Vec2::new(u, v));
            }
            HookAction::CallScript { script, pause } => {
                self.effects.pending.push((script, now + f64::from(pause.max(0.0))));
            }
            HookAction::DefaultScript {} => {
                if let Some(setup) = self.setup.clone() {
                    self.effects.start(&setup, now);
                }
            }
            _ => {}
        }
    }

    fn each_part(&mut self, part: Option<u16>, change: impl Fn(&mut Overrides)) {
        for (i, state) in self.parts.iter_mut().enumerate() {
            if part.is_none_or(|part| usize::from(part) == i) {
                change(&mut state.overrides);
            }
        }
    }

    /// Moves fading values on; those that arrived stay where they are.
    fn fade_step(&mut self, fade: &Fade, now: f64) -> bool {
        let part = if fade.seconds > 0.0 { ((now - fade.started) / fade.seconds).min(1.0) } else { 1.0 };
        let value = fade.from + (fade.to - fade.from) * part as f32;
        if value.is_finite() {
            match fade.what {
                Faded::Translucency => self.each_part(fade.part, |o| o.translucency = value.clamp(0.0, 1.0)),
                Faded::Luminosity => self.each_part(fade.part, |o| o.luminosity = Some(value)),
                Faded::Diffuse => self.each_part(fade.part, |o| o.diffuse = Some(value)),
                Faded::Scale if value > 0.0 => self.scale = value,
                Faded::Scale => {}
            }
        }
        part < 1.0
    }

    fn fade(&mut self, now: f64) {
        let mut fades = std::mem::take(&mut self.effects.fades);
        fades.retain(|fade| self.fade_step(fade, now));
        fades.append(&mut self.effects.fades);
        self.effects.fades = fades;
    }
}
