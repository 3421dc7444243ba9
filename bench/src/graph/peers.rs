//! Those who run the same waves, layer by layer.

use std::sync::Arc;

use bytemuck::cast_slice;
use seawall::{Buffer, Kernel, Runtime};
use wgpu::BufferUsages;

use super::{CALLS, CHAIN_BYTES, CHAINS, COUNT, LAYERS, WIDTH, counted};
use crate::error::{Error, Missing};
use crate::kernels::case::{self, Bound, Case, Role, Same};
use crate::kernels::child::{self, Process};
use crate::kernels::peer::{LAVAPIPE, Peer, RAYON};
use crate::plain::{self, Gpu, Job};
use crate::race::{Contender, Lap, race, timed};
use crate::report::Note;

/// All of them, as far as this machine has them.
pub(super) struct Peers<'a> {
    runtime: &'a Runtime,
    kernel: Arc<Kernel>,
    /// Those that calls work on.
    called: Vec<Buffer<u32>>,
    lavapipe: Option<Lavapipe>,
    rayon: Option<Process>,
}

impl<'a> Peers<'a> {
    pub(super) fn open(runtime: &'a Runtime, missing: &mut Vec<Note>) -> Result<Self, Error> {
        let called = (0..CHAINS).map(|_| runtime.buffer(WIDTH as usize)).collect::<Result<_, _>>()?;
        let lavapipe = Lavapipe::open().map_err(|error| missing.push((LAVAPIPE, error.to_string()))).ok();
        let rayon = child::rayon().map_err(|Missing { reason }| missing.push((RAYON, reason))).ok();
        let mut peers = Self { runtime, kernel: runtime.kernel(COUNT)?, called, lavapipe, rayon };
        peers.check()?;
        Ok(peers)
    }

    pub(super) fn notes(&self) -> Vec<Note> {
        let mut notes = vec![(CALLS, "the same device, one call after the other".to_owned())];
        notes.extend(self.lavapipe.iter().map(|peer| (LAVAPIPE, format!("{}; one pass", peer.gpu.about))));
        let layers = |peer: &Process| (RAYON, format!("{}; a parallel loop for each layer", peer.describe()));
        notes.extend(self.rayon.iter().map(layers));
        notes
    }

    /// Each counts every chain to the number of layers.
    fn check(&mut self) -> Result<(), Error> {
        call(self.runtime, &self.kernel, &self.called)?;
        for chain in &self.called {
            counted(CALLS, cast_slice(&chain.to_vec()?))?;
        }
        if let Some(lavapipe) = &self.lavapipe {
            lavapipe.run()?;
            for chain in &lavapipe.chains {
                counted(LAVAPIPE, &lavapipe.gpu.read(chain)?)?;
            }
        }
        if let Some(rayon) = &mut self.rayon {
            rayon.load(&layers())?;
            rayon.run(1)?;
            counted(RAYON, &rayon.read(1)?)?;
        }
        Ok(())
    }

    /// Ours against all of them.
    pub(super) fn race(&mut self, rounds: u32, ours: Contender<'_, Error>) -> Result<Vec<Lap>, Error> {
        let Self { runtime, kernel, called, lavapipe, rayon } = self;
        let mut contenders = vec![ours, timed(CALLS, 1, || call(runtime, kernel, called))];
        contenders.extend(lavapipe.iter().map(|peer| timed(LAVAPIPE, 1, || peer.run())));
        contenders.extend(rayon.iter_mut().map(|peer| Contender { name: RAYON, run: Box::new(|| peer.run(1)) }));
        race(rounds, contenders)
    }
}

fn call(runtime: &Runtime, kernel: &Arc<Kernel>, chains: &[Buffer<u32>]) -> Result<(), Error> {
    for _ in 0..LAYERS {
        for chain in chains {
            runtime.call(kernel).bind("x", chain).workgroups(1).run()?;
        }
    }
    Ok(())
}

/// What the peer in hand-written Rust is given.
fn layers() -> Case {
    let params = case::Buffer { name: "params", role: Role::Uniform, bytes: cast_slice(&[WIDTH, LAYERS]).to_vec() };
    let chains = vec![0; (u64::from(CHAINS) * CHAIN_BYTES) as usize];
    Case {
        name: "layers",
        size: "",
        bound: Bound::Call,
        wgsl: COUNT,
        opencl: "",
        buffers: vec![params, case::Buffer { name: "x", role: Role::Output, bytes: chains }],
        workgroup: [WIDTH, 1, 1],
        grid: [CHAINS, 1, 1],
        same: Same::Bits,
        repeat: 1,
    }
}

/// The chains on lavapipe.
struct Lavapipe {
    gpu: Gpu,
    jobs: Vec<Job>,
    chains: Vec<wgpu::Buffer>,
}

impl Lavapipe {
    fn open() -> Result<Self, plain::Error> {
        let gpu = Gpu::software()?;
        let chain = |_| gpu.buffer(&[0; CHAIN_BYTES as usize], BufferUsages::STORAGE);
        let chains: Vec<wgpu::Buffer> = (0..CHAINS).map(chain).collect();
        let job = |chain| gpu.job(COUNT, std::slice::from_ref(chain), [1, 1, 1]);
        let jobs = chains.iter().map(job).collect::<Result<_, _>>()?;
        Ok(Self { gpu, jobs, chains })
    }

    fn run(&self) -> Result<(), Error> {
        Ok(self.gpu.run_all(std::iter::repeat_n(&self.jobs, LAYERS as usize).flatten())?)
    }
}
