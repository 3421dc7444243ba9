//! The same WGSL through wgpu, on the Vulkan driver that runs on the processor.

use std::time::{Duration, Instant};

use wgpu::BufferUsages;

use crate::error::{Error, Missing};
use crate::kernels::case::{Case, Role, salted};
use crate::kernels::peer::{LAVAPIPE, Peer};
use crate::plain::{Gpu, Job};

pub(crate) struct Lavapipe {
    gpu: Gpu,
    loaded: Option<(Job, Vec<wgpu::Buffer>)>,
}

impl Lavapipe {
    pub(crate) fn open() -> Result<Self, Missing> {
        let gpu = Gpu::software().map_err(|error| Missing { reason: error.to_string() })?;
        Ok(Self { gpu, loaded: None })
    }

    fn prepare(&self, case: &Case, wgsl: &str) -> Result<(Job, Vec<wgpu::Buffer>), Error> {
        let buffer = |role, bytes: &[u8]| match role {
            Role::Uniform => self.gpu.buffer(bytes, BufferUsages::UNIFORM),
            Role::Input | Role::Output => self.gpu.buffer(bytes, BufferUsages::STORAGE),
        };
        let buffers: Vec<_> = case.buffers.iter().map(|each| buffer(each.role, &each.bytes)).collect();
        Ok((self.gpu.job(wgsl, &buffers, case.grid)?, buffers))
    }

    fn loaded(&self) -> &(Job, Vec<wgpu::Buffer>) {
        self.loaded.as_ref().expect("invariant loaded: a case is loaded before it runs")
    }
}

impl Peer for Lavapipe {
    fn name(&self) -> &'static str {
        LAVAPIPE
    }

    fn describe(&self) -> String {
        self.gpu.about.clone()
    }

    fn load(&mut self, case: &Case) -> Result<(), Error> {
        self.loaded = None;
        self.loaded = Some(self.prepare(case, case.wgsl)?);
        Ok(())
    }

    fn run(&mut self, times: u32) -> Result<Duration, Error> {
        let (job, _) = self.loaded();
        let start = Instant::now();
        for _ in 0..times {
            self.gpu.run(job)?;
        }
        Ok(start.elapsed())
    }

    fn read(&mut self, buffer: usize) -> Result<Vec<u8>, Error> {
        Ok(self.gpu.read(&self.loaded().1[buffer])?)
    }

    fn cold(&mut self, case: &Case, salt: u32) -> Result<Option<(Duration, Vec<u8>)>, Error> {
        let wgsl = salted(case.wgsl, salt);
        let start = Instant::now();
        let (job, buffers) = self.prepare(case, &wgsl)?;
        self.gpu.run(&job)?;
        let bytes = self.gpu.read(&buffers[0])?;
        Ok(Some((start.elapsed(), bytes)))
    }
}
