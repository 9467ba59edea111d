//! Where pictures and plans are seen from.

use crate::{
    fault::Fault,
    types::{ThEntity, ThPosition, entity},
};
use bytemuck::AnyBitPattern;
use threshold_sim::{EntityKey, Lens, Position, Simulation};
use threshold_view::{Viewer, camera::orientation};
use threshold_world::Frame;

/// What the place of a camera means.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThSeat {
    /// The feet of a viewer: the eye is raised to eye height, as far as there is room.
    Feet = 0,
    /// The eye is exactly there, in exactly that cell.
    Eye = 1,
}

/// A camera: that of a player, or at a place when the player is 0.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, AnyBitPattern)]
pub struct ThCamera {
    /// The player, as `th_spawn_player` made it.
    pub player: ThEntity,
    /// The place and its rotation. Its cell must be loaded.
    pub place: ThPosition,
    /// One of ThSeat.
    pub seat: u32,
    /// Degrees up from the direction of the place; 0 keeps its rotation unchanged.
    pub pitch: f32,
    /// Vertical field of view in degrees; 0 for 60.
    pub field_of_view: f32,
    /// Width of the picture in pixels, up to 8192.
    pub width: u32,
    /// Height of the picture in pixels, up to 8192.
    pub height: u32,
    /// Time after noon as a fraction of a day, -0.5 to 0.5; used for pictures only.
    pub after_noon: f32,
}

/// A camera that exists.
pub(crate) struct Camera {
    pub(crate) viewer: Viewer,
    /// The viewer.
    pub(crate) player: Option<EntityKey>,
    /// The position of the feet, which decides the light.
    pub(crate) feet: Position,
}

impl ThCamera {
    pub(crate) fn check(&self, sim: &Simulation) -> Result<Camera, Fault> {
        let degrees = if self.field_of_view == 0.0 { 60.0 } else { self.field_of_view };
        let lens = Lens::new(degrees.to_radians(), self.width, self.height)
            .filter(|_| self.width.max(self.height) <= threshold_render::raster::MAX_SIDE)
            .ok_or_else(|| {
                Fault::argument(
                    "a picture needs 1 to 8192 pixels a side and a field of view of 0 to 180 degrees",
                )
            })?;
        if !(-0.5..=0.5).contains(&self.after_noon) {
            return Err(Fault::argument(format!(
                "after_noon is {} days; it must be -0.5 to 0.5",
                self.after_noon
            )));
        }
        if self.player != 0 {
            return player(sim, entity(self.player)?, &lens);
        }
        if !self.pitch.is_finite() {
            return Err(Fault::argument("a pitch is NaN, infinite or out of range"));
        }
        let mut place = self.place.check()?;
        if self.pitch != 0.0 {
            place.frame = Frame::new(place.frame.origin, orientation(place.frame.heading(), self.pitch));
        }
        if sim.world().cell(place.cell).is_none() {
            return Err(Fault::not_found(format_args!("loaded cell {}", place.cell)));
        }
        let viewer = match self.seat {
            0 => sim.viewer_above(&place, &lens),
            1 => Viewer { position: place, lens, player_cell: place.cell },
            other => return Err(Fault::argument(format!("unknown seat {other}"))),
        };
        Ok(Camera { viewer, player: None, feet: place })
    }
}

fn player(sim: &Simulation, key: EntityKey, lens: &Lens) -> Result<Camera, Fault> {
    sim.entity(key)?;
    let feet = sim.drawn_position(key)?;
    let eyeless =
        || Fault::new(crate::ThStatus::NotPossible, "the player has no camera yet; advance the world first");
    let viewer = sim.viewer(key, lens).ok_or_else(eyeless)?;
    Ok(Camera { viewer, player: Some(key), feet })
}
