//! Things that happen at a moment of an animation or a script. Spec: dat-portal §9.2.

use super::{Frame, Vec3};
use crate::DatId;
use crate::codec::{KnownId, Reader, Result, Wire, Writer};
#[cfg(feature = "serde")]
use serde::Serialize;

/// An action that runs when a frame is reached.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Hook {
    /// 0 in both directions, 1 when played forward, −1 when played backward.
    pub direction: i32,
    /// What happens.
    pub action: HookAction,
}

impl Wire for Hook {
    const MIN: usize = 8;

    fn read(r: &mut Reader<'_>, _: &'static str) -> Result<Self> {
        let offset = r.pos();
        let code = r.read("hook type")?;
        let direction = r.read("hook direction")?;
        let action = HookAction::read(r, code, offset)?;
        r.align_after_hook()?;
        Ok(Hook { direction, action })
    }

    fn write(&self, w: &mut Writer<'_>, _: &'static str) -> Result<()> {
        w.write(&self.action.code(), "hook type")?;
        w.write(&self.direction, "hook direction")?;
        self.action.write(w)?;
        w.align_after_hook();
        Ok(())
    }
}

macro_rules! hook_actions {
    ($($(#[$meta:meta])* $code:literal $name:ident { $($field:ident: $type:ty $(as $wire:ty)?),* },)*) => {
        /// What a hook does; part 0xFFFFFFFF means the whole object.
        #[derive(Debug, Clone, PartialEq)]
        #[cfg_attr(feature = "serde", derive(Serialize))]
        #[allow(missing_docs)] // The fields are named after what they hold.
        pub enum HookAction {
            $($(#[$meta])* $name { $($field: $type),* },)*
        }

        impl HookAction {
            /// The stored type number.
            pub fn code(&self) -> u32 {
                match self {
                    $(HookAction::$name { .. } => $code,)*
                }
            }

            fn read(r: &mut Reader<'_>, code: u32, offset: usize) -> Result<Self> {
                Ok(match code {
                    $($code => HookAction::$name {
                        $($field: hook_actions!(@read r, concat!(stringify!($name), ".", stringify!($field)) $(, $wire)?),)*
                    },)*
                    _ => return Err(r.error("hook type", offset, format!("{code:#x} is unknown, and so is its length"))),
                })
            }

            fn write(&self, w: &mut Writer<'_>) -> Result<()> {
                match self {
                    $(HookAction::$name { $($field),* } => {
                        $(hook_actions!(@write w, $field, concat!(stringify!($name), ".", stringify!($field)) $(, $wire)?);)*
                    })*
                }
                Ok(())
            }
        }

        #[cfg(test)]
        impl super::random::Random for HookAction {
            fn random(dice: &mut super::random::Dice) -> Self {
                let all = [$(|_dice: &mut super::random::Dice| {
                    HookAction::$name { $($field: hook_actions!(@random _dice $(, $wire)?)),* }
                },)*];
                all[dice.below(all.len())](dice)
            }
        }
    };
    (@random $dice:ident) => { $dice.roll() };
    (@random $dice:ident, $wire:ty) => { DatId(0x0100_0000 + $dice.roll::<u16>() as u32 * 7) };
    (@read $r:ident, $label:expr) => { $r.read($label)? };
    (@read $r:ident, $label:expr, $wire:ty) => { $r.read::<$wire>($label)?.0 };
    (@write $w:ident, $field:ident, $label:expr) => { $w.write($field, $label)? };
    (@write $w:ident, $field:ident, $label:expr, $wire:ty) => { $w.write::<$wire>(&KnownId(*$field), $label)? };
}

hook_actions! {
    /// Nothing.
    0x00 NoOp {},
    /// Plays a Wave.
    0x01 Sound { wave: DatId },
    /// Plays a sound of the object's SoundTable.
    0x02 SoundTable { sound: u32 },
    /// The reach of an attack.
    0x03 Attack { part: u32, left: [f32; 2], right: [f32; 2], radius: f32, height: f32 },
    /// The animation counts as over.
    0x04 AnimationDone {},
    /// Shows another model in place of a part.
    0x05 ReplaceObject { part: u16, object: DatId as KnownId<0x0100_0000> },
    /// Lets others pass through, or no longer.
    0x06 Ethereal { on: bool },
    /// Fades a part.
    0x07 TransparentPart { part: u32, start: f32, end: f32, time: f32 },
    /// Changes the object's own light.
    0x08 Luminous { start: f32, end: f32, time: f32 },
    /// Changes a part's own light.
    0x09 LuminousPart { part: u32, start: f32, end: f32, time: f32 },
    /// Changes how much light the object reflects.
    0x0A Diffuse { start: f32, end: f32, time: f32 },
    /// Changes how much light a part reflects.
    0x0B DiffusePart { part: u32, start: f32, end: f32, time: f32 },
    /// Grows or shrinks the object.
    0x0C Scale { end: f32, time: f32 },
    /// Starts a particle emitter.
    0x0D CreateParticle { emitter: DatId, part: u32, offset: Frame, instance: u32 },
    /// Removes an emitter and its particles.
    0x0E DestroyParticle { instance: u32 },
    /// Stops an emitter; its particles live on.
    0x0F StopParticle { instance: u32 },
    /// Hides the object.
    0x10 NoDraw { on: bool },
    /// Plays the object's own script.
    0x11 DefaultScript {},
    /// Plays a part's own script.
    0x12 DefaultScriptPart { part: u32 },
    /// Plays a PhysicsScript after a pause.
    0x13 CallScript { script: DatId, pause: f32 },
    /// Fades the object.
    0x14 Transparent { start: f32, end: f32, time: f32 },
    /// Plays a Wave with a chance and a volume.
    0x15 SoundTweaked { wave: DatId, priority: f32, probability: f32, volume: f32 },
    /// Sets the object spinning.
    0x16 SetOmega { omega: Vec3 },
    /// Moves the object's textures.
    0x17 TextureVelocity { u: f32, v: f32 },
    /// Moves a part's textures.
    0x18 TextureVelocityPart { part: u32, u: f32, v: f32 },
    /// Switches the object's lights.
    0x19 SetLight { on: bool },
    /// Starts an emitter that holds the script up.
    0x1A CreateBlockingParticle { emitter: DatId, part: u32, offset: Frame, instance: u32 },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::testing::wire;

    #[test]
    fn a_replaced_object_is_stored_from_the_first_model() {
        let hook: Hook = wire("05 00 00 00 00 00 00 00 02 00 23 01");
        let action = HookAction::ReplaceObject { part: 2, object: DatId(0x0100_0123) };
        assert_eq!(hook, Hook { direction: 0, action });
    }

    #[test]
    fn a_hook_with_a_long_id_is_padded() {
        let hook: Hook = wire("05 00 00 00 FF FF FF FF 02 00 00 80 54 48 00 00");
        let action = HookAction::ReplaceObject { part: 2, object: DatId(0x0100_4854) };
        assert_eq!(hook, Hook { direction: -1, action });
    }
}
