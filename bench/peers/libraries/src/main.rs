//! Libraries over wgpu on one of its instances: `libraries seawall` or `libraries lavapipe`.

#[path = "../../protocol.rs"]
mod protocol;
mod primitives;
#[cfg(feature = "tensors")]
mod tensors;

use std::error::Error;

use wgpu::{DeviceType, Features};

/// What a program with wgpu has.
#[derive(Clone)]
pub(crate) struct Gpu {
    pub(crate) instance: wgpu::Instance,
    pub(crate) adapter: wgpu::Adapter,
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
}

impl Gpu {
    /// With all that the adapter has, but for what wgpu calls experimental and for storage that is mapped itself:
    /// the tensors' library leaves it out as well.
    fn open(name: &str) -> Result<Self, Box<dyn Error>> {
        let instance = match name {
            #[cfg(feature = "seawall")]
            "seawall" => seawall_wgpu::instance(),
            "lavapipe" => {
                let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
                descriptor.backends = wgpu::Backends::VULKAN;
                wgpu::Instance::new(descriptor)
            }
            _ => return Err(format!("no instance `{name}`").into()),
        };
        let adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
        let software = |adapter: &wgpu::Adapter| adapter.get_info().device_type == DeviceType::Cpu;
        let adapter = adapters.into_iter().find(software).ok_or("no adapter that is a processor")?;
        let without = Features::MAPPABLE_PRIMARY_BUFFERS | Features::all_experimental_mask();
        let descriptor = wgpu::DeviceDescriptor {
            required_features: adapter.features() - without,
            required_limits: adapter.limits(),
            ..Default::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))?;
        Ok(Self { instance, adapter, device, queue })
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let gpu = match Gpu::open(&std::env::args().nth(1).unwrap_or_default()) {
        Ok(gpu) => gpu,
        // The answer to whatever is asked first.
        Err(error) => {
            println!("error {error}");
            return Ok(());
        }
    };
    let info = gpu.adapter.get_info();
    #[cfg(feature = "tensors")]
    let tensors = tensors::open(&gpu)?;
    protocol::serve(&format!("{}, {} {}", info.name, info.driver, info.driver_info), |name, buffers| match name {
        "scan" => Some(primitives::scan(&gpu, &buffers[0])),
        "sort" => Some(primitives::sort(&gpu, &buffers[0])),
        #[cfg(feature = "tensors")]
        "matmul" => Some(Box::new(tensors::Matmul::new(&tensors, &buffers[0], &buffers[1]))),
        _ => None,
    })?;
    Ok(())
}
