//! Random kernels that every device must run alike, GPUs too. `SEAWALL_KERNELS=N` runs so many,
//! `SEAWALL_SEED=X` starts at another seed: a failure says which one replays it.

use std::env;
use std::sync::Arc;

use seawall_core::check::{Checked, check};
use seawall_core::device::{Control, Device, Host, Io};
use seawall_core::program::{Overrides, Program};
use seawall_core::reference;
use seawall_core::schedule::{self, Binding, Buffer, BufferId, HostId, KernelId, Life, Schedule, Step};
use seawall_tests::portable::{CELLS, INPUTS, Kernel};

/// Drivers take a second or so to compile one.
const KERNELS: u64 = 8;

fn number(name: &str) -> Option<u64> {
    env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is a number, not `{text}`")))
}

/// Uploads everything, runs, and downloads what was written.
fn schedule(kernel: &Kernel) -> Arc<Checked> {
    let program = Program::wgsl(&kernel.text).unwrap_or_else(|report| panic!("{report}"));
    let compiled = program.kernel("main", &Overrides::new()).unwrap_or_else(|report| panic!("{report}"));
    let size = |name: &str| match name {
        "un" => 16,
        "inputs" => 4 * INPUTS as u64,
        "outputs" => 4 * kernel.outputs as u64,
        _ => 4 * CELLS as u64,
    };
    let mut all = Schedule::default();
    let (mut bindings, mut downloads) = (Vec::new(), Vec::new());
    for (at, row) in compiled.buffers.iter().enumerate() {
        let (name, bytes, host) = (row.name.clone(), size(&row.name), HostId(at as u32));
        let whole = Binding { buffer: BufferId(at as u32), offset: 0, bytes };
        all.buffers.push(Buffer { name: name.clone(), bytes, life: Life::Transient });
        all.hosts.push(schedule::Host { name, bytes, writable: true });
        all.steps.push(Step::Upload { host, at: 0, to: whole });
        downloads.push(Step::Download { from: whole, host, at: 0, length: None });
        bindings.push(whole);
    }
    let dispatch = Step::Dispatch { kernel: KernelId(0), grid: kernel.grid, bindings };
    all.steps.extend([Step::Barrier, dispatch, Step::Barrier]);
    all.steps.append(&mut downloads);
    all.kernels.push(Arc::new(compiled));
    Arc::new(check(all).unwrap_or_else(|error| panic!("{error}")))
}

fn run(device: &dyn Device, schedule: &Arc<Checked>) -> Vec<Vec<u8>> {
    let word = |at: u64| (at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32 >> (at % 32);
    let fill = |name: &str, at: u64| if name == "inputs" { word(at) } else { 0 };
    let host = |host: &schedule::Host| (0..host.bytes / 4).flat_map(|at| fill(&host.name, at).to_le_bytes()).collect();
    let mut hosts: Vec<Vec<u8>> = schedule.hosts.iter().map(host).collect();
    let loaded = device.load(schedule.clone()).unwrap_or_else(|error| panic!("{error}"));
    let io = Io { hosts: hosts.iter_mut().map(|bytes| Host::Write(bytes)).collect(), residents: Vec::new() };
    loaded.run(io, &Control::default()).unwrap_or_else(|error| panic!("{error}"));
    hosts
}

#[test]
fn every_device_gives_the_same() {
    let reference = reference::Device::new(reference::Config::default());
    let devices = seawall_tests::devices();
    let first = number("SEAWALL_SEED").unwrap_or(1);
    for seed in first..first + number("SEAWALL_KERNELS").unwrap_or(KERNELS) {
        let kernel = Kernel::new(seed);
        let schedule = schedule(&kernel);
        let expected = run(&reference, &schedule);
        assert!(expected.iter().flatten().filter(|byte| **byte != 0).count() > 64, "seed {seed} computes nothing");
        for (id, device) in &devices {
            let got = run(&**device, &schedule);
            for ((host, expected), got) in schedule.hosts.iter().zip(&expected).zip(&got) {
                let at = expected.chunks(4).zip(got.chunks(4)).position(|(a, b)| a != b);
                if let Some(at) = at {
                    let how = format!("SEAWALL_SEED={seed} SEAWALL_KERNELS=1");
                    panic!(
                        "{how}: `{}` differs at word {at} on {id}, grid {:?}\n{}",
                        host.name, kernel.grid, kernel.text
                    );
                }
            }
        }
    }
}
