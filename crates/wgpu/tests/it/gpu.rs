//! What the programs here have in common: nothing of it knows which device it is for.

use std::sync::mpsc;

use wgpu::util::DeviceExt as _;

/// A device, and what is done with it again and again.
pub(crate) struct Gpu {
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
}

/// With every feature and limit that the adapter has.
pub(crate) fn open() -> Gpu {
    open_in(&seawall_wgpu::instance())
}

/// Shows what devices log where a test fails: errors of wgpu's have no place for it.
struct Shown;

impl log::Log for Shown {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        println!("{}: {}", record.level(), record.args());
    }

    fn flush(&self) {}
}

pub(crate) fn open_in(instance: &wgpu::Instance) -> Gpu {
    if log::set_logger(&Shown).is_ok() {
        log::set_max_level(log::LevelFilter::Warn);
    }
    let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default())).unwrap();
    let asked = wgpu::DeviceDescriptor {
        required_features: adapter.features(),
        required_limits: adapter.limits(),
        ..wgpu::DeviceDescriptor::default()
    };
    let (device, queue) = pollster::block_on(adapter.request_device(&asked)).unwrap();
    Gpu { device, queue }
}

impl Gpu {
    pub(crate) fn pipeline(&self, text: &str) -> wgpu::ComputePipeline {
        self.pipeline_with(text, &[])
    }

    pub(crate) fn pipeline_with(&self, text: &str, constants: &[(&str, f64)]) -> wgpu::ComputePipeline {
        let source = wgpu::ShaderSource::Wgsl(text.into());
        let module = self.device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source });
        self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: None,
            module: &module,
            entry_point: Some("main"),
            compilation_options: wgpu::PipelineCompilationOptions { constants, ..Default::default() },
            cache: None,
        })
    }

    /// Storage that can be copied from and to, and be an indirect dispatch's grid.
    pub(crate) fn storage<T: bytemuck::NoUninit>(&self, contents: &[T]) -> wgpu::Buffer {
        self.buffer(contents, wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::INDIRECT)
    }

    pub(crate) fn buffer<T: bytemuck::NoUninit>(&self, contents: &[T], usage: wgpu::BufferUsages) -> wgpu::Buffer {
        self.device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: None,
            contents: bytemuck::cast_slice(contents),
            usage: usage | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
        })
    }

    /// The first group of a pipeline, with these from binding 0 on.
    pub(crate) fn group(&self, pipeline: &wgpu::ComputePipeline, buffers: &[&wgpu::Buffer]) -> wgpu::BindGroup {
        self.group_of(pipeline, buffers.iter().map(|buffer| buffer.as_entire_binding()).collect())
    }

    /// The first group of a pipeline, with anything from binding 0 on.
    pub(crate) fn group_of(
        &self,
        pipeline: &wgpu::ComputePipeline,
        resources: Vec<wgpu::BindingResource<'_>>,
    ) -> wgpu::BindGroup {
        let entries = (0..).zip(resources).map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource });
        self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &entries.collect::<Vec<_>>(),
        })
    }

    pub(crate) fn encoder(&self) -> wgpu::CommandEncoder {
        self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default())
    }

    /// Records and submits one compute pass.
    pub(crate) fn pass(&self, record: impl FnOnce(&mut wgpu::ComputePass<'_>)) {
        let mut encoder = self.encoder();
        record(&mut encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default()));
        self.queue.submit([encoder.finish()]);
    }

    /// One dispatch.
    pub(crate) fn run(&self, pipeline: &wgpu::ComputePipeline, buffers: &[&wgpu::Buffer], grid: [u32; 3]) {
        self.run_with(pipeline, buffers.iter().map(|buffer| buffer.as_entire_binding()).collect(), grid);
    }

    /// One dispatch, with anything from binding 0 on.
    pub(crate) fn run_with(
        &self,
        pipeline: &wgpu::ComputePipeline,
        resources: Vec<wgpu::BindingResource<'_>>,
        [x, y, z]: [u32; 3],
    ) {
        let group = self.group_of(pipeline, resources);
        self.pass(|pass| {
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, &group, &[]);
            pass.dispatch_workgroups(x, y, z);
        });
    }

    pub(crate) fn wait(&self) {
        self.device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
    }

    /// What is in a buffer.
    pub(crate) fn read<T: bytemuck::Pod>(&self, buffer: &wgpu::Buffer) -> Vec<T> {
        let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
        let size = buffer.size();
        let staging =
            self.device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false });
        let mut encoder = self.encoder();
        encoder.copy_buffer_to_buffer(buffer, 0, &staging, 0, size);
        self.queue.submit([encoder.finish()]);
        self.mapped(&staging)
    }

    /// What is in a buffer that can be mapped.
    pub(crate) fn mapped<T: bytemuck::Pod>(&self, buffer: &wgpu::Buffer) -> Vec<T> {
        let (tell, told) = mpsc::channel();
        buffer.slice(..).map_async(wgpu::MapMode::Read, move |result| tell.send(result).unwrap());
        self.wait();
        told.recv().unwrap().unwrap();
        let contents = bytemuck::cast_slice(&buffer.slice(..).get_mapped_range().unwrap()).to_vec();
        buffer.unmap();
        contents
    }

    /// The error that `work` makes, if any.
    pub(crate) fn error(&self, filter: wgpu::ErrorFilter, work: impl FnOnce()) -> Option<wgpu::Error> {
        let scope = self.device.push_error_scope(filter);
        work();
        pollster::block_on(scope.pop())
    }
}
