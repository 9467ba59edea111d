//! Textures on the device: those of one size lie in the layers of one array.

use super::Gpu;
use crate::{
    assets::{Assets, SUBSTITUTE},
    raster::TextureIndex,
    texture::Texture,
};

/// Layers of an array at most; every device has that many.
const MAX_LAYERS: u32 = 256;
/// Bytes that a new array takes at most, unless it needs more for [`MIN_LAYERS`].
const FIRST_BYTES: u64 = 4 << 20;
/// Arrays begin with two layers and double: a single layer, or six, would be another kind of texture to OpenGL.
const MIN_LAYERS: u32 = 2;

/// Where a texture lies.
#[derive(Clone, Copy)]
pub(super) struct Slot {
    pub(super) array: u16,
    pub(super) layer: u16,
}

/// Textures of one size.
struct Array {
    size: (u32, u32),
    levels: u32,
    texture: wgpu::Texture,
    layers: u32,
    used: u32,
    /// Layers whose textures are gone.
    spare: Vec<u16>,
    bind_group: wgpu::BindGroup,
}

/// All textures that were drawn so far.
pub(super) struct Textures {
    layout: wgpu::BindGroupLayout,
    repeating: wgpu::Sampler,
    clamping: wgpu::Sampler,
    arrays: Vec<Array>,
    /// By index, with the version that lies there.
    slots: Vec<Option<(u32, Slot)>>,
    max_side: u32,
}

impl Textures {
    pub(super) fn new(gpu: &Gpu) -> Textures {
        let visibility = wgpu::ShaderStages::FRAGMENT;
        let sampler = |binding| wgpu::BindGroupLayoutEntry {
            binding,
            visibility,
            ty: wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering),
            count: None,
        };
        let array = |binding| wgpu::BindGroupLayoutEntry {
            binding,
            visibility,
            ty: wgpu::BindingType::Texture {
                sample_type: wgpu::TextureSampleType::Float { filterable: true },
                view_dimension: wgpu::TextureViewDimension::D2Array,
                multisampled: false,
            },
            count: None,
        };
        let layout = gpu.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("textures"),
            entries: &[array(0), sampler(1), array(2), sampler(3)],
        });
        let trilinear = |mode| {
            gpu.device.create_sampler(&wgpu::SamplerDescriptor {
                address_mode_u: mode,
                address_mode_v: mode,
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                mipmap_filter: wgpu::MipmapFilterMode::Linear,
                ..wgpu::SamplerDescriptor::default()
            })
        };
        Textures {
            layout,
            repeating: trilinear(wgpu::AddressMode::Repeat),
            clamping: trilinear(wgpu::AddressMode::ClampToEdge),
            arrays: Vec::new(),
            slots: Vec::new(),
            max_side: gpu.device.limits().max_texture_dimension_2d,
        }
    }

    pub(super) fn layout(&self) -> &wgpu::BindGroupLayout {
        &self.layout
    }

    /// What to bind for an array.
    pub(super) fn bind_group(&self, array: u16) -> &wgpu::BindGroup {
        &self.arrays[usize::from(array)].bind_group
    }

    /// Where a texture lies, brought to the device when it is new.
    #[inline]
    pub(super) fn locate(&mut self, gpu: &Gpu, assets: &Assets, index: TextureIndex) -> Slot {
        let index = if (index as usize) < assets.texture_count() { index } else { SUBSTITUTE };
        let version = assets.texture_version(index);
        match self.slots.get(index as usize).copied().flatten() {
            Some((own, slot)) if own == version => slot,
            outdated => {
                if let Some((_, Slot { array, layer })) = outdated {
                    self.arrays[usize::from(array)].spare.push(layer);
                }
                self.upload(gpu, assets.texture(index), index, version)
            }
        }
    }

    fn upload(&mut self, gpu: &Gpu, texture: &Texture, index: TextureIndex, version: u32) -> Slot {
        // The finest levels are left out when the device has no textures that large.
        let fits = |level: &usize| texture.level(*level).is_some_and(|(w, h, _)| w.max(h) <= self.max_side);
        let finest = (0..texture.level_count()).find(fits).unwrap_or(0);
        let (width, height, _) = texture.level(finest).unwrap_or((1, 1, &[0]));
        let levels = (texture.level_count() - finest) as u32;
        let slot = self.make_room(gpu, (width, height), levels);
        let array = &self.arrays[usize::from(slot.array)];
        for level in 0..levels {
            let Some((width, height, texels)) = texture.level(finest + level as usize) else { break };
            gpu.queue.write_texture(
                wgpu::TexelCopyTextureInfo {
                    texture: &array.texture,
                    mip_level: level,
                    origin: wgpu::Origin3d { x: 0, y: 0, z: u32::from(slot.layer) },
                    aspect: wgpu::TextureAspect::All,
                },
                // Texels are packed with red in the lowest byte; a word in memory begins with that byte.
                bytemuck::cast_slice(texels),
                wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(width * 4),
                    rows_per_image: Some(height),
                },
                wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            );
        }
        if self.slots.len() <= index as usize {
            self.slots.resize(index as usize + 1, None);
        }
        self.slots[index as usize] = Some((version, slot));
        slot
    }

    fn make_room(&mut self, gpu: &Gpu, size: (u32, u32), levels: u32) -> Slot {
        let mut fitting = self.arrays.iter_mut().zip(0..).filter(|(array, _)| array.size == size);
        let spare = fitting.find_map(|(array, place)| Some(Slot { array: place, layer: array.spare.pop()? }));
        if let Some(slot) = spare {
            return slot;
        }
        let open = self.arrays.iter().rposition(|array| array.size == size);
        let place = match open {
            Some(i) if self.arrays[i].used < self.arrays[i].layers => i,
            Some(i) if self.arrays[i].layers < MAX_LAYERS => {
                self.grow(gpu, i);
                i
            }
            _ => {
                let bytes = u64::from(size.0) * u64::from(size.1) * 4 * 4 / 3;
                let fitting = (FIRST_BYTES / bytes.max(1)).min(u64::from(MAX_LAYERS / 4)) as u32;
                // A power of two, for the sake of OpenGL.
                let layers = (fitting.max(MIN_LAYERS) + 1).next_power_of_two() / 2;
                let texture = self.create(gpu, size, levels, layers);
                let bind_group = self.bind(gpu, &texture);
                self.arrays.push(Array {
                    size,
                    levels,
                    texture,
                    layers,
                    used: 0,
                    spare: Vec::new(),
                    bind_group,
                });
                self.arrays.len() - 1
            }
        };
        let array = &mut self.arrays[place];
        array.used += 1;
        Slot { array: place as u16, layer: (array.used - 1) as u16 }
    }

    /// Doubles an array.
    fn grow(&mut self, gpu: &Gpu, index: usize) {
        let Array { size, levels, layers, .. } = self.arrays[index];
        let texture = self.create(gpu, size, levels, layers * 2);
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        for level in 0..levels {
            let whole = |texture| wgpu::TexelCopyTextureInfo {
                texture,
                mip_level: level,
                origin: wgpu::Origin3d::ZERO,
                aspect: wgpu::TextureAspect::All,
            };
            let extent = wgpu::Extent3d {
                width: (size.0 >> level).max(1),
                height: (size.1 >> level).max(1),
                depth_or_array_layers: layers,
            };
            encoder.copy_texture_to_texture(whole(&self.arrays[index].texture), whole(&texture), extent);
        }
        gpu.queue.submit([encoder.finish()]);
        let bind_group = self.bind(gpu, &texture);
        let array = &mut self.arrays[index];
        (array.texture, array.bind_group, array.layers) = (texture, bind_group, layers * 2);
    }

    fn create(&self, gpu: &Gpu, size: (u32, u32), levels: u32, layers: u32) -> wgpu::Texture {
        gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("textures of one size"),
            size: wgpu::Extent3d { width: size.0, height: size.1, depth_or_array_layers: layers },
            mip_level_count: levels,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba8Unorm,
            usage: wgpu::TextureUsages::TEXTURE_BINDING
                | wgpu::TextureUsages::COPY_DST
                | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        })
    }

    fn bind(&self, gpu: &Gpu, texture: &wgpu::Texture) -> wgpu::BindGroup {
        let view = texture.create_view(&wgpu::TextureViewDescriptor {
            dimension: Some(wgpu::TextureViewDimension::D2Array),
            ..wgpu::TextureViewDescriptor::default()
        });
        let entry = |binding, resource| wgpu::BindGroupEntry { binding, resource };
        gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("textures of one size"),
            layout: &self.layout,
            entries: &[
                entry(0, wgpu::BindingResource::TextureView(&view)),
                entry(1, wgpu::BindingResource::Sampler(&self.repeating)),
                entry(2, wgpu::BindingResource::TextureView(&view)),
                entry(3, wgpu::BindingResource::Sampler(&self.clamping)),
            ],
        })
    }
}
