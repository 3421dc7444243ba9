//! Records commands. Bindings are looked up when a dispatch is recorded, so that a command names all that it uses.

use std::ops::Range;
use std::sync::Arc;

use seawall_core::program;
use seawall_core::program::texture::SHAPES;
use wgpu::hal::{self, DeviceError};

use crate::Api;
use crate::bind::Group;
use crate::buffer::{self, Buffer};
use crate::command::{self, Bound, Command, Dispatch, Grid};
use crate::copy::{self, Copy, Piece};
use crate::never::{Never, Unused};
use crate::pipeline::Pipeline;
use crate::query;
use crate::texture::{Texture, View};

/// Bytes of the grid that an indirect dispatch reads.
const GRID_BYTES: u64 = 12;

#[derive(Debug, Default)]
pub(crate) struct Encoder {
    commands: Vec<Command>,
    pipeline: Option<Pipeline>,
    /// By index, with its dynamic offsets.
    groups: [Option<(Group, Vec<wgpu::DynamicOffset>)>; hal::MAX_BIND_GROUPS],
    immediates: Vec<u8>,
    /// What the end of the pass notes the time in.
    end: Option<(query::Set, u32)>,
}

impl Encoder {
    fn stamp(&mut self, set: &query::Set, at: u32) {
        self.commands.push(Command::Stamp { set: set.clone(), at });
    }

    fn dispatch(&mut self, grid: Grid) {
        let pipeline = self.pipeline.clone().expect("invariant pipeline-set: wgpu has checked that there is one");
        let bytes = pipeline.immediate_bytes();
        if self.immediates.len() < bytes {
            self.immediates.resize(bytes, 0);
        }
        let group = |group: u32| self.groups.get(group as usize)?.as_ref();
        let rows = &pipeline.kernel().buffers;
        let range = |row: &program::Buffer| {
            if row.immediate || row.name == SHAPES {
                return None;
            }
            let (group, offsets) = group(row.group)?;
            group.range(row.binding, offsets)
        };
        let ranges: Vec<Option<buffer::Range>> = rows.iter().map(range).collect();
        let view = |at, binding| group(at)?.0.view(binding);
        let sampler = |at, binding| group(at)?.0.sampler(binding);
        let (kernel, shapes) = pipeline
            .bound(&ranges, view, sampler)
            .unwrap_or_else(|misfit| unreachable!("invariant views-fit: wgpu has checked them: {misfit}"));
        let bound = rows.iter().zip(ranges).map(|(row, range)| match range {
            Some(range) => Bound::Range(range),
            None if row.immediate => Bound::Told(self.immediates[..bytes].into()),
            None if row.name == SHAPES => Bound::Told(shapes.as_slice().into()),
            None => unreachable!("invariant groups-set: wgpu has checked that `{}` is bound", row.name),
        });
        let bound = bound.collect();
        self.commands.push(Command::Dispatch(Dispatch { kernel, grid, bound }));
    }
}

/// There is nothing to draw on, so that no pass begins.
fn no_pass() -> ! {
    unreachable!("invariant no-render: no texture can be drawn on")
}

impl hal::CommandEncoder for Encoder {
    type A = Api;

    unsafe fn begin_encoding(&mut self, _: hal::Label<'_>) -> Result<(), DeviceError> {
        Ok(())
    }

    unsafe fn discard_encoding(&mut self) {
        *self = Self::default();
    }

    unsafe fn end_encoding(&mut self) -> Result<command::Buffer, DeviceError> {
        Ok(command::Buffer(Arc::new(std::mem::take(self).commands)))
    }

    unsafe fn reset_all<I>(&mut self, _: I)
    where
        I: Iterator<Item = command::Buffer>,
    {
    }

    unsafe fn transition_buffers<'a, T>(&mut self, mut barriers: T)
    where
        T: Iterator<Item = hal::BufferBarrier<'a, Buffer>>,
    {
        if barriers.next().is_some() {
            self.commands.push(Command::Barrier);
        }
    }

    unsafe fn transition_textures<'a, T>(&mut self, mut barriers: T)
    where
        T: Iterator<Item = hal::TextureBarrier<'a, Texture>>,
    {
        if barriers.next().is_some() {
            self.commands.push(Command::Barrier);
        }
    }

    unsafe fn clear_buffer(&mut self, buffer: &Buffer, range: hal::MemoryRange) {
        self.commands.push(Command::Clear(buffer.range(range.start, range.end - range.start)));
    }

    unsafe fn copy_buffer_to_buffer<T>(&mut self, from: &Buffer, to: &Buffer, regions: T)
    where
        T: Iterator<Item = hal::BufferCopy>,
    {
        let piece = |region: hal::BufferCopy| Piece {
            from: region.src_offset,
            to: region.dst_offset,
            bytes: region.size.get(),
        };
        let pieces = regions.map(piece).collect();
        let plain = copy::Plain { from: from.clone(), to: to.clone(), pieces };
        self.commands.push(Command::Copy(Copy::Plain(plain)));
    }

    unsafe fn copy_texture_to_texture<T>(&mut self, from: &Texture, _: wgpu::TextureUses, to: &Texture, regions: T)
    where
        T: Iterator<Item = hal::TextureCopy>,
    {
        self.commands.push(Command::Copy(Copy::Plain(copy::textures(from, to, regions))));
    }

    unsafe fn copy_buffer_to_texture<T>(&mut self, from: &Buffer, to: &Texture, regions: T)
    where
        T: Iterator<Item = hal::BufferTextureCopy>,
    {
        self.commands.push(Command::Copy(copy::with_buffer(to, from, true, regions)));
    }

    unsafe fn copy_texture_to_buffer<T>(&mut self, from: &Texture, _: wgpu::TextureUses, to: &Buffer, regions: T)
    where
        T: Iterator<Item = hal::BufferTextureCopy>,
    {
        self.commands.push(Command::Copy(copy::with_buffer(from, to, false, regions)));
    }

    unsafe fn set_bind_group(&mut self, _: &Unused, index: u32, group: &Group, offsets: &[wgpu::DynamicOffset]) {
        self.groups[index as usize] = Some((group.clone(), offsets.to_vec()));
    }

    unsafe fn set_immediates(&mut self, _: &Unused, offset_bytes: u32, data: &[u32]) {
        let (start, end) = (offset_bytes as usize, offset_bytes as usize + size_of_val(data));
        if self.immediates.len() < end {
            self.immediates.resize(end, 0);
        }
        for (to, word) in self.immediates[start..end].chunks_exact_mut(4).zip(data) {
            to.copy_from_slice(&word.to_ne_bytes());
        }
    }

    unsafe fn insert_debug_marker(&mut self, _: &str) {}

    unsafe fn begin_debug_marker(&mut self, _: &str) {}

    unsafe fn end_debug_marker(&mut self) {}

    unsafe fn begin_query(&mut self, _: &query::Set, _: u32) {
        no_pass()
    }

    unsafe fn end_query(&mut self, _: &query::Set, _: u32) {
        no_pass()
    }

    unsafe fn write_timestamp(&mut self, set: &query::Set, at: u32) {
        self.stamp(set, at);
    }

    unsafe fn reset_queries(&mut self, set: &query::Set, range: Range<u32>) {
        self.commands.push(Command::Reset { set: set.clone(), range });
    }

    unsafe fn copy_query_results(
        &mut self,
        set: &query::Set,
        range: Range<u32>,
        to: &Buffer,
        offset: wgpu::BufferAddress,
        stride: wgpu::BufferSize,
    ) {
        let to = to.range(offset, stride.get() * u64::from(range.end - range.start));
        self.commands.push(Command::Resolve { set: set.clone(), range, to, stride: stride.get() });
    }

    unsafe fn begin_compute_pass(&mut self, desc: &hal::ComputePassDescriptor<'_, query::Set>) {
        if let Some(writes) = &desc.timestamp_writes {
            if let Some(at) = writes.beginning_of_pass_write_index {
                self.stamp(writes.query_set, at);
            }
            self.end = writes.end_of_pass_write_index.map(|at| (writes.query_set.clone(), at));
        }
    }

    unsafe fn end_compute_pass(&mut self) {
        if let Some((set, at)) = self.end.take() {
            self.stamp(&set, at);
        }
    }

    unsafe fn set_compute_pipeline(&mut self, pipeline: &Pipeline) {
        self.pipeline = Some(pipeline.clone());
    }

    unsafe fn dispatch_workgroups(&mut self, count: [u32; 3]) {
        self.dispatch(Grid::Given(count));
    }

    unsafe fn dispatch_workgroups_indirect(&mut self, buffer: &Buffer, offset: wgpu::BufferAddress) {
        self.dispatch(Grid::Found(buffer.range(offset, GRID_BYTES)));
    }

    // What follows is for drawing and tracing, and cannot be reached: no texture to draw on, no pipeline for it and
    // no acceleration structure is ever made.

    unsafe fn begin_render_pass(
        &mut self,
        _: &hal::RenderPassDescriptor<'_, query::Set, View>,
    ) -> Result<(), DeviceError> {
        no_pass()
    }

    unsafe fn end_render_pass(&mut self) {
        no_pass()
    }

    unsafe fn set_render_pipeline(&mut self, pipeline: &Never) {
        match *pipeline {}
    }

    unsafe fn set_index_buffer<'a>(&mut self, _: hal::BufferBinding<'a, Buffer>, _: wgpu::IndexFormat) {
        no_pass()
    }

    unsafe fn set_vertex_buffer<'a>(&mut self, _: u32, _: hal::BufferBinding<'a, Buffer>) {
        no_pass()
    }

    unsafe fn set_viewport(&mut self, _: &hal::Rect<f32>, _: Range<f32>) {
        no_pass()
    }

    unsafe fn set_scissor_rect(&mut self, _: &hal::Rect<u32>) {
        no_pass()
    }

    unsafe fn set_stencil_reference(&mut self, _: u32) {
        no_pass()
    }

    unsafe fn set_blend_constants(&mut self, _: &[f32; 4]) {
        no_pass()
    }

    unsafe fn draw(&mut self, _: u32, _: u32, _: u32, _: u32) {
        no_pass()
    }

    unsafe fn draw_indexed(&mut self, _: u32, _: u32, _: i32, _: u32, _: u32) {
        no_pass()
    }

    unsafe fn draw_indirect(&mut self, _: &Buffer, _: wgpu::BufferAddress, _: u32) {
        no_pass()
    }

    unsafe fn draw_indexed_indirect(&mut self, _: &Buffer, _: wgpu::BufferAddress, _: u32) {
        no_pass()
    }

    unsafe fn draw_indirect_count(
        &mut self,
        _: &Buffer,
        _: wgpu::BufferAddress,
        _: &Buffer,
        _: wgpu::BufferAddress,
        _: u32,
    ) {
        no_pass()
    }

    unsafe fn draw_indexed_indirect_count(
        &mut self,
        _: &Buffer,
        _: wgpu::BufferAddress,
        _: &Buffer,
        _: wgpu::BufferAddress,
        _: u32,
    ) {
        no_pass()
    }

    unsafe fn draw_mesh_tasks(&mut self, _: u32, _: u32, _: u32) {
        no_pass()
    }

    unsafe fn draw_mesh_tasks_indirect(&mut self, _: &Buffer, _: wgpu::BufferAddress, _: u32) {
        no_pass()
    }

    unsafe fn draw_mesh_tasks_indirect_count(
        &mut self,
        _: &Buffer,
        _: wgpu::BufferAddress,
        _: &Buffer,
        _: wgpu::BufferAddress,
        _: u32,
    ) {
        no_pass()
    }

    unsafe fn begin_ray_tracing_pass(&mut self, _: &hal::RayTracingPassDescriptor<'_>) {
        no_pass()
    }

    unsafe fn end_ray_tracing_pass(&mut self) {
        no_pass()
    }

    unsafe fn set_ray_tracing_pipeline(&mut self, pipeline: &Never) {
        match *pipeline {}
    }

    unsafe fn trace_rays<'a>(
        &mut self,
        _: [u32; 3],
        _: hal::PipelineGroupData<'a, Buffer>,
        _: hal::PipelineGroupData<'a, Buffer>,
        _: hal::PipelineGroupData<'a, Buffer>,
    ) {
        no_pass()
    }

    unsafe fn build_acceleration_structures<'a, T>(&mut self, _: u32, _: T)
    where
        T: IntoIterator<Item = hal::BuildAccelerationStructureDescriptor<'a, Buffer, Never>>,
    {
        no_pass()
    }

    unsafe fn place_acceleration_structure_barrier(&mut self, _: hal::AccelerationStructureBarrier) {
        no_pass()
    }

    unsafe fn copy_acceleration_structure_to_acceleration_structure(
        &mut self,
        from: &Never,
        _: &Never,
        _: wgpu_types::AccelerationStructureCopy,
    ) {
        match *from {}
    }

    unsafe fn read_acceleration_structure_compact_size(&mut self, of: &Never, _: &Buffer) {
        match *of {}
    }

    unsafe fn set_acceleration_structure_dependencies(_: &[&command::Buffer], _: &[&Never]) {}
}
