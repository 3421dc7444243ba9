//! Textures: buffers of texels, and what of them a shader sees.
//!
//! Texels lie as kernels want them (`seawall_core::texture`): row after row, layer after layer, level after level. A
//! level starts where a buffer can be bound, so that one may be read while another is written. A view is some levels
//! and layers of a texture; where those start is told to the kernel with its shape.

use std::borrow::Borrow;
use std::ops;

use seawall_core::schedule::BINDING_ALIGN_BYTES;
use seawall_core::texture::{self, Address, BYTES_MAX, Dim, Filter, Shape};
use wgpu::hal;

use crate::buffer::{Buffer, Range};
use crate::format;
use crate::never::Never;

/// Where texels lie: all of a texture, without them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Layout {
    /// Of all layers.
    shape: Shape,
}

impl Layout {
    /// `None` if the device cannot have so many texels.
    pub(crate) fn new(desc: &hal::TextureDescriptor<'_>) -> Option<Self> {
        let wgpu::Extent3d { width, height, depth_or_array_layers } = desc.size;
        let dim = match desc.dimension {
            wgpu::TextureDimension::D1 => Dim::D1,
            wgpu::TextureDimension::D2 => Dim::D2Array,
            wgpu::TextureDimension::D3 => Dim::D3,
        };
        let shape = Shape::new(dim, format::of(desc.format)?, [width, height, depth_or_array_layers]).ok()?;
        let layout = Self { shape: shape.levels(desc.mip_level_count).ok()? };
        (layout.bytes() <= BYTES_MAX).then_some(layout)
    }

    pub(crate) fn format(&self) -> texture::Format {
        self.shape.format()
    }

    pub(crate) fn texel_bytes(&self) -> u64 {
        u64::from(self.format().words()) * 4
    }

    /// Texels before those of a level.
    fn start(&self, level: u32) -> u64 {
        let unit = BINDING_ALIGN_BYTES / self.texel_bytes();
        let texels = |level| self.shape.level_size(level).map(u64::from).iter().product::<u64>();
        (0..level).map(|before| texels(before).next_multiple_of(unit)).sum()
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.start(self.shape.level_count()) * self.texel_bytes()
    }

    /// Texels before one of a level; `z` is a layer, or a place in depth.
    pub(crate) fn texel(&self, level: u32, [x, y, z]: [u32; 3]) -> u64 {
        let [width, height, _] = self.shape.level_size(level).map(u64::from);
        self.start(level) + (u64::from(z) * height + u64::from(y)) * width + u64::from(x)
    }
}

/// Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Texture {
    pub(crate) texels: Buffer,
    pub(crate) layout: Layout,
}

/// What is shown is never made.
impl Borrow<Texture> for Never {
    fn borrow(&self) -> &Texture {
        match *self {}
    }
}

/// What a shader sees of a texture.
#[derive(Debug, Clone)]
pub(crate) struct View {
    pub(crate) texels: Range,
    /// With its levels from the start of those on. `None` if no kernel can have it: a cube.
    pub(crate) seen: Option<texture::View>,
}

impl View {
    pub(crate) fn new(of: &Texture, desc: &hal::TextureViewDescriptor<'_>) -> Self {
        let layout = of.layout;
        let count = |count: Option<u32>, all: u32, base: u32| count.unwrap_or(all.saturating_sub(base));
        let level = desc.range.base_mip_level;
        let levels = count(desc.range.mip_level_count, layout.shape.level_count(), level);
        let [width, height, depth] = layout.shape.level_size(level);
        let layer = desc.range.base_array_layer;
        let seen = match desc.dimension {
            wgpu::TextureViewDimension::D1 => Some((Dim::D1, [width, 1, 1])),
            wgpu::TextureViewDimension::D2 => Some((Dim::D2, [width, height, 1])),
            wgpu::TextureViewDimension::D2Array => {
                Some((Dim::D2Array, [width, height, count(desc.range.array_layer_count, depth, layer)]))
            }
            wgpu::TextureViewDimension::D3 => Some((Dim::D3, [width, height, depth])),
            wgpu::TextureViewDimension::Cube | wgpu::TextureViewDimension::CubeArray => None,
        };
        let shape = |(dim, size)| Shape::new(dim, layout.format(), size).and_then(|shape| shape.levels(levels)).ok();
        let Some(shape) = seen.and_then(shape) else {
            return Self { texels: of.texels.range(0, of.texels.bytes()), seen: None };
        };
        let start = |on: u32| layout.texel(level + on, [0, 0, layer]);
        let unit = BINDING_ALIGN_BYTES / layout.texel_bytes();
        let first = start(0) / unit * unit;
        let last = levels - 1;
        let end = start(last) + shape.level_size(last).map(u64::from).iter().product::<u64>();
        let ops::Range { start: from, end: to } = first * layout.texel_bytes()..end * layout.texel_bytes();
        // A texture has no more texels than a `u32` counts.
        let seen = texture::View::new(shape, |on| (start(on) - first) as u32);
        Self { texels: of.texels.range(from, to - from), seen: Some(seen) }
    }
}

/// How textures are sampled. What a sampler compares with, and borders, are no feature of this device.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sampler(pub(crate) texture::Sampler);

impl Sampler {
    pub(crate) fn new(desc: &hal::SamplerDescriptor<'_>) -> Self {
        let address = |mode| match mode {
            wgpu::AddressMode::ClampToEdge => Address::ClampToEdge,
            wgpu::AddressMode::Repeat => Address::Repeat,
            wgpu::AddressMode::MirrorRepeat => Address::MirrorRepeat,
            wgpu::AddressMode::ClampToBorder => unreachable!("invariant no-borders: wgpu refuses them"),
        };
        let filter = |mode| match mode {
            wgpu::FilterMode::Nearest => Filter::Nearest,
            wgpu::FilterMode::Linear => Filter::Linear,
        };
        let mip = match desc.mipmap_filter {
            wgpu::MipmapFilterMode::Nearest => Filter::Nearest,
            wgpu::MipmapFilterMode::Linear => Filter::Linear,
        };
        Self(texture::Sampler {
            address: desc.address_modes.map(address),
            mag: filter(desc.mag_filter),
            min: filter(desc.min_filter),
            mip,
            lod_min: desc.lod_clamp.start,
            lod_max: desc.lod_clamp.end,
        })
    }
}
