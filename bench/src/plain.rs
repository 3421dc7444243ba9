//! wgpu as one writes it by hand: what a program without Seawall would do. The text goes through
//! naga first, which is what wgpu does with text.

use std::borrow::Cow;

use wgpu::util::{BufferInitDescriptor, DeviceExt};
use wgpu::{BufferUsages, DeviceType};

/// An open device.
pub(crate) struct Gpu {
    device: wgpu::Device,
    queue: wgpu::Queue,
    /// Name and driver.
    pub(crate) about: String,
}

/// A pipeline with its buffers bound.
pub(crate) struct Job {
    pipeline: wgpu::ComputePipeline,
    group: wgpu::BindGroup,
    grid: [u32; 3],
}

/// What wgpu says when it fails.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("no Vulkan device that runs on the processor (apt-get install mesa-vulkan-drivers)")]
    NoAdapter,
    #[error(transparent)]
    Open(#[from] wgpu::RequestDeviceError),
    #[error(transparent)]
    Text(#[from] naga::front::wgsl::ParseError),
    #[error(transparent)]
    Poll(#[from] wgpu::PollError),
    #[error(transparent)]
    Map(#[from] wgpu::MapRangeError),
}

impl Gpu {
    /// The software device of Vulkan: lavapipe.
    pub(crate) fn software() -> Result<Self, Error> {
        Self::open(|info| info.device_type == DeviceType::Cpu && info.backend == wgpu::Backend::Vulkan)
    }

    /// The first adapter of which this is true.
    pub(crate) fn open(wanted: impl Fn(&wgpu::AdapterInfo) -> bool) -> Result<Self, Error> {
        let backends = wgpu::Backends::VULKAN | wgpu::Backends::METAL | wgpu::Backends::DX12;
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
        descriptor.backends = backends;
        Self::open_in(&wgpu::Instance::new(descriptor), wanted)
    }

    /// Seawall's CPU device, by way of wgpu.
    pub(crate) fn seawall() -> Result<Self, Error> {
        Self::open_in(&seawall_wgpu::instance(), |_| true)
    }

    fn open_in(instance: &wgpu::Instance, wanted: impl Fn(&wgpu::AdapterInfo) -> bool) -> Result<Self, Error> {
        let adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
        let adapter = adapters.into_iter().find(|adapter| wanted(&adapter.get_info())).ok_or(Error::NoAdapter)?;
        let descriptor = wgpu::DeviceDescriptor { required_limits: adapter.limits(), ..Default::default() };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))?;
        let info = adapter.get_info();
        Ok(Self { device, queue, about: format!("{}, {} {}", info.name, info.driver, info.driver_info) })
    }

    pub(crate) fn buffer(&self, contents: &[u8], kind: BufferUsages) -> wgpu::Buffer {
        let usage = kind | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
        self.device.create_buffer_init(&BufferInitDescriptor { label: None, contents, usage })
    }

    /// Buffers in the order of their bindings.
    pub(crate) fn job(&self, wgsl: &str, buffers: &[wgpu::Buffer], grid: [u32; 3]) -> Result<Job, Error> {
        let module = naga::front::wgsl::parse_str(wgsl)?;
        let source = wgpu::ShaderSource::Naga(Cow::Owned(module));
        let module = self.device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source });
        let pipeline = self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: None,
            module: &module,
            entry_point: None,
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        let entries: Vec<_> = (0..)
            .zip(buffers)
            .map(|(binding, buffer)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() })
            .collect();
        let layout = pipeline.get_bind_group_layout(0);
        let descriptor = wgpu::BindGroupDescriptor { label: None, layout: &layout, entries: &entries };
        let group = self.device.create_bind_group(&descriptor);
        Ok(Job { pipeline, group, grid })
    }

    /// One submission with one dispatch, waited for.
    pub(crate) fn run(&self, job: &Job) -> Result<(), Error> {
        self.run_all([job])
    }

    /// One submission with these dispatches in order, waited for.
    pub(crate) fn run_all<'a>(&self, jobs: impl IntoIterator<Item = &'a Job>) -> Result<(), Error> {
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        let mut last = None;
        for job in jobs {
            if !last.replace(job).is_some_and(|last| std::ptr::eq(last, job)) {
                pass.set_pipeline(&job.pipeline);
                pass.set_bind_group(0, &job.group, &[]);
            }
            pass.dispatch_workgroups(job.grid[0], job.grid[1], job.grid[2]);
        }
        drop(pass);
        self.queue.submit([encoder.finish()]);
        self.wait()
    }

    /// One submission: clears these bytes, runs a job over another grid, and reads a word when it is done.
    pub(crate) fn step(
        &self,
        job: &Job,
        grid: u32,
        counter: &wgpu::Buffer,
        staging: &wgpu::Buffer,
    ) -> Result<u32, Error> {
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.clear_buffer(counter, 0, Some(4));
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&job.pipeline);
        pass.set_bind_group(0, &job.group, &[]);
        pass.dispatch_workgroups(grid, 1, 1);
        drop(pass);
        encoder.copy_buffer_to_buffer(counter, 0, staging, 0, 4);
        self.queue.submit([encoder.finish()]);
        staging.map_async(wgpu::MapMode::Read, .., drop);
        self.wait()?;
        let word = bytemuck::pod_read_unaligned(&staging.get_mapped_range(..)?[..4]);
        staging.unmap();
        Ok(word)
    }

    pub(crate) fn write(&self, buffer: &wgpu::Buffer, from: &[u8]) -> Result<(), Error> {
        self.queue.write_buffer(buffer, 0, from);
        self.queue.submit([]);
        self.wait()
    }

    fn wait(&self) -> Result<(), Error> {
        self.device.poll(wgpu::PollType::wait_indefinitely())?;
        Ok(())
    }

    /// The contents.
    pub(crate) fn read(&self, buffer: &wgpu::Buffer) -> Result<Vec<u8>, Error> {
        let mut bytes = vec![0; buffer.size() as usize];
        self.read_into(buffer, 0, &mut bytes)?;
        Ok(bytes)
    }

    /// The contents from `offset` on, by way of a buffer that the host can see.
    pub(crate) fn read_into(&self, buffer: &wgpu::Buffer, offset: u64, to: &mut [u8]) -> Result<(), Error> {
        let size = to.len() as u64;
        let usage = BufferUsages::MAP_READ | BufferUsages::COPY_DST;
        let staging = self.empty(size, usage);
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_buffer_to_buffer(buffer, offset, &staging, 0, size);
        self.queue.submit([encoder.finish()]);
        // A failure shows when the range is asked for.
        staging.map_async(wgpu::MapMode::Read, .., drop);
        self.wait()?;
        to.copy_from_slice(&staging.get_mapped_range(..)?);
        Ok(())
    }

    /// A buffer of so many bytes.
    pub(crate) fn empty(&self, size: u64, usage: BufferUsages) -> wgpu::Buffer {
        let descriptor = wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false };
        self.device.create_buffer(&descriptor)
    }
}
