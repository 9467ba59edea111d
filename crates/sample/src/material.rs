//! Materials of surfaces.

use crate::{
    source::Picture,
    store::Store,
    texture::{Encoded, Image, encode},
};
use glam::{DVec2, DVec3};
use threshold_dat::{
    DatId, RecordError,
    records::{Color, DatRecord, PixelFormat, Surface, SurfaceBase, SurfaceTexture},
};

/// A material of a [`Materials`] list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Skin(u16);

impl Skin {
    /// Fills openings. It has no texture, so shells and cells do not draw it. Spec: render-data §3.6.
    pub const OPENING: Skin = Skin(0);

    /// The number by which interior cells name it.
    pub fn number(self) -> u16 {
        self.surface().0 as u16
    }

    /// Its Surface record.
    pub fn surface(self) -> DatId {
        DatId(0x0800_0001 + u32::from(self.0))
    }
}

/// How a texture is blended with what is behind it. Spec: render-data §3.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Blend {
    /// Hides it.
    Opaque,
    /// Holes where the picture is transparent.
    Clip,
    /// Shows it by this much everywhere.
    Translucent(f32),
    /// By the picture's own opacity.
    Alpha,
    /// Adds light to it, by the picture's own opacity.
    Glow,
}

type Paint = Box<dyn Fn() -> Image + Send + Sync>;

struct Texture {
    paint: Paint,
    format: PixelFormat,
    ids: TextureIds,
}

#[derive(Clone, Copy)]
struct TextureIds {
    texture: DatId,
    surface: DatId,
    palette: Option<DatId>,
}

struct Material {
    surface: Surface,
    /// Metres that one repeat of the texture covers.
    repeat: DVec2,
}

/// All materials and textures of a world. Pictures are painted when everything is stored.
pub struct Materials {
    materials: Vec<Material>,
    textures: Vec<Texture>,
    palettes: u32,
}

impl Default for Materials {
    fn default() -> Self {
        let mut materials = Materials { materials: Vec::new(), textures: Vec::new(), palettes: 0 };
        materials.color([0, 0, 0]);
        materials
    }
}

impl Materials {
    /// A texture; returns its SurfaceTexture.
    pub fn texture(
        &mut self,
        format: PixelFormat,
        paint: impl Fn() -> Image + Send + Sync + 'static,
    ) -> DatId {
        let number = self.textures.len() as u32 + 1;
        let palette = format.has_palette().then(|| {
            self.palettes += 1;
            DatId(0x0400_0000 + self.palettes)
        });
        let ids = TextureIds {
            texture: DatId(0x0500_0000 + number),
            surface: DatId(0x0600_0000 + number),
            palette,
        };
        self.textures.push(Texture { paint: Box::new(paint), format, ids });
        ids.texture
    }

    /// A material of one colour. Shells and cells do not draw it; ordinary objects do.
    pub fn color(&mut self, [red, green, blue]: [u8; 3]) -> Skin {
        let base = SurfaceBase::Solid(Color { red, green, blue, alpha: 255 });
        self.push(
            Surface { flags: Surface::BASE_SOLID, base, translucency: 0.0, luminosity: 0.0, diffuse: 1.0 },
            1.0,
        )
    }

    /// A material with a texture that repeats every `repeat` metres and gives off `luminosity` (0…1) light of its own.
    pub fn image(&mut self, texture: DatId, repeat: f64, blend: Blend, luminosity: f32) -> Skin {
        let palette = self.textures.iter().find(|t| t.ids.texture == texture).and_then(|t| t.ids.palette);
        let (flags, translucency) = match blend {
            Blend::Opaque => (Surface::BASE_IMAGE, 0.0),
            Blend::Clip => (Surface::BASE_CLIP_MAP, 0.0),
            Blend::Translucent(by) => (Surface::BASE_IMAGE | Surface::TRANSLUCENT, by),
            Blend::Alpha => (Surface::BASE_IMAGE | Surface::ALPHA, 0.0),
            Blend::Glow => (Surface::BASE_IMAGE | Surface::ALPHA | Surface::ADDITIVE, 0.0),
        };
        let luminous = if luminosity > 0.0 { Surface::LUMINOUS } else { 0 };
        let base = SurfaceBase::Image { texture, palette: palette.unwrap_or_default() };
        self.push(Surface { flags: flags | luminous, base, translucency, luminosity, diffuse: 1.0 }, repeat)
    }

    fn push(&mut self, surface: Surface, repeat: f64) -> Skin {
        self.materials.push(Material { surface, repeat: DVec2::splat(repeat) });
        Skin((self.materials.len() - 1) as u16)
    }

    /// Texture coordinates that lay a material flat on a polygon: upright on walls, northward on floors.
    pub fn flat_uvs(&self, skin: Skin, normal: DVec3, points: &[DVec3]) -> Vec<DVec2> {
        let across = DVec3::new(-normal.y, normal.x, 0.0).try_normalize().unwrap_or(DVec3::X);
        let (u, v) =
            if normal.z.abs() > 0.95 { (DVec3::X, -DVec3::Y) } else { (across, -normal.cross(across)) };
        let repeat = self.materials.get(usize::from(skin.0)).map_or(DVec2::ONE, |m| m.repeat);
        let uvs: Vec<DVec2> = points.iter().map(|&p| DVec2::new(p.dot(u), p.dot(v)) / repeat).collect();
        // Whole repeats more or less look the same; small numbers keep their precision.
        let whole = uvs.iter().fold(DVec2::INFINITY, |low, &uv| low.min(uv)).floor();
        uvs.into_iter().map(|uv| uv - whole).collect()
    }

    /// Paints and stores everything.
    pub fn store(&self, store: &mut Store) -> Result<(), RecordError> {
        self.store_unpainted(store)?;
        for picture in self.paint_all() {
            picture?.into_iter().for_each(|(id, bytes)| store.put_portal(id, bytes));
        }
        Ok(())
    }

    /// Stores everything but the pictures.
    pub(crate) fn store_unpainted(&self, store: &mut Store) -> Result<(), RecordError> {
        for (i, material) in self.materials.iter().enumerate() {
            store.put(Skin(i as u16).surface(), &material.surface)?;
        }
        for Texture { ids, .. } in &self.textures {
            let levels = vec![ids.surface];
            store.put(ids.texture, &SurfaceTexture { category: 7, texture_type: 2, levels })?;
        }
        Ok(())
    }

    /// Number of textures.
    pub(crate) fn texture_count(&self) -> usize {
        self.textures.len()
    }

    /// Ids of the records that painting a texture makes.
    pub(crate) fn picture_ids(&self, texture: usize) -> impl Iterator<Item = DatId> + use<> {
        let TextureIds { surface, palette, .. } = self.textures[texture].ids;
        palette.into_iter().chain([surface])
    }

    /// Paints the picture of a texture.
    pub(crate) fn paint(&self, texture: usize) -> Result<Picture, RecordError> {
        let Texture { paint, format, ids } = &self.textures[texture];
        let Encoded { surface: mut pixels, palette: colors } = encode(&paint(), *format);
        let mut records = Vec::new();
        if let (Some(id), Some(colors)) = (ids.palette, colors) {
            pixels.palette = Some(id);
            records.push((id, colors.encode(id)?));
        }
        records.push((ids.surface, pixels.encode(ids.surface)?));
        Ok(records)
    }

    /// Paints on all processors; the result does not depend on how many there are.
    pub(crate) fn paint_all(&self) -> Vec<Result<Picture, RecordError>> {
        let next = std::sync::atomic::AtomicUsize::new(0);
        let workers = std::thread::available_parallelism().map_or(1, usize::from).min(8);
        let work = || {
            let mut done = Vec::new();
            loop {
                let i = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                if i >= self.textures.len() {
                    return done;
                }
                done.push((i, self.paint(i)));
            }
        };
        let mut painted: Vec<(usize, Result<Picture, RecordError>)> = std::thread::scope(|scope| {
            let threads: Vec<_> = (1..workers).map(|_| scope.spawn(work)).collect();
            let mut all = work();
            for thread in threads {
                // A panic while painting is a defect of the painter; let it show.
                all.extend(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
            all
        });
        painted.sort_by_key(|(i, _)| *i);
        painted.into_iter().map(|(_, picture)| picture).collect()
    }
}
