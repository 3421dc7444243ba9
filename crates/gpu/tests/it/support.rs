//! Kernels, schedules and devices for the tests.

use std::sync::Arc;

use seawall_core::check::{self, Checked};
use seawall_core::device::{Control, Device as _, Error, Host, Io, Loaded, Stats};
use seawall_core::program::{Kernel, Overrides, Program};
use seawall_core::schedule::{Binding, Buffer, BufferId, HostId, KernelId, Life, Schedule, Step};
use seawall_gpu::{Config, Device};

/// Any adapter, with this configuration.
pub(crate) fn open(config: Config) -> Device {
    Device::open(config).unwrap_or_else(|error| panic!("the adapter was there a moment ago: {error}"))
}

pub(crate) fn kernel(wgsl: &str) -> Arc<Kernel> {
    let program = Program::wgsl(wgsl).unwrap_or_else(|report| panic!("{report}"));
    program.kernel("main", &Overrides::new()).unwrap_or_else(|report| panic!("{report}"))
}

pub(crate) fn whole(buffer: u32, bytes: u64) -> Binding {
    Binding { buffer: BufferId(buffer), offset: 0, bytes }
}

/// Uploads each input, dispatches, downloads every buffer.
pub(crate) fn call(kernel: &Arc<Kernel>, grid: [u32; 3], bytes: &[u64]) -> Arc<Checked> {
    let mut schedule = Schedule { kernels: vec![kernel.clone()], ..Schedule::default() };
    let mut downloads = Vec::new();
    let mut bindings = Vec::new();
    for (at, &bytes) in bytes.iter().enumerate() {
        let (name, id) = (kernel.buffers[at].name.clone(), at as u32);
        schedule.buffers.push(Buffer { name: name.clone(), bytes, life: Life::Transient });
        schedule.hosts.push(seawall_core::schedule::Host { name, bytes, writable: true });
        schedule.steps.push(Step::Upload { host: HostId(id), at: 0, to: whole(id, bytes) });
        downloads.push(Step::Download { from: whole(id, bytes), host: HostId(id), at: 0, length: None });
        bindings.push(whole(id, bytes));
    }
    schedule.steps.extend([Step::Barrier, Step::Dispatch { kernel: KernelId(0), grid, bindings }, Step::Barrier]);
    schedule.steps.append(&mut downloads);
    checked(schedule)
}

pub(crate) fn checked(schedule: Schedule) -> Arc<Checked> {
    Arc::new(check::check(schedule).unwrap_or_else(|error| panic!("{error}")))
}

/// Runs with these host slices.
pub(crate) fn run(loaded: &dyn Loaded, hosts: &mut [Vec<u32>]) -> Result<Stats, Error> {
    run_with(loaded, hosts, &Control::default())
}

pub(crate) fn run_with(loaded: &dyn Loaded, hosts: &mut [Vec<u32>], control: &Control) -> Result<Stats, Error> {
    let mut bytes: Vec<Vec<u8>> =
        hosts.iter().map(|words| words.iter().flat_map(|word| word.to_le_bytes()).collect()).collect();
    let io = Io { hosts: bytes.iter_mut().map(|bytes| Host::Write(bytes)).collect(), residents: Vec::new() };
    let result = loaded.run(io, control);
    for (words, bytes) in hosts.iter_mut().zip(&bytes) {
        *words = bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().expect("whole words"))).collect();
    }
    result
}

/// Doubles `v` and adds `w`.
pub(crate) const SUM: &str = "
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@group(0) @binding(1) var<storage> w: array<u32>;
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) { v[id.x] = 2 * v[id.x] + w[id.x]; }";

/// `SUM` over eight elements, loaded.
pub(crate) fn sum(device: &Device) -> Result<Box<dyn Loaded>, Error> {
    device.load(call(&kernel(SUM), [2, 1, 1], &[32, 32]))
}

/// Runs it and looks at the result.
pub(crate) fn sums(loaded: &dyn Loaded) -> Result<(), Error> {
    let mut hosts = [(0..8).collect::<Vec<u32>>(), vec![5; 8]];
    run(loaded, &mut hosts)?;
    assert_eq!(hosts[0], (0..8).map(|i| 2 * i + 5).collect::<Vec<u32>>());
    Ok(())
}
