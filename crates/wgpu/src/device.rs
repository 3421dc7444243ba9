//! The device as wgpu sees it: makes what encoders name, maps memory, waits.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use seawall_core::device::Error;
use wgpu::hal::{self, DeviceError, FenceValue, PipelineError};

use crate::Api;
use crate::bind::{Group, Layout};
use crate::buffer::Buffer;
use crate::encode::Encoder;
use crate::never::{Never, Unused};
use crate::pipeline::{Module, Pipeline};
use crate::pool::Pool;
use crate::query;
use crate::queue::{Fence, Line, Queue};
use crate::texture::{self, Sampler, Texture, View};

pub(crate) struct Device {
    cpu: Arc<seawall_cpu::Device>,
    pool: Pool,
    line: Arc<Line>,
}

impl Device {
    pub(crate) fn new(cpu: Arc<seawall_cpu::Device>, line: Arc<Line>) -> Self {
        Self { pool: Pool::new(cpu.clone()), cpu, line }
    }
}

/// A failure as wgpu has it, which has no words for the rest.
fn failed(error: &Error) -> DeviceError {
    log::error!("{error}");
    match error {
        Error::OutOfMemory { .. } | Error::BufferTooLarge { .. } => DeviceError::OutOfMemory,
        _ => DeviceError::Lost,
    }
}

/// What is asked for only by programs that draw.
fn no_render() -> PipelineError {
    PipelineError::Linkage(wgpu::ShaderStages::NONE, "Seawall's CPU device has compute pipelines only".to_owned())
}

impl hal::Device for Device {
    type A = Api;

    unsafe fn create_buffer(&self, desc: &hal::BufferDescriptor<'_>) -> Result<Buffer, DeviceError> {
        let memory = self.pool.alloc(desc.size).map_err(|error| failed(&error))?;
        Ok(Buffer::new(desc.label.unwrap_or("a buffer"), memory))
    }

    unsafe fn destroy_buffer(&self, _: Buffer) {}

    unsafe fn add_raw_buffer(&self, _: &Buffer) {}

    unsafe fn map_buffer(&self, buffer: &Buffer, range: hal::MemoryRange) -> Result<hal::BufferMapping, DeviceError> {
        let start = self.cpu.address(buffer.memory()).map_err(|error| failed(&error))?;
        assert!(range.start <= buffer.bytes(), "invariant map-range: wgpu has checked that it lies in the buffer");
        // SAFETY: it lies in the buffer, or at its end.
        let ptr = unsafe { start.add(range.start as usize) };
        Ok(hal::BufferMapping { ptr, is_coherent: true })
    }

    unsafe fn unmap_buffer(&self, _: &Buffer) {}

    unsafe fn flush_mapped_ranges<I>(&self, _: &Buffer, _: I)
    where
        I: Iterator<Item = hal::MemoryRange>,
    {
    }

    unsafe fn invalidate_mapped_ranges<I>(&self, _: &Buffer, _: I)
    where
        I: Iterator<Item = hal::MemoryRange>,
    {
    }

    unsafe fn create_texture(&self, desc: &hal::TextureDescriptor<'_>) -> Result<Texture, DeviceError> {
        // Of what wgpu lets through, only its bytes can be too many.
        let layout = texture::Layout::new(desc).ok_or(DeviceError::OutOfMemory)?;
        let memory = self.pool.alloc(layout.bytes()).map_err(|error| failed(&error))?;
        Ok(Texture { texels: Buffer::texels(desc.label.unwrap_or("a texture"), memory), layout })
    }

    unsafe fn destroy_texture(&self, _: Texture) {}

    unsafe fn add_raw_texture(&self, _: &Texture) {}

    unsafe fn create_texture_view(
        &self,
        of: &Texture,
        desc: &hal::TextureViewDescriptor<'_>,
    ) -> Result<View, DeviceError> {
        Ok(View::new(of, desc))
    }

    unsafe fn destroy_texture_view(&self, _: View) {}

    unsafe fn create_sampler(&self, desc: &hal::SamplerDescriptor<'_>) -> Result<Sampler, DeviceError> {
        Ok(Sampler::new(desc))
    }

    unsafe fn destroy_sampler(&self, _: Sampler) {}

    unsafe fn create_command_encoder(
        &self,
        _: &hal::CommandEncoderDescriptor<'_, Queue>,
    ) -> Result<Encoder, DeviceError> {
        Ok(Encoder::default())
    }

    unsafe fn create_bind_group_layout(
        &self,
        desc: &hal::BindGroupLayoutDescriptor<'_>,
    ) -> Result<Layout, DeviceError> {
        Ok(Layout::new(desc))
    }

    unsafe fn destroy_bind_group_layout(&self, _: Layout) {}

    unsafe fn create_pipeline_layout(
        &self,
        _: &hal::PipelineLayoutDescriptor<'_, Layout>,
    ) -> Result<Unused, DeviceError> {
        Ok(Unused)
    }

    unsafe fn destroy_pipeline_layout(&self, _: Unused) {}

    unsafe fn create_bind_group(
        &self,
        desc: &hal::BindGroupDescriptor<'_, Layout, Buffer, Sampler, View, Never>,
    ) -> Result<Group, DeviceError> {
        Ok(Group::new(desc))
    }

    unsafe fn destroy_bind_group(&self, _: Group) {}

    unsafe fn create_shader_module(
        &self,
        _: &hal::ShaderModuleDescriptor<'_>,
        shader: hal::ShaderInput<'_>,
    ) -> Result<Module, hal::ShaderError> {
        match shader {
            hal::ShaderInput::Naga(shader) => Ok(Module::new(shader)),
            hal::ShaderInput::MetalLib { .. }
            | hal::ShaderInput::Msl { .. }
            | hal::ShaderInput::SpirV(_)
            | hal::ShaderInput::Dxil { .. }
            | hal::ShaderInput::Hlsl { .. }
            | hal::ShaderInput::Glsl { .. } => Err(hal::ShaderError::Compilation(
                "Seawall's CPU device takes no shaders that wgpu passes through".to_owned(),
            )),
        }
    }

    unsafe fn destroy_shader_module(&self, _: Module) {}

    unsafe fn create_render_pipeline(
        &self,
        _: &hal::RenderPipelineDescriptor<'_, Unused, Module, Unused>,
    ) -> Result<Never, PipelineError> {
        Err(no_render())
    }

    unsafe fn destroy_render_pipeline(&self, pipeline: Never) {
        match pipeline {}
    }

    unsafe fn create_compute_pipeline(
        &self,
        desc: &hal::ComputePipelineDescriptor<'_, Unused, Module, Unused>,
    ) -> Result<Pipeline, PipelineError> {
        Pipeline::new(&self.cpu, desc)
    }

    unsafe fn destroy_compute_pipeline(&self, _: Pipeline) {}

    unsafe fn create_ray_tracing_pipeline(
        &self,
        _: &hal::RayTracingPipelineDescriptor<'_, Unused, Module, Unused>,
    ) -> Result<Never, PipelineError> {
        Err(no_render())
    }

    unsafe fn destroy_ray_tracing_pipeline(&self, pipeline: Never) {
        match pipeline {}
    }

    unsafe fn get_raytracing_pipeline_group_data(&self, of: &Never, _: Range<u32>) -> Result<Vec<u8>, DeviceError> {
        match *of {}
    }

    unsafe fn create_pipeline_cache(
        &self,
        _: &hal::PipelineCacheDescriptor<'_>,
    ) -> Result<Unused, hal::PipelineCacheError> {
        Ok(Unused)
    }

    unsafe fn destroy_pipeline_cache(&self, _: Unused) {}

    unsafe fn create_query_set(&self, desc: &wgpu::QuerySetDescriptor<'_>) -> Result<query::Set, DeviceError> {
        Ok(query::Set::new(desc.count))
    }

    unsafe fn destroy_query_set(&self, _: query::Set) {}

    unsafe fn create_fence(&self) -> Result<Fence, DeviceError> {
        Ok(Fence::default())
    }

    unsafe fn destroy_fence(&self, _: Fence) {}

    unsafe fn get_fence_value(&self, fence: &Fence) -> Result<FenceValue, DeviceError> {
        self.line.here().map(|()| fence.value())
    }

    unsafe fn wait(&self, fence: &Fence, value: FenceValue, timeout: Option<Duration>) -> Result<bool, DeviceError> {
        self.line.wait(fence, value, timeout)
    }

    unsafe fn start_graphics_debugger_capture(&self) -> bool {
        false
    }

    unsafe fn stop_graphics_debugger_capture(&self) {}

    unsafe fn create_acceleration_structure(
        &self,
        _: &hal::AccelerationStructureDescriptor<'_>,
    ) -> Result<Never, DeviceError> {
        unreachable!("invariant no-rays: they are no feature of this device")
    }

    unsafe fn get_acceleration_structure_build_sizes(
        &self,
        _: &hal::GetAccelerationStructureBuildSizesDescriptor<'_, Buffer>,
    ) -> hal::AccelerationStructureBuildSizes {
        hal::AccelerationStructureBuildSizes::default()
    }

    unsafe fn get_acceleration_structure_device_address(&self, of: &Never) -> wgpu::BufferAddress {
        match *of {}
    }

    unsafe fn destroy_acceleration_structure(&self, structure: Never) {
        match structure {}
    }

    fn tlas_instance_to_bytes(&self, _: hal::TlasInstance) -> Vec<u8> {
        Vec::new()
    }

    fn get_internal_counters(&self) -> wgpu::HalCounters {
        wgpu::HalCounters::default()
    }

    fn check_if_oom(&self) -> Result<(), DeviceError> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_into_memory_is_told_as_that() {
        let device = || "cpu".to_owned();
        let full = Error::OutOfMemory { device: device(), what: "a buffer".to_owned(), bytes: 1 << 50 };
        assert_eq!(failed(&full), DeviceError::OutOfMemory);
        assert_eq!(failed(&Error::Forked { device: device() }), DeviceError::Lost);
    }
}
