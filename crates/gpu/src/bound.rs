//! Bind groups, kept by the places that they bind. In a loop that swaps its buffers a dispatch is
//! bound to one set of them in one turn and to another in the next.

use std::num::NonZeroU64;

use seawall_core::device::Error;

use crate::fault::Point;
use crate::memory::Place;
use crate::open::Open;

/// Sets of buffers that one dispatch remembers.
const KEPT_MAX: usize = 8;

/// The bind groups of one dispatch, the last made first.
#[derive(Debug, Default)]
pub(crate) struct Bound(Vec<(wgpu::BindGroup, Vec<Place>)>);

impl Bound {
    /// The group for these buffers; made if there is none.
    pub(crate) fn get<'a>(
        &mut self,
        to: impl Iterator<Item = &'a Place> + Clone,
        make: impl FnOnce(&[Place]) -> Result<wgpu::BindGroup, Error>,
    ) -> Result<&wgpu::BindGroup, Error> {
        if let Some(at) = self.0.iter().position(|(_, bound)| bound.iter().eq(to.clone())) {
            return Ok(&self.0[at].0);
        }
        let to: Vec<Place> = to.cloned().collect();
        let group = make(&to)?;
        self.0.truncate(KEPT_MAX - 1);
        self.0.insert(0, (group, to));
        Ok(&self.0[0].0)
    }

    /// Forgets bindings to a buffer that goes.
    pub(crate) fn forget(&mut self, buffer: &wgpu::Buffer) {
        self.0.retain(|(_, to)| to.iter().all(|place| place.raw != *buffer));
    }
}

/// A bind group of ranges: buffer, first byte, bytes.
pub(crate) fn bind(
    open: &Open,
    layout: &wgpu::BindGroupLayout,
    rows: &[(&wgpu::Buffer, u64, u64)],
    what: &str,
) -> Result<wgpu::BindGroup, Error> {
    let entry = |(row, &(buffer, offset, bytes)): (usize, &(_, _, _))| wgpu::BindGroupEntry {
        binding: row as u32,
        resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer, offset, size: NonZeroU64::new(bytes) }),
    };
    let entries: Vec<wgpu::BindGroupEntry<'_>> = rows.iter().enumerate().map(entry).collect();
    let descriptor = wgpu::BindGroupDescriptor { label: None, layout, entries: &entries };
    open.driver.call(Point::Bind, what, 0, || open.driver.raw.create_bind_group(&descriptor))
}
