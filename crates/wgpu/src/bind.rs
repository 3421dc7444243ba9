//! Bind groups: what stands behind a shader's bindings.

use std::sync::Arc;

use wgpu::hal;

use crate::buffer::{self, Buffer, Range};
use crate::never::Never;
use crate::texture::{Sampler, View};

/// The bindings of a group, by number.
#[derive(Debug)]
pub(crate) struct Layout {
    slots: Vec<Slot>,
}

#[derive(Debug, Clone, Copy)]
struct Slot {
    binding: u32,
    kind: Kind,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Buffer {
        /// Its offset is given when the group is set.
        dynamic: bool,
    },
    Texture,
    Sampler,
}

impl Layout {
    pub(crate) fn new(desc: &hal::BindGroupLayoutDescriptor<'_>) -> Self {
        let slot = |entry: &wgpu::BindGroupLayoutEntry| {
            let kind = match entry.ty {
                wgpu::BindingType::Buffer { has_dynamic_offset: dynamic, .. } => Kind::Buffer { dynamic },
                wgpu::BindingType::Texture { .. } | wgpu::BindingType::StorageTexture { .. } => Kind::Texture,
                wgpu::BindingType::Sampler(_) => Kind::Sampler,
                wgpu::BindingType::AccelerationStructure { .. } | wgpu::BindingType::ExternalTexture => return None,
            };
            Some(Slot { binding: entry.binding, kind })
        };
        let mut slots: Vec<Slot> = desc.entries.iter().filter_map(slot).collect();
        slots.sort_by_key(|slot| slot.binding);
        Self { slots }
    }
}

/// What is bound in a group, by binding.
#[derive(Debug, Clone)]
pub(crate) struct Group(Arc<[(u32, Entry)]>);

#[derive(Debug)]
enum Entry {
    Buffer {
        range: Range,
        /// Which of the dynamic offsets is added.
        dynamic: Option<usize>,
    },
    Texture(View),
    Sampler(Sampler),
}

type Descriptor<'a> = hal::BindGroupDescriptor<'a, Layout, Buffer, Sampler, View, Never>;

impl Group {
    pub(crate) fn new(desc: &Descriptor<'_>) -> Self {
        let mut dynamics = 0..;
        let entries = desc.layout.slots.iter().filter_map(|slot| {
            // Offsets are given for every dynamic binding of the layout, in the order of their numbers.
            let dynamic = if let Kind::Buffer { dynamic: true } = slot.kind { dynamics.next() } else { None };
            let entry = desc.entries.iter().find(|entry| entry.binding == slot.binding)?;
            let at = entry.resource_index as usize;
            let entry = match slot.kind {
                Kind::Buffer { .. } => Entry::Buffer { range: buffer::bound(&desc.buffers[at]), dynamic },
                Kind::Texture => Entry::Texture(desc.textures[at].view.clone()),
                Kind::Sampler => Entry::Sampler(*desc.samplers[at]),
            };
            Some((slot.binding, entry))
        });
        Self(entries.collect())
    }

    fn entry(&self, binding: u32) -> Option<&Entry> {
        let at = self.0.binary_search_by_key(&binding, |(binding, _)| *binding).ok()?;
        Some(&self.0[at].1)
    }

    /// The bytes behind a binding that is a buffer, with these dynamic offsets, or a texture.
    pub(crate) fn range(&self, binding: u32, offsets: &[wgpu::DynamicOffset]) -> Option<Range> {
        match self.entry(binding)? {
            Entry::Buffer { range, dynamic } => {
                let mut range = range.clone();
                if let Some(at) = *dynamic {
                    range.offset += u64::from(*offsets.get(at)?);
                }
                Some(range)
            }
            Entry::Texture(view) => Some(view.texels.clone()),
            Entry::Sampler(_) => None,
        }
    }

    pub(crate) fn view(&self, binding: u32) -> Option<&View> {
        match self.entry(binding)? {
            Entry::Texture(view) => Some(view),
            Entry::Buffer { .. } | Entry::Sampler(_) => None,
        }
    }

    pub(crate) fn sampler(&self, binding: u32) -> Option<&Sampler> {
        match self.entry(binding)? {
            Entry::Sampler(sampler) => Some(sampler),
            Entry::Buffer { .. } | Entry::Texture(_) => None,
        }
    }
}
