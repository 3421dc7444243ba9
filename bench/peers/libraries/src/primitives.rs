//! Scan and sort of the crate `lampshade`, between buffers that are there already.

use lampshade::{Error, Scanner, Sorter};
use wgpu::BufferUsages;
use wgpu::util::{BufferInitDescriptor, DeviceExt};

use crate::Gpu;
use crate::protocol::Kernel;

pub(crate) fn scan(gpu: &Gpu, words: &[u8]) -> Box<dyn Kernel> {
    let mut scanner = Scanner::new_for_adapter(&gpu.device, &gpu.queue, &gpu.adapter.get_info());
    Box::new(Words::new(gpu, words, move |from, to, count| scanner.scan_exclusive_gpu_to_gpu(from, to, count)))
}

pub(crate) fn sort(gpu: &Gpu, words: &[u8]) -> Box<dyn Kernel> {
    let mut sorter = Sorter::new_for_adapter(&gpu.device, &gpu.queue, &gpu.adapter.get_info());
    Box::new(Words::new(gpu, words, move |from, to, count| sorter.sort_gpu_to_gpu(from, to, count)))
}

/// Words, room for as many, and what makes the ones of the others.
struct Words<F> {
    gpu: Gpu,
    from: wgpu::Buffer,
    to: wgpu::Buffer,
    count: u32,
    work: F,
}

impl<F> Words<F>
where
    F: FnMut(&wgpu::Buffer, &wgpu::Buffer, u32) -> Result<(), Error>,
{
    fn new(gpu: &Gpu, contents: &[u8], work: F) -> Self {
        let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
        let from = gpu.device.create_buffer_init(&BufferInitDescriptor { label: None, contents, usage });
        let size = contents.len() as u64;
        let to = wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false };
        Self { gpu: gpu.clone(), from, to: gpu.device.create_buffer(&to), count: (contents.len() / 4) as u32, work }
    }

    fn wait(&self) {
        self.gpu.device.poll(wgpu::PollType::wait_indefinitely()).expect("what was submitted is done");
    }
}

impl<F> Kernel for Words<F>
where
    F: FnMut(&wgpu::Buffer, &wgpu::Buffer, u32) -> Result<(), Error>,
{
    fn run(&mut self) {
        (self.work)(&self.from, &self.to, self.count).expect("lampshade takes these buffers");
        self.wait();
    }

    fn read(&self, _: usize) -> Vec<u8> {
        let usage = BufferUsages::MAP_READ | BufferUsages::COPY_DST;
        let seen = wgpu::BufferDescriptor { label: None, size: self.to.size(), usage, mapped_at_creation: false };
        let seen = self.gpu.device.create_buffer(&seen);
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_buffer_to_buffer(&self.to, 0, &seen, 0, self.to.size());
        self.gpu.queue.submit([encoder.finish()]);
        seen.map_async(wgpu::MapMode::Read, .., |mapped| mapped.expect("the result can be mapped"));
        self.wait();
        seen.get_mapped_range(..).expect("the result is mapped").to_vec()
    }
}
