//! Grids that are cut: kernels see the ids of the whole.

use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use seawall_core::device::{Control, Device as _, Error, Reason};
use seawall_core::schedule::{Binding, Buffer, BufferId, Host, HostId, KernelId, Life, Schedule, Step};
use seawall_gpu::Config;

use crate::support::{self, call, kernel, whole};

/// Writes all ids of each invocation to its own place.
const IDS: &str = "
struct Ids {
    @builtin(workgroup_id) group: vec3u,
    @builtin(local_invocation_index) index: u32,
    @builtin(num_workgroups) grid: vec3u,
}
@group(1) @binding(9) var<storage, read_write> seen: array<vec4u>;
var<workgroup> sum: atomic<u32>;
@compute @workgroup_size(2, 3)
fn main(ids: Ids, @builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_id) local: vec3u) {
    atomicAdd(&sum, 1);
    workgroupBarrier();
    let flat = (id.z * ids.grid.y * 3 + id.y) * ids.grid.x * 2 + id.x;
    let same = all(id == ids.group * vec3u(2, 3, 1) + local) && local.y * 2 + local.x == ids.index;
    seen[flat] += vec4u(ids.group.x, ids.group.y, ids.group.z, select(0u, atomicLoad(&sum), same));
}";

/// However the grid is cut, each invocation sees its ids, once.
pub(crate) fn ids_in_parts() {
    let grid = [5, 3, 2];
    let invocations = 6 * 30;
    let check = call(&kernel(IDS), grid, &[invocations * 16]);
    for nanos in [1, 1_000_000_000] {
        let device = support::open(Config { slice: Some(Duration::from_nanos(nanos)), ..Config::default() });
        let loaded = device.load(check.clone()).unwrap_or_else(|error| panic!("{error}"));
        for _ in 0..2 {
            let mut hosts = [vec![0; invocations as usize * 4]];
            support::run(&*loaded, &mut hosts).unwrap_or_else(|error| panic!("{error}"));
            for (flat, seen) in hosts[0].chunks(4).enumerate() {
                let [x, y, z] = [flat % 10, flat / 10 % 9, flat / 90];
                assert_eq!(seen, [x as u32 / 2, y as u32 / 3, z as u32, 6], "invocation {flat}, slice {nanos}");
            }
        }
    }
}

/// More workgroups in a dimension than one dispatch takes.
pub(crate) fn beyond_a_dimension() {
    let source = "
@group(0) @binding(0) var<storage, read_write> seen: array<u32>;
@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) grid: vec3u) {
    seen[id.x * grid.y + id.y] += id.x * 2 + id.y + (grid.x - 70000);
}";
    let device = support::open(Config::default());
    let loaded = device.load(call(&kernel(source), [70_000, 2, 1], &[560_000])).unwrap_or_else(|e| panic!("{e}"));
    let mut hosts = [vec![0; 140_000]];
    let stats = support::run(&*loaded, &mut hosts).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(stats.workgroups, 140_000);
    assert!(hosts[0].iter().enumerate().all(|(at, &seen)| at as u32 == seen));
}

/// The same where the device decides the grid.
pub(crate) fn decided_beyond_a_dimension() {
    let source = "
@group(0) @binding(0) var<storage, read_write> seen: array<u32>;
var<workgroup> sum: atomic<u32>;
@compute @workgroup_size(2)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) grid: vec3u,
        @builtin(global_invocation_id) id: vec3u) {
    atomicAdd(&sum, 1);
    workgroupBarrier();
    let flat = (group.z * grid.y + group.y) * grid.x + group.x;
    if id.x == group.x * 2 + 1 { seen[flat] += atomicLoad(&sum) + id.x + id.y * 7 + id.z * 1000; }
}";
    let device = support::open(Config::default());
    let ran = |grid: [u32; 3], limit: [u32; 3]| {
        let groups: u32 = grid.iter().fold(1, |a: u32, &b| a.saturating_mul(b)).clamp(1, 1 << 18);
        let bytes = u64::from(groups) * 4;
        let mut schedule = Schedule { kernels: vec![kernel(source)], ..Schedule::default() };
        for (name, bytes) in [("grid", 272), ("seen", bytes)] {
            schedule.buffers.push(Buffer { name: name.to_owned(), bytes, life: Life::Transient });
            schedule.hosts.push(Host { name: name.to_owned(), bytes, writable: true });
        }
        // Across the border of what a binding may start at.
        let args = Binding { buffer: BufferId(0), offset: 252, bytes: 12 };
        let bindings = vec![whole(1, bytes)];
        schedule.steps.extend([
            Step::Upload { host: HostId(0), at: 0, to: whole(0, 272) },
            Step::Barrier,
            Step::DispatchIndirect { kernel: KernelId(0), args, limit, bindings },
            Step::Barrier,
            Step::Download { from: whole(1, bytes), host: HostId(1), at: 0, length: None },
        ]);
        let loaded = device.load(support::checked(schedule)).unwrap_or_else(|error| panic!("{error}"));
        let mut hosts = [vec![0; 68], vec![0; groups as usize]];
        hosts[0][63..66].copy_from_slice(&grid);
        support::run(&*loaded, &mut hosts).map(|stats| (stats, hosts[1].clone()))
    };
    for grid in [[70_000, 2, 1], [5, 3, 2], [1, 66_000, 2]] {
        let (stats, seen) = ran(grid, [70_000, 70_000, 2]).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(stats.workgroups, u64::from(grid.iter().product::<u32>()));
        for (flat, &seen) in seen.iter().enumerate() {
            let flat = flat as u32;
            let [x, y, z] = [flat % grid[0], flat / grid[0] % grid[1], flat / grid[0] / grid[1]];
            assert_eq!(seen, 2 + 2 * x + 1 + y * 7 + z * 1000, "workgroup {flat} of {grid:?}");
        }
    }
    assert_eq!(ran([70_000, 0, 1], [70_000; 3]).expect("nothing to run").0.workgroups, 0);
    let limit = [1 << 20, 1 << 20, 1 << 20];
    match ran(limit, limit) {
        Err(Error::GridTooLarge { step: 2, grid, .. }) => assert_eq!(grid, limit),
        other => panic!("{other:?}"),
    }
}

/// A long dispatch ends soon after it is told to.
pub(crate) fn stop_between_slices() {
    let source = "
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var x = id.x;
    for (var i = 0u; i < 20000u; i++) { x = x * 1664525u + 1013904223u; }
    v[id.x % 64] = x;
}";
    let device = support::open(Config { slice: Some(Duration::from_millis(5)), ..Config::default() });
    let loaded = device.load(call(&kernel(source), [60_000, 1, 1], &[256])).unwrap_or_else(|e| panic!("{e}"));
    let control = Control::default();
    thread::scope(|scope| {
        scope.spawn(|| {
            while control.workgroups_done.load(Ordering::Relaxed) == 0 {
                thread::sleep(Duration::from_millis(1));
            }
            control.stop.ask(Reason::Caller);
        });
        let error = support::run_with(&*loaded, &mut [vec![0; 64]], &control).expect_err("it is stopped");
        assert_eq!(error, Error::Stopped { reason: Reason::Caller, report: None });
    });
    assert!(control.workgroups_done.load(Ordering::Relaxed) < 60_000);
}
