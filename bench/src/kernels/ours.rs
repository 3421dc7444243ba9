//! Seawall's CPU device, by the public door: buffers stay on the device, and a run is a call
//! that is described, checked and waited for.

use std::sync::Arc;
use std::time::{Duration, Instant};

use seawall::{Buffer, Kernel, Runtime};

use crate::error::Error;
use crate::kernels::case::{self, Case, salted};
use crate::kernels::peer::{OURS, Peer};

const CONTRACTED: &str = "contracted";

pub(crate) struct Ours {
    name: &'static str,
    runtime: Runtime,
    loaded: Option<Loaded>,
}

struct Loaded {
    kernel: Arc<Kernel>,
    buffers: Vec<(&'static str, Buffer<u8>)>,
    grid: [u32; 3],
}

impl Loaded {
    fn run(&self, runtime: &Runtime) -> Result<(), Error> {
        let mut call = runtime.call(&self.kernel);
        for (name, buffer) in &self.buffers {
            call = call.bind(name, buffer);
        }
        call.workgroups(self.grid).run()?;
        Ok(())
    }
}

impl Ours {
    pub(crate) fn open() -> Result<Self, Error> {
        Self::named(OURS, false)
    }

    /// With products and sums in one.
    pub(crate) fn contracted() -> Result<Self, Error> {
        Self::named(CONTRACTED, true)
    }

    fn named(name: &'static str, contract: bool) -> Result<Self, Error> {
        Ok(Self { name, runtime: Runtime::builder().device("cpu").contract(contract).open()?, loaded: None })
    }

    fn prepare(&self, case: &Case, wgsl: &str) -> Result<Loaded, Error> {
        let kernel = self.runtime.kernel(wgsl)?;
        let resident = |buffer: &case::Buffer| Ok((buffer.name, self.runtime.buffer_from(&buffer.bytes)?));
        let buffers = case.buffers.iter().map(resident).collect::<Result<_, Error>>()?;
        Ok(Loaded { kernel, buffers, grid: case.grid })
    }

    fn loaded(&self) -> &Loaded {
        self.loaded.as_ref().expect("invariant loaded: a case is loaded before it runs")
    }
}

impl Peer for Ours {
    fn name(&self) -> &'static str {
        self.name
    }

    fn describe(&self) -> String {
        let caps = self.runtime.caps();
        format!("{}: {}", caps.id, caps.name)
    }

    fn load(&mut self, case: &Case) -> Result<(), Error> {
        self.loaded = None;
        self.loaded = Some(self.prepare(case, case.wgsl)?);
        Ok(())
    }

    fn run(&mut self, times: u32) -> Result<Duration, Error> {
        let loaded = self.loaded();
        let start = Instant::now();
        for _ in 0..times {
            loaded.run(&self.runtime)?;
        }
        Ok(start.elapsed())
    }

    fn read(&mut self, buffer: usize) -> Result<Vec<u8>, Error> {
        Ok(self.loaded().buffers[buffer].1.to_vec()?)
    }

    fn cold(&mut self, case: &Case, salt: u32) -> Result<Option<(Duration, Vec<u8>)>, Error> {
        let wgsl = salted(case.wgsl, salt);
        let start = Instant::now();
        let loaded = self.prepare(case, &wgsl)?;
        loaded.run(&self.runtime)?;
        let bytes = loaded.buffers[0].1.to_vec()?;
        Ok(Some((start.elapsed(), bytes)))
    }
}
