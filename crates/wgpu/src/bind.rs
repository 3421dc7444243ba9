//! Bind groups: which buffers stand behind a shader's bindings.

use std::sync::Arc;

use wgpu::hal;

use crate::buffer::{self, Buffer, Range};
use crate::never::{Never, Unused};

/// The bindings of a group that are buffers, by number.
#[derive(Debug)]
pub(crate) struct Layout {
    buffers: Vec<Slot>,
}

#[derive(Debug, Clone, Copy)]
struct Slot {
    binding: u32,
    /// Its offset is given when the group is set.
    dynamic: bool,
}

impl Layout {
    pub(crate) fn new(desc: &hal::BindGroupLayoutDescriptor<'_>) -> Self {
        let slot = |entry: &wgpu::BindGroupLayoutEntry| match entry.ty {
            wgpu::BindingType::Buffer { has_dynamic_offset: dynamic, .. } => {
                Some(Slot { binding: entry.binding, dynamic })
            }
            wgpu::BindingType::Sampler(_)
            | wgpu::BindingType::Texture { .. }
            | wgpu::BindingType::StorageTexture { .. }
            | wgpu::BindingType::AccelerationStructure { .. }
            | wgpu::BindingType::ExternalTexture => None,
        };
        let mut buffers: Vec<Slot> = desc.entries.iter().filter_map(slot).collect();
        buffers.sort_by_key(|slot| slot.binding);
        Self { buffers }
    }
}

/// The buffers of a group, by binding.
#[derive(Debug, Clone)]
pub(crate) struct Group(Arc<[Entry]>);

#[derive(Debug)]
struct Entry {
    binding: u32,
    range: Range,
    /// Which of the dynamic offsets is added.
    dynamic: Option<usize>,
}

type Descriptor<'a> = hal::BindGroupDescriptor<'a, Layout, Buffer, Unused, Never, Never>;

impl Group {
    pub(crate) fn new(desc: &Descriptor<'_>) -> Self {
        let mut dynamics = 0..;
        let entries = desc.layout.buffers.iter().filter_map(|slot| {
            // Offsets are given for every dynamic binding of the layout, in the order of their numbers.
            let dynamic = if slot.dynamic { dynamics.next() } else { None };
            let entry = desc.entries.iter().find(|entry| entry.binding == slot.binding)?;
            let range = buffer::bound(&desc.buffers[entry.resource_index as usize]);
            Some(Entry { binding: slot.binding, range, dynamic })
        });
        Self(entries.collect())
    }

    /// What stands behind a binding, with these dynamic offsets.
    pub(crate) fn range(&self, binding: u32, offsets: &[wgpu::DynamicOffset]) -> Option<Range> {
        let entry = &self.0[self.0.binary_search_by_key(&binding, |entry| entry.binding).ok()?];
        let mut range = entry.range.clone();
        if let Some(at) = entry.dynamic {
            range.offset += u64::from(*offsets.get(at)?);
        }
        Some(range)
    }
}
