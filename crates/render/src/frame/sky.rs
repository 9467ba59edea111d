//! Sky and weather.

use super::{Pass, SubsetStyle};
use crate::{
    draw::{DrawKind, Lighting, Transform},
    sky::{SkyBody, bodies},
};
use glam::Vec2;
use threshold_dat::DatId;
use threshold_world::{Frame, Quat};

impl Pass<'_> {
    /// The objects of the sky that are drawn before the landscape, or those that are drawn after it.
    /// Retail: `GameSky::Draw`. Spec: render-data §11.3.
    pub(super) fn sky(&mut self, after_landscape: bool) {
        let Some(region) = self.assets.terrain.region().cloned() else { return };
        let atmosphere = self.scene.atmosphere;
        let Some(group) = atmosphere.day_group(Some(&region)) else { return };
        let daylight = &atmosphere.daylight;
        let lighting = self.lighting(Lighting::Sun {
            ambient: daylight.mesh_ambient(),
            sun: daylight.sun,
            sun_color: daylight.sun_color,
        });
        for body in bodies(group, atmosphere.moment.fraction) {
            if body.after_landscape == after_landscape {
                self.body(&body, lighting);
            }
        }
    }

    fn body(&mut self, body: &SkyBody, lighting: u32) {
        let frame = body.frame(self.projection.eye);
        if body.model.0 >> 24 != 0x02 {
            return self.body_part(body.model, &frame, lighting, body);
        }
        let Some(setup) = self.assets.setup(body.model) else { return };
        let pose = setup.placement();
        for (i, &part) in setup.parts.iter().enumerate() {
            let inner = pose.and_then(|pose| pose.parts.get(i)).filter(|f| f.is_placed());
            let inner = inner.map_or(Frame::IDENTITY, |f| {
                Frame::new(glam::Vec3::from_array(f.origin), Quat::from(f.orientation()))
            });
            self.body_part(part, &frame.compose(&inner), lighting, body);
        }
    }

    fn body_part(&mut self, id: DatId, frame: &Frame, lighting: u32, body: &SkyBody) {
        let Some(mesh) = self.assets.model_mesh(id) else { return };
        let moved =
            body.texture_velocity.map(|v| (f64::from(v) * self.scene.atmosphere.seconds).fract() as f32);
        let look = SubsetStyle {
            translucency: body.translucency,
            luminosity: body.luminosity.unwrap_or(0.0),
            diffuse: body.diffuse.unwrap_or(1.0),
            uv_offset: Vec2::from_array(moved),
            what: DrawKind::Sky,
            ..SubsetStyle::new(Transform::new(frame, glam::Vec3::ONE, glam::Vec3::ZERO), lighting)
        };
        self.subsets(mesh, None, &look);
    }
}
