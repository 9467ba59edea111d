//! How a surface record is drawn: blending, tests, and whether it waits for the transparent lists.
//!
//! Retail: `D3DPolyRender::SetSurface` (0x0059C4D0), `CSurface::InitEnd`. Spec: render-data §3.

use crate::raster::{Blend, Depth, DrawState};
use threshold_dat::records::Surface;

/// Translucency above this makes a surface translucent, whatever its flags say.
const TRANSLUCENT_ABOVE: f32 = 0.0002;

/// When a surface is drawn. Spec: render-data §3.4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum List {
    /// At its turn.
    Now,
    /// With the deferred clip maps.
    Clip,
    /// With the deferred transparent surfaces.
    Alpha,
}

/// The fixed state of a surface, without its texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// State of its draws; addressing is the mesh's business.
    pub state: DrawState,
    /// When it is drawn.
    pub list: List,
    /// It is a clip map.
    pub clip_map: bool,
}

/// Opacity as the byte the original computes from a translucency.
pub fn opacity_byte(translucency: f32) -> u8 {
    // A cast brings negative numbers, too large ones and NaN into range.
    ((1.0 - translucency) * 255.0) as u8
}

impl Style {
    /// The style of a surface; `indexed` says whether its texture is expanded from a palette.
    pub fn new(flags: u32, translucency: f32, indexed: bool) -> Style {
        let has = |flag: u32| flags & flag != 0;
        let (alpha, inverse) = (has(Surface::ALPHA), has(Surface::INVERSE_ALPHA));
        let (additive, clip_map) = (has(Surface::ADDITIVE), has(Surface::BASE_CLIP_MAP));
        let translucent = has(Surface::TRANSLUCENT) || translucency > TRANSLUCENT_ABOVE;
        let mut blend = match (alpha, inverse, additive) {
            (true, _, true) => Blend::AlphaAdditive,
            (true, _, false) => Blend::Alpha,
            (false, true, true) => Blend::InvAlphaAdditive,
            (false, true, false) => Blend::InvAlpha,
            (false, false, true) => Blend::Additive,
            (false, false, false) => Blend::Opaque,
        };
        let mut alpha_ref = 0;
        if clip_map {
            alpha_ref = if indexed { 100 } else { 200 };
            if blend == Blend::Opaque {
                blend = Blend::Clip;
            }
        }
        let mut writes = clip_map || blend == Blend::Opaque;
        if translucent && (clip_map || matches!(blend, Blend::Opaque | Blend::Alpha)) {
            (blend, alpha_ref, writes) = (Blend::Alpha, 0, false);
        }
        let list = if alpha || inverse || additive {
            List::Alpha
        } else if clip_map {
            List::Clip
        } else if translucent {
            List::Alpha
        } else {
            List::Now
        };
        let state = DrawState {
            blend,
            depth: if writes { Depth::TestAndWrite } else { Depth::Test },
            alpha_ref,
            opacity: if translucent { opacity_byte(translucency) } else { 255 },
            fog: !additive,
            ..DrawState::default()
        };
        Style { state, list, clip_map }
    }

    /// The style under a run-time translucency; `None` when it is invisible.
    ///
    /// It replaces the record's opacity instead of multiplying it. Retail: `CMaterial::SetTranslucencySimple`.
    /// Spec: render-data §3.8.
    pub fn faded(mut self, translucency: f32) -> Option<Style> {
        if translucency >= 1.0 {
            return None;
        }
        self.state.opacity = opacity_byte(translucency);
        if translucency > 0.0 && (self.clip_map || self.state.blend == Blend::Opaque) {
            self.state = DrawState { blend: Blend::Alpha, depth: Depth::Test, alpha_ref: 0, ..self.state };
            self.list = if self.clip_map { List::Clip } else { List::Alpha };
        }
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IMAGE: u32 = Surface::BASE_IMAGE;
    const CLIP: u32 = Surface::BASE_CLIP_MAP;

    #[test]
    fn example_8_translucency_decides_with_or_without_the_flag() {
        for flags in [IMAGE, IMAGE | Surface::TRANSLUCENT] {
            let style = Style::new(flags, 0.25, false);
            assert_eq!((style.state.blend, style.state.opacity), (Blend::Alpha, 191));
            assert_eq!((style.state.depth, style.list), (Depth::Test, List::Alpha));
        }
        let barely = Style::new(IMAGE, 0.0002, false);
        assert_eq!((barely.state.blend, barely.state.opacity, barely.list), (Blend::Opaque, 255, List::Now));
        let flagged = Style::new(IMAGE | Surface::TRANSLUCENT, 0.0002, false);
        assert_eq!((flagged.state.blend, flagged.state.opacity), (Blend::Alpha, 254));
    }

    #[test]
    fn example_9_combinations_of_flags() {
        let glow = Style::new(IMAGE | Surface::ALPHA | Surface::ADDITIVE, 0.0, false);
        assert_eq!((glow.state.blend, glow.state.fog, glow.list), (Blend::AlphaAdditive, false, List::Alpha));
        let cut = Style::new(CLIP | Surface::ADDITIVE, 0.0, true);
        assert_eq!((cut.state.blend, cut.state.alpha_ref), (Blend::Additive, 100));
        let soft = Style::new(IMAGE | Surface::ADDITIVE, 0.5, false);
        assert_eq!((soft.state.blend, soft.state.opacity), (Blend::Additive, 127));
        let veil = Style::new(CLIP, 0.5, true);
        assert_eq!((veil.state.blend, veil.state.alpha_ref, veil.list), (Blend::Alpha, 0, List::Clip));
        assert_eq!(veil.state.depth, Depth::Test);
    }

    #[test]
    fn clip_maps_test_alpha_blend_as_premultiplied_and_write_depth() {
        let indexed = Style::new(CLIP, 0.0, true);
        assert_eq!((indexed.state.blend, indexed.state.alpha_ref), (Blend::Clip, 100));
        assert_eq!((indexed.state.depth, indexed.list), (Depth::TestAndWrite, List::Clip));
        assert_eq!(Style::new(CLIP, 0.0, false).state.alpha_ref, 200);
    }

    #[test]
    fn inverse_alpha_keeps_its_factors_when_translucent() {
        let style = Style::new(IMAGE | Surface::INVERSE_ALPHA, 0.5, false);
        assert_eq!((style.state.blend, style.state.depth), (Blend::InvAlpha, Depth::Test));
    }

    #[test]
    fn example_17_a_run_time_translucency_replaces_the_records() {
        let style = Style::new(IMAGE, 0.25, false).faded(0.4).unwrap();
        assert_eq!(style.state.opacity, 153);
        assert_eq!(Style::new(IMAGE, 0.0, false).faded(1.0), None);
        let opaque = Style::new(IMAGE, 0.0, false);
        assert_eq!(opaque.faded(0.0), Some(opaque));
        let leaf = Style::new(CLIP, 0.0, true).faded(0.5).unwrap();
        assert_eq!((leaf.list, leaf.state.alpha_ref, leaf.state.depth), (List::Clip, 0, Depth::Test));
    }
}
