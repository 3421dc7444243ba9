//! Grids that are cut: kernels see the ids of the whole.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use seawall_core::check::Checked;
use seawall_core::device::{Control, Device as _, Error, Reason};
use seawall_core::schedule::{Binding, Buffer, BufferId, Host, HostId, KernelId, Life, Schedule, Step};
use seawall_gpu::Config;
use seawall_gpu::fault::{Fault, Faults, Point};

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

/// Each invocation of a grid of 5 by 3 by 2 saw its ids, once.
fn assert_ids(seen: &[u32]) {
    for (flat, seen) in seen.chunks(4).enumerate() {
        let [x, y, z] = [flat % 10, flat / 10 % 9, flat / 90];
        assert_eq!(seen, [x as u32 / 2, y as u32 / 3, z as u32, 6], "invocation {flat}");
    }
}

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
            assert_ids(&hosts[0]);
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

/// A schedule that runs a kernel over a grid which stands in its first host slice, from word 63
/// on: across the border of what a binding may start at.
fn decided(source: &str, limit: [u32; 3], bytes: u64) -> Arc<Checked> {
    let mut schedule = Schedule { kernels: vec![kernel(source)], ..Schedule::default() };
    for (name, bytes) in [("grid", 272), ("seen", bytes)] {
        schedule.buffers.push(Buffer { name: name.to_owned(), bytes, life: Life::Transient });
        schedule.hosts.push(Host { name: name.to_owned(), bytes, writable: true });
    }
    let args = Binding { buffer: BufferId(0), offset: 252, bytes: 12 };
    let bindings = vec![whole(1, bytes)];
    schedule.steps.extend([
        Step::Upload { host: HostId(0), at: 0, to: whole(0, 272) },
        Step::Barrier,
        Step::DispatchIndirect { kernel: KernelId(0), args, limit, bindings },
        Step::Barrier,
        Step::Download { from: whole(1, bytes), host: HostId(1), at: 0, length: None },
    ]);
    support::checked(schedule)
}

/// The host slices of such a schedule.
fn hosts(grid: [u32; 3], words: u64) -> [Vec<u32>; 2] {
    let mut hosts = [vec![0; 68], vec![0; words as usize]];
    hosts[0][63..66].copy_from_slice(&grid);
    hosts
}

/// Notes how many workgroups were done whenever something is submitted.
#[derive(Default)]
struct Watch {
    control: Control,
    done: Mutex<Vec<u64>>,
}

impl Faults for Watch {
    fn at(&self, point: Point) -> Option<Fault> {
        if point == Point::Submit {
            self.done.lock().unwrap().push(self.control.workgroups_done.load(Ordering::Relaxed));
        }
        None
    }
}

impl Watch {
    /// The workgroups of each submission since the last time.
    fn submissions(&self) -> Vec<u64> {
        let mut done = std::mem::take(&mut *self.done.lock().unwrap());
        done.push(self.control.workgroups_done.load(Ordering::Relaxed));
        done.windows(2).map(|pair| pair[1] - pair[0]).collect()
    }
}

/// The same where the device decides the grid: cut by the host, and folded on the device.
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
    let watch = Arc::new(Watch::default());
    let config = Config { slice: Some(Duration::from_hours(1)), faults: Some(watch.clone()), ..Config::default() };
    let device = support::open(config);
    let words = 140_000;
    let limit = [1 << 20; 3];
    let loaded = device.load(decided(source, limit, words * 4)).unwrap_or_else(|error| panic!("{error}"));
    let ran = |grid: [u32; 3]| {
        let mut hosts = hosts(grid, words);
        let stats = support::run_with(&*loaded, &mut hosts, &watch.control);
        stats.map(|stats| (stats, hosts[1].clone(), watch.submissions()))
    };
    for (round, grid) in [[70_000, 2, 1], [70_000, 2, 1], [5, 3, 2], [1, 66_000, 2]].into_iter().enumerate() {
        let (stats, seen, submissions) = ran(grid).unwrap_or_else(|error| panic!("{error}"));
        let groups: u32 = grid.iter().product();
        assert_eq!(stats.workgroups, u64::from(groups));
        assert_eq!(submissions.iter().sum::<u64>(), u64::from(groups));
        // The first time it is cut; then it is known not to be long, and stays on the device.
        assert_eq!(submissions.len() > 1, round == 0, "{grid:?}: {submissions:?}");
        for (flat, &seen) in seen.iter().enumerate().take(groups as usize) {
            let flat = flat as u32;
            let [x, y, z] = [flat % grid[0], flat / grid[0] % grid[1], flat / grid[0] / grid[1]];
            assert_eq!(seen, 2 + 2 * x + 1 + y * 7 + z * 1000, "workgroup {flat} of {grid:?}");
        }
    }
    assert_eq!(ran([70_000, 0, 1]).expect("nothing to run").0.workgroups, 0);
    match ran(limit) {
        Err(Error::GridTooLarge { step: 2, grid, .. }) => assert_eq!(grid, limit),
        other => panic!("{other:?}"),
    }
    match ran([1, (1 << 20) + 1, 1]) {
        Err(Error::GridLimit { step: 2, grid, .. }) => assert_eq!(grid, [1, (1 << 20) + 1, 1]),
        other => panic!("{other:?}"),
    }
}

/// A grid that the device decides is cut like one that is given: no submission has more
/// workgroups than its slice has time for, and each invocation sees its ids, once.
pub(crate) fn decided_in_parts() {
    let watch = Arc::new(Watch::default());
    let config = Config { slice: Some(Duration::from_nanos(1)), faults: Some(watch.clone()), ..Config::default() };
    let device = support::open(config);
    let (grid, words) = ([5, 3, 2], 6 * 30 * 4);
    let loaded = device.load(decided(IDS, [10, 10, 10], words * 4)).unwrap_or_else(|error| panic!("{error}"));
    for _ in 0..2 {
        let mut hosts = hosts(grid, words);
        let stats = support::run_with(&*loaded, &mut hosts, &watch.control).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(stats.workgroups, 30);
        assert_ids(&hosts[1]);
        let submissions = watch.submissions();
        assert_eq!(submissions.iter().sum::<u64>(), 30);
        assert!(submissions.iter().all(|&groups| groups <= 1), "{submissions:?}");
    }
}

/// A grid beyond its limit is not run, whether the host or the device finds out.
pub(crate) fn decided_beyond_its_limit() {
    for (limit, nanos) in [([10, 10, 10], 1), ([4, 3, 2], 1_000_000_000)] {
        let device = support::open(Config { slice: Some(Duration::from_nanos(nanos)), ..Config::default() });
        let loaded = device.load(decided(IDS, limit, 2880)).unwrap_or_else(|error| panic!("{error}"));
        let grid = limit.map(|n| n + 1);
        let error = support::run(&*loaded, &mut hosts(grid, 720)).expect_err("it is beyond its limit");
        assert_eq!(error, Error::GridLimit { step: 2, grid, limit });
        let stats = support::run(&*loaded, &mut hosts([2, 1, 1], 720)).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(stats.workgroups, 2);
    }
}

/// A long dispatch ends soon after it is told to, whoever decides its grid, and says what it was
/// about.
pub(crate) fn stop_between_slices() {
    let source = "
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var x = id.x;
    for (var i = 0u; i < 20000u; i++) { x = x * 1664525u + 1013904223u; }
    v[id.x % 64] = x;
}";
    let grid = [60_000, 1, 1];
    let given = (call(&kernel(source), grid, &[256]), vec![vec![0; 64]]);
    let found = (decided(source, grid, 256), hosts(grid, 64).to_vec());
    for (reason, step, (schedule, mut hosts)) in [(Reason::Caller, 2, given), (Reason::Deadline, 2, found)] {
        let device = support::open(Config { slice: Some(Duration::from_millis(5)), ..Config::default() });
        let loaded = device.load(schedule).unwrap_or_else(|error| panic!("{error}"));
        let control = Control::default();
        let error = thread::scope(|scope| {
            scope.spawn(|| {
                while control.workgroups_done.load(Ordering::Relaxed) == 0 {
                    thread::sleep(Duration::from_millis(1));
                }
                control.stop.ask(reason);
            });
            support::run_with(&*loaded, &mut hosts, &control).expect_err("it is stopped")
        });
        let done = control.workgroups_done.load(Ordering::Relaxed);
        assert!(done < 60_000);
        let Error::Stopped { reason: why, report: Some(report) } = &error else { panic!("{error}") };
        assert_eq!(*why, reason);
        let message =
            format!("{reason}, in `main`: {done} of 60000 workgroups of step {step} were done on device `gpu`");
        assert_eq!(report.diagnostics[0].message, message);
    }
}

/// A slice that takes long does not hold the caller, and the next run comes after it. The first
/// of a kernel is as large as this however long it takes.
pub(crate) fn stop_within_a_slice() {
    let source = "
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var x = id.x;
    for (var i = 0u; i < 60000u; i++) { x = x * 1664525u + 1013904223u; x ^= x >> 3u; x = x * 22695477u + 1u; }
    v[id.x % 64] = x;
}";
    let device = support::open(Config::default());
    let loaded = device.load(call(&kernel(source), [1024, 1, 1], &[256])).unwrap_or_else(|error| panic!("{error}"));
    let control = Control::default();
    let error = thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(20));
            control.stop.ask(Reason::Deadline);
        });
        support::run_with(&*loaded, &mut [vec![1; 64]], &control).expect_err("it is stopped")
    });
    let Error::Stopped { reason: Reason::Deadline, report } = &error else { panic!("{error}") };
    let message = "the run was not done at its deadline, in `main`: \
                   0 of 1024 workgroups of step 2 were done on device `gpu`";
    // Without a report it was stopped before it had begun, on a very busy machine.
    assert!(report.as_ref().is_none_or(|report| report.diagnostics[0].message == message), "{error}");
    support::sums(&*support::sum(&device).expect("the device works")).expect("after what was left");
}
