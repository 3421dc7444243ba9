//! Runs one dispatch with `u32` buffers by name.

use std::sync::Arc;

use seawall_core::check::{Checked, check};
use seawall_core::device::{Control, Device as _, Error, Host, Io, Stats};
use seawall_core::program::{Overrides, Program};
use seawall_core::reference::{Config, Device};
use seawall_core::schedule::{Binding, Buffer, BufferId, HostId, KernelId, Life, Schedule, Step};

pub(crate) fn device(seed: Option<u64>) -> Device {
    Device::new(Config { seed, ..Config::default() })
}

/// Upload everything, dispatch the only entry point, download everything.
pub(crate) fn schedule(wgsl: &str, grid: [u32; 3], buffers: &[(&str, &[u32])], life: Life) -> Arc<Checked> {
    let program = Program::wgsl(wgsl).unwrap_or_else(|report| panic!("{report}"));
    let entry = program.entries().next().expect("an entry point").to_owned();
    let kernel = program.kernel(&entry, &Overrides::new()).unwrap_or_else(|report| panic!("{report}"));
    let place = |name: &str| buffers.iter().position(|(other, _)| *other == name);
    let binding = |i: usize| Binding { buffer: BufferId(i as u32), offset: 0, bytes: size_of_val(buffers[i].1) as u64 };
    let bindings = kernel.buffers.iter().map(|row| binding(place(&row.name).expect("a buffer for each row"))).collect();
    let mut schedule = Schedule { kernels: vec![kernel], ..Schedule::default() };
    let (mut uploads, mut downloads) = (Vec::new(), Vec::new());
    for (i, (name, words)) in buffers.iter().enumerate() {
        let (name, bytes) = ((*name).to_owned(), size_of_val(*words) as u64);
        schedule.buffers.push(Buffer { name: name.clone(), bytes, life });
        if life == Life::Transient {
            schedule.hosts.push(seawall_core::schedule::Host { name, bytes, writable: true });
            uploads.push(Step::Upload { host: HostId(i as u32), at: 0, to: binding(i) });
            downloads.push(Step::Download { from: binding(i), host: HostId(i as u32), at: 0, length: None });
        }
    }
    schedule.steps = uploads;
    schedule.steps.push(Step::Barrier);
    schedule.steps.push(Step::Dispatch { kernel: KernelId(0), grid, bindings });
    schedule.steps.push(Step::Barrier);
    schedule.steps.extend(downloads);
    Arc::new(check(schedule).unwrap_or_else(|error| panic!("{error}")))
}

/// Runs with buffers that live for this run only; afterwards they hold the results.
pub(crate) fn try_run(
    wgsl: &str,
    grid: [u32; 3],
    buffers: &mut [(&str, Vec<u32>)],
    seed: Option<u64>,
    control: &Control,
) -> Result<Stats, Error> {
    let shapes: Vec<(&str, &[u32])> = buffers.iter().map(|(name, words)| (*name, words.as_slice())).collect();
    let schedule = schedule(wgsl, grid, &shapes, Life::Transient);
    let loaded = device(seed).load(schedule)?;
    let mut bytes: Vec<Vec<u8>> = buffers.iter().map(|(_, words)| to_bytes(words)).collect();
    let hosts = bytes.iter_mut().map(|bytes| Host::Write(bytes)).collect();
    let stats = loaded.run(Io { hosts, residents: Vec::new() }, control)?;
    for ((_, words), bytes) in buffers.iter_mut().zip(&bytes) {
        *words = to_words(bytes);
    }
    Ok(stats)
}

/// The buffer `out` after a run in order.
pub(crate) fn run(wgsl: &str, grid: u32, buffers: &[(&str, &[u32])]) -> Vec<u32> {
    run_seeded(wgsl, grid, buffers, None)
}

/// The buffer `out` after a run.
pub(crate) fn run_seeded(wgsl: &str, grid: u32, buffers: &[(&str, &[u32])], seed: Option<u64>) -> Vec<u32> {
    let mut buffers: Vec<(&str, Vec<u32>)> = buffers.iter().map(|(name, words)| (*name, words.to_vec())).collect();
    try_run(wgsl, [grid, 1, 1], &mut buffers, seed, &Control::default()).unwrap_or_else(|error| panic!("{error}"));
    let out = buffers.into_iter().find(|(name, _)| *name == "out").expect("a buffer called out");
    out.1
}

pub(crate) fn to_bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

pub(crate) fn to_words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
}
