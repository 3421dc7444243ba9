//! What wgpu asks before there is a device: which adapters there are, and what they can do.

use std::sync::Arc;
use std::time::Duration;

use seawall_core::device::{Caps, Device as _};
use seawall_core::program::texture::VIEWS_MAX;
use seawall_core::schedule::BINDING_ALIGN_BYTES;
use seawall_core::texture::SIZE_MAX;
use wgpu::hal::{self, DeviceError, InstanceError, SurfaceError};
use wgpu::{DownlevelFlags, Features, Limits};

use crate::Api;
use crate::device::Device;
use crate::format;
use crate::lower::GRID_MAX;
use crate::never::{Never, Surface};
use crate::queue::{Fence, Line, Queue};
use crate::run::Runner;

/// Bytes of immediates: twice what Vulkan promises.
const IMMEDIATE_BYTES_MAX: u32 = 256;

pub(crate) struct Instance {
    pub(crate) cpu: Option<Arc<seawall_cpu::Device>>,
    pub(crate) deadline: Option<Duration>,
}

impl hal::Instance for Instance {
    type A = Api;

    unsafe fn init(_: &hal::InstanceDescriptor<'_>) -> Result<Self, InstanceError> {
        unreachable!("invariant made: wgpu is given an instance")
    }

    /// wgpu lets no other crate make the error that belongs here: a surface that no adapter can use says the same.
    unsafe fn create_surface(
        &self,
        _: wgpu::rwh::RawDisplayHandle,
        _: wgpu::rwh::RawWindowHandle,
    ) -> Result<Surface, InstanceError> {
        Ok(Surface)
    }

    unsafe fn enumerate_adapters(&self, _: Option<&Surface>) -> Vec<hal::ExposedAdapter<Api>> {
        let adapter = |cpu: &Arc<seawall_cpu::Device>| hal::ExposedAdapter {
            info: info(cpu.caps()),
            features: features(cpu.caps()),
            capabilities: capabilities(cpu.caps()),
            adapter: Adapter { cpu: cpu.clone(), deadline: self.deadline },
        };
        self.cpu.iter().map(adapter).collect()
    }
}

const NO_SURFACE: SurfaceError = SurfaceError::Other("Seawall's CPU device shows nothing");

impl hal::Surface for Surface {
    type A = Api;

    unsafe fn configure(&self, _: &Device, _: &hal::SurfaceConfiguration) -> Result<(), SurfaceError> {
        Err(NO_SURFACE)
    }

    unsafe fn unconfigure(&self, _: &Device) {}

    unsafe fn acquire_texture(
        &self,
        _: Option<Duration>,
        _: &Fence,
    ) -> Result<hal::AcquiredSurfaceTexture<Api>, SurfaceError> {
        Err(NO_SURFACE)
    }

    unsafe fn discard_texture(&self, texture: Never) {
        match texture {}
    }
}

pub(crate) struct Adapter {
    cpu: Arc<seawall_cpu::Device>,
    deadline: Option<Duration>,
}

impl hal::Adapter for Adapter {
    type A = Api;

    unsafe fn open(&self, _: Features, _: &Limits, _: &wgpu::MemoryHints) -> Result<hal::OpenDevice<Api>, DeviceError> {
        let line = Line::open(Runner::new(self.cpu.clone(), self.deadline))?;
        Ok(hal::OpenDevice { device: Device::new(self.cpu.clone(), line.clone()), queue: Queue::new(line) })
    }

    unsafe fn texture_format_capabilities(&self, format: wgpu::TextureFormat) -> hal::TextureFormatCapabilities {
        format::capabilities(format)
    }

    unsafe fn surface_capabilities(&self, _: &Surface) -> Option<hal::SurfaceCapabilities> {
        None
    }

    unsafe fn get_presentation_timestamp(&self) -> wgpu::PresentationTimestamp {
        wgpu::PresentationTimestamp::INVALID_TIMESTAMP
    }

    /// Steps that only read need no order among them; all others may run at once where there is no barrier.
    fn get_ordered_buffer_usages(&self) -> wgpu::BufferUses {
        wgpu::BufferUses::INCLUSIVE
    }

    fn get_ordered_texture_usages(&self) -> wgpu::TextureUses {
        wgpu::TextureUses::INCLUSIVE
    }
}

fn info(caps: &Caps) -> wgpu::AdapterInfo {
    let other = wgpu::AdapterInfo::new(wgpu::DeviceType::Cpu, wgpu::Backend::Noop);
    let subgroup = caps.subgroup.clone().unwrap_or(other.subgroup_min_size..=other.subgroup_max_size);
    wgpu::AdapterInfo {
        subgroup_min_size: *subgroup.start(),
        subgroup_max_size: *subgroup.end(),
        name: format!("Seawall CPU ({})", caps.name),
        driver: "seawall".to_owned(),
        driver_info: env!("CARGO_PKG_VERSION").to_owned(),
        ..other
    }
}

fn features(caps: &Caps) -> Features {
    let numbers = [
        (caps.f16, Features::SHADER_F16),
        (caps.f64, Features::SHADER_F64),
        (caps.int64, Features::SHADER_INT64),
        (caps.atomic_f32, Features::SHADER_FLOAT32_ATOMIC),
        (caps.atomic_int64_min_max, Features::SHADER_INT64_ATOMIC_MIN_MAX),
        (caps.atomic_int64, Features::SHADER_INT64_ATOMIC_ALL_OPS),
        (caps.subgroup.is_some(), Features::SUBGROUP),
        (caps.subgroup_barrier, Features::SUBGROUP_BARRIER),
    ];
    let times =
        Features::TIMESTAMP_QUERY | Features::TIMESTAMP_QUERY_INSIDE_ENCODERS | Features::TIMESTAMP_QUERY_INSIDE_PASSES;
    let textures = Features::TEXTURE_ADAPTER_SPECIFIC_FORMAT_FEATURES
        | Features::TEXTURE_FORMAT_16BIT_NORM
        | Features::FLOAT32_FILTERABLE
        | Features::BGRA8UNORM_STORAGE
        | Features::CLEAR_TEXTURE;
    let always = Features::IMMEDIATES | Features::MAPPABLE_PRIMARY_BUFFERS | times | textures;
    numbers.into_iter().filter(|(has, _)| *has).fold(always, |all, (_, feature)| all | feature)
}

/// Where the device has no limit, what wgpu can count. Those of drawing are wgpu's defaults, since programs ask for
/// them that never draw; that nothing is drawn on is said by the formats.
fn limits(caps: &Caps) -> Limits {
    let own = &caps.limits;
    let count = |limit: u64| u32::try_from(limit).unwrap_or(u32::MAX);
    let invocations = count(own.workgroup_invocations_max);
    let [x, y, z] = own.workgroup_size_max.map(|size| size.min(invocations));
    Limits {
        max_texture_dimension_1d: SIZE_MAX,
        max_texture_dimension_2d: SIZE_MAX,
        max_texture_dimension_3d: SIZE_MAX,
        max_texture_array_layers: SIZE_MAX,
        max_sampled_textures_per_shader_stage: SAMPLED_MAX,
        max_samplers_per_shader_stage: SAMPLERS_MAX,
        max_storage_textures_per_shader_stage: VIEWS_MAX - SAMPLED_MAX - SAMPLERS_MAX,
        max_bind_groups: hal::MAX_BIND_GROUPS as u32,
        max_dynamic_uniform_buffers_per_pipeline_layout: own.uniform_buffers_max.min(BINDINGS_MAX),
        max_dynamic_storage_buffers_per_pipeline_layout: own.storage_buffers_max.min(BINDINGS_MAX),
        max_storage_buffers_per_shader_stage: own.storage_buffers_max.min(BINDINGS_MAX),
        max_uniform_buffers_per_shader_stage: own.uniform_buffers_max.min(BINDINGS_MAX),
        max_buffers_and_acceleration_structures_per_shader_stage: BINDINGS_MAX,
        max_buffer_size: own.buffer_bytes_max,
        max_storage_buffer_binding_size: own.binding_bytes_max.min(own.buffer_bytes_max),
        max_uniform_buffer_binding_size: own.uniform_bytes_max.min(own.buffer_bytes_max),
        min_uniform_buffer_offset_alignment: BINDING_ALIGN_BYTES as u32,
        min_storage_buffer_offset_alignment: BINDING_ALIGN_BYTES as u32,
        max_compute_workgroup_storage_size: count(own.workgroup_bytes_max),
        max_compute_invocations_per_workgroup: invocations,
        max_compute_workgroup_size_x: x,
        max_compute_workgroup_size_y: y,
        max_compute_workgroup_size_z: z,
        max_compute_workgroups_per_dimension: GRID_MAX,
        max_immediate_size: IMMEDIATE_BYTES_MAX,
        ..Limits::default()
    }
}

/// Of the textures and samplers of a kernel.
const SAMPLED_MAX: u32 = 96;
const SAMPLERS_MAX: u32 = 64;

/// Bindings of one kind: as many as wgpu has in a group.
const BINDINGS_MAX: u32 = 1000;

fn capabilities(caps: &Caps) -> hal::Capabilities {
    let one = wgpu::BufferSize::MIN;
    hal::Capabilities {
        limits: limits(caps),
        alignments: hal::Alignments {
            buffer_copy_offset: one,
            buffer_copy_pitch: one,
            uniform_bounds_check_alignment: one,
            raw_tlas_instance_size: 0,
            ray_tracing_scratch_buffer_alignment: 1,
            ray_tracing_pipeline_group_data_size: 1,
            ray_tracing_pipeline_group_data_alignment: 1,
            ray_tracing_pipeline_data_offset_alignment: 1,
        },
        downlevel: wgpu::DownlevelCapabilities {
            flags: DownlevelFlags::COMPUTE_SHADERS
                | DownlevelFlags::INDIRECT_EXECUTION
                | DownlevelFlags::NON_POWER_OF_TWO_MIPMAPPED_TEXTURES
                | DownlevelFlags::BUFFER_BINDINGS_NOT_16_BYTE_ALIGNED
                | DownlevelFlags::SHADER_F16_IN_F32,
            limits: wgpu::DownlevelLimits {},
            shader_model: wgpu::ShaderModel::Sm5,
        },
        cooperative_matrix_properties: Vec::new(),
    }
}
