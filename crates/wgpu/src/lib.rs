//! Seawall's CPU device as an ordinary [`wgpu::Instance`]: existing wgpu programs, with no GPU and no driver.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let instance = seawall_wgpu::instance();
//! let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()))?;
//! let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor::default()))?;
//! # let _ = (device, queue);
//! # Ok(())
//! # }
//! ```
//!
//! It is a back end of wgpu's (`wgpu::hal`) from outside of wgpu: validation, tracking of what needs a barrier,
//! zeroed memory, mapping and error scopes are wgpu's own. What is left is recorded here as plain commands; a
//! submission becomes one checked schedule, with a barrier wherever wgpu has a transition, and runs on a thread of
//! its own while the caller goes on.
//!
//! There is compute over buffers and textures, and nothing to draw on: no texture format can be a render target, no
//! render pipeline can be made, no surface has capabilities.

mod never;
mod pool;
mod buffer;
mod format;
mod texture;
mod copy;
mod bind;
mod query;
mod pipeline;
mod command;
mod encode;
mod lower;
mod run;
mod queue;
mod device;
mod adapter;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

pub use seawall_cpu::{Config as CpuConfig, OpenError};

use adapter::Instance;

/// How the device runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Config {
    /// Threads and code.
    pub cpu: CpuConfig,
    /// How long a submission may take, if there is an end to it: the device is lost then, as a GPU is whose driver
    /// steps in.
    pub deadline: Option<Duration>,
}

/// An instance whose only adapter is this machine's processors, with as many threads as it runs at once.
///
/// All of a process share these threads and the code of the kernels. Where the device cannot be opened, no adapter
/// is found.
pub fn instance() -> wgpu::Instance {
    static CPU: OnceLock<Option<Arc<seawall_cpu::Device>>> = OnceLock::new();
    let open = || match seawall_cpu::Device::open(CpuConfig::default()) {
        Ok(device) => Some(Arc::new(device)),
        Err(error) => {
            log::error!("no CPU device: {error}");
            None
        }
    };
    over(Instance { cpu: CPU.get_or_init(open).clone(), deadline: None })
}

/// The same, with threads and code of its own.
pub fn instance_with(config: Config) -> Result<wgpu::Instance, OpenError> {
    let cpu = seawall_cpu::Device::open(config.cpu)?;
    Ok(over(Instance { cpu: Some(Arc::new(cpu)), deadline: config.deadline }))
}

fn over(instance: Instance) -> wgpu::Instance {
    // SAFETY: the instance is this crate's, which keeps what `wgpu::hal` asks of its back ends.
    unsafe { wgpu::Instance::from_hal::<Api>(instance) }
}

/// The back end, for wgpu's `as_hal` functions.
#[derive(Debug, Clone)]
struct Api;

impl wgpu::hal::Api for Api {
    // The names are wgpu's own; this one stands for no graphics API.
    const VARIANT: wgpu::Backend = wgpu::Backend::Noop;

    type Instance = Instance;
    type Surface = never::Surface;
    type Adapter = adapter::Adapter;
    type Device = device::Device;

    type Queue = queue::Queue;
    type CommandEncoder = encode::Encoder;
    type CommandBuffer = command::Buffer;

    type Buffer = buffer::Buffer;
    type Texture = texture::Texture;
    type SurfaceTexture = never::Never;
    type TextureView = texture::View;
    type Sampler = texture::Sampler;
    type QuerySet = query::Set;
    type Fence = queue::Fence;

    type BindGroupLayout = bind::Layout;
    type BindGroup = bind::Group;
    type PipelineLayout = never::Unused;
    type ShaderModule = pipeline::Module;
    type RenderPipeline = never::Never;
    type ComputePipeline = pipeline::Pipeline;
    type RayTracingPipeline = never::Never;
    type PipelineCache = never::Unused;

    type AccelerationStructure = never::Never;
}

/// What every type of a back end has to say, so that wgpu can keep it without its type.
macro_rules! resource {
    ($($ty:ty: $($role:ident)*),* $(,)?) => {
        $(
            impl wgpu::hal::DynResource for $ty {
                fn as_any(&self) -> &dyn std::any::Any {
                    self
                }

                fn as_any_mut(&mut self) -> &mut dyn std::any::Any {
                    self
                }
            }
            $(impl wgpu::hal::$role for $ty {})*
        )*
    };
}

resource! {
    Instance:,
    never::Surface:,
    adapter::Adapter:,
    device::Device:,
    queue::Queue:,
    queue::Fence: DynFence,
    encode::Encoder:,
    command::Buffer: DynCommandBuffer,
    buffer::Buffer: DynBuffer,
    texture::Texture: DynTexture,
    texture::View: DynTextureView,
    texture::Sampler: DynSampler,
    query::Set: DynQuerySet,
    bind::Layout: DynBindGroupLayout,
    bind::Group: DynBindGroup,
    pipeline::Module: DynShaderModule,
    pipeline::Pipeline: DynComputePipeline,
    never::Unused: DynPipelineLayout DynPipelineCache,
    never::Never: DynTexture DynSurfaceTexture DynRenderPipeline DynRayTracingPipeline DynAccelerationStructure,
}
