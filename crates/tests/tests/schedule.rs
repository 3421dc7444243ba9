//! Every kind of step on every device that is there, alone and with its neighbours.

use std::sync::Arc;

use seawall_core::check::{Checked, check};
use seawall_core::device::{Control, Device, Error, Host, Io, Stats, Stop, fit};
use seawall_core::program::{Overrides, Program};
use seawall_core::reference;
use seawall_core::schedule::{self, Binding, Buffer, BufferId, HostId, KernelId, Length, Life, Schedule, Step};

const WGSL: &str = "
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@compute @workgroup_size(4)
fn double(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&y) { y[id.x] = 2u * x[id.x]; }
}

// A grid and a count for what follows.
@compute @workgroup_size(1)
fn decide() { y[0] = x[0] + 1u; y[1] = 1u; y[2] = 1u; y[3] = x[1]; }

@group(0) @binding(2) var<storage, read_write> tally: atomic<u32>;
@compute @workgroup_size(4)
fn count() { atomicAdd(&tally, 1u); }
";

const DOUBLE: KernelId = KernelId(0);
const DECIDE: KernelId = KernelId(1);
const COUNT: KernelId = KernelId(2);

fn devices() -> Vec<(String, Arc<dyn Device>)> {
    let shuffled = reference::Device::new(reference::Config { seed: Some(7), ..reference::Config::default() });
    let mut devices = seawall_tests::devices();
    devices.push(("reference, shuffled".to_owned(), Arc::new(shuffled)));
    devices
}

/// Buffers and slices by size, in bytes.
fn schedule(buffers: &[u64], hosts: &[u64], steps: Vec<Step>) -> Schedule {
    let program = Program::wgsl(WGSL).unwrap();
    let kernel = |entry| program.kernel(entry, &Overrides::new()).unwrap();
    let buffer = |(i, &bytes): (usize, &u64)| Buffer { name: format!("buffer {i}"), bytes, life: Life::Transient };
    let host = |(i, &bytes): (usize, &u64)| schedule::Host { name: format!("host {i}"), bytes, writable: true };
    Schedule {
        kernels: ["double", "decide", "count"].map(kernel).to_vec(),
        buffers: buffers.iter().enumerate().map(buffer).collect(),
        hosts: hosts.iter().enumerate().map(host).collect(),
        steps,
        budget_bytes: None,
    }
}

fn proven(schedule: Schedule) -> Arc<Checked> {
    let text = schedule.to_string();
    Arc::new(check(schedule).unwrap_or_else(|error| panic!("{error} in\n{text}")))
}

fn range(buffer: u32, offset: u64, bytes: u64) -> Binding {
    Binding { buffer: BufferId(buffer), offset, bytes }
}

fn upload(host: u32, at: u64, to: Binding) -> Step {
    Step::Upload { host: HostId(host), at, to }
}

fn download(from: Binding, host: u32, at: u64) -> Step {
    Step::Download { from, host: HostId(host), at, length: None }
}

fn dispatch(kernel: KernelId, grid: u32, bindings: &[Binding]) -> Step {
    Step::Dispatch { kernel, grid: [grid, 1, 1], bindings: bindings.to_vec() }
}

/// Runs it on every device, twice, on copies of `hosts`; what the slices hold afterwards is the
/// same each time, and so it is returned once.
fn run(schedule: Schedule, hosts: &[&[u32]]) -> Result<Vec<Vec<u32>>, Error> {
    let schedule = proven(schedule);
    let mut results = Vec::new();
    for (name, device) in devices() {
        let loaded = device.load(schedule.clone())?;
        for again in [false, true] {
            let mut hosts: Vec<Vec<u32>> = hosts.iter().map(|words| words.to_vec()).collect();
            let slices = hosts.iter_mut().map(|words| Host::Write(bytemuck::cast_slice_mut(words))).collect();
            let result = loaded.run(Io { hosts: slices, residents: Vec::new() }, &Control::default());
            let result = result.map(|stats| {
                assert!(stats.peak_bytes <= schedule.peak_bytes(), "{name}: {stats:?}");
                hosts
            });
            results.push((format!("{name}, again: {again}"), result));
        }
    }
    let (_, first) = results.remove(0);
    for (name, result) in results {
        assert_eq!(result, first, "on {name}");
    }
    first
}

#[test]
fn what_suits_one_device_is_loaded_on_no_other() {
    let (schedule, devices) = (proven(schedule(&[], &[], Vec::new())), devices());
    for (name, device) in &devices {
        for (_, other) in &devices {
            let fitted = fit(schedule.clone(), device.caps()).unwrap();
            let (device_id, fits) = (other.caps().id.clone(), device.caps().id.clone());
            let foreign = Err(Error::ForeignSchedule { device: device_id, fits });
            let expected = if Arc::ptr_eq(device, other) { Ok(()) } else { foreign };
            assert_eq!(other.load_with(fitted, &Stop::default()).map(drop), expected, "{name}");
        }
    }
}

#[test]
fn ranges_of_slices_and_buffers() {
    let all = range(1, 0, 16);
    let steps = vec![
        upload(0, 4, range(0, 0, 8)),
        upload(0, 0, range(0, 8, 4)),
        Step::Barrier,
        dispatch(DOUBLE, 1, &[range(0, 0, 16), all]),
        Step::Barrier,
        download(range(1, 4, 12), 1, 0),
        download(range(1, 0, 4), 1, 12),
    ];
    let hosts = run(schedule(&[16, 16], &[16, 20], steps), &[&[1, 2, 3, 4], &[9; 5]]).unwrap();
    assert_eq!(hosts, [vec![1, 2, 3, 4], vec![6, 2, 0, 4, 9]]);
}

#[test]
fn clears_and_copies() {
    let steps = vec![
        upload(0, 0, range(0, 0, 16)),
        Step::Barrier,
        Step::Copy { from: range(0, 0, 8), to: range(0, 8, 8) },
        Step::Copy { from: range(0, 0, 4), to: range(1, 4, 4) },
        Step::Barrier,
        Step::Clear { range: range(0, 4, 4) },
        Step::Barrier,
        download(range(0, 0, 16), 0, 0),
        download(range(1, 0, 8), 1, 0),
    ];
    let hosts = run(schedule(&[16, 8], &[16, 8], steps), &[&[1, 2, 3, 4], &[9; 2]]).unwrap();
    assert_eq!(hosts, [vec![1, 0, 1, 2], vec![0, 1]]);
}

/// Close together, far apart, twice, and out of order: each download gets its own bytes.
#[test]
fn many_small_downloads() {
    let words: Vec<u32> = (0..4096).collect();
    let places: Vec<u64> = (0..200).map(|i| (i * i * 7 + i % 3) % 4000 * 4).collect();
    let mut steps = vec![upload(0, 0, range(0, 0, 16384)), upload(0, 0, range(1, 0, 16384)), Step::Barrier];
    let (mut expected, mut at) = (Vec::new(), 0);
    for (i, &place) in places.iter().enumerate() {
        let bytes = 4 * (1 + i as u64 % 16);
        steps.push(download(range(i as u32 % 2, place, bytes), 1, at));
        expected.extend_from_slice(&words[(place / 4) as usize..][..bytes as usize / 4]);
        at += bytes;
    }
    let hosts = run(schedule(&[16384; 2], &[16384, at], steps), &[&words, &vec![9; at as usize / 4]]).unwrap();
    assert_eq!(hosts[1], expected);
}

/// A result with room for much more than it has; only what means something comes back.
#[test]
fn a_short_result_in_a_large_buffer() {
    const BYTES: u64 = 4 << 16;
    for count in [0, 1, 1000, 1 << 16] {
        let length = Length { count: range(1, 12, 4), element_bytes: 4 };
        let mut steps = vec![upload(0, 0, range(0, 0, BYTES)), upload(1, 0, range(2, 0, 8)), Step::Barrier];
        steps.extend([dispatch(DECIDE, 1, &[range(2, 0, 8), range(1, 0, 16)]), Step::Barrier]);
        steps.push(Step::Download { from: range(0, 0, BYTES), host: HostId(2), at: 0, length: Some(length) });
        steps.push(download(range(1, 12, 4), 3, 0));
        let schedule = proven(schedule(&[BYTES, 16, 8], &[BYTES, 8, BYTES, 4], steps));
        let words: Vec<u32> = (0..1 << 16).collect();
        for (name, device) in devices() {
            let (decides, mut result, mut found) = ([0, count], vec![9u32; 1 << 16], [9u32]);
            let hosts = vec![
                Host::Read(bytemuck::cast_slice(&words)),
                Host::Read(bytemuck::cast_slice(&decides)),
                Host::Write(bytemuck::cast_slice_mut(&mut result)),
                Host::Write(bytemuck::cast_slice_mut(&mut found)),
            ];
            let loaded = device.load(schedule.clone()).unwrap();
            let stats = loaded.run(Io { hosts, residents: Vec::new() }, &Control::default()).unwrap();
            let (meant, rest) = result.split_at(count as usize);
            assert_eq!(meant, &words[..count as usize], "{name}");
            assert!(rest.iter().all(|&word| word == 9), "{name}: the rest stays as it is");
            assert_eq!((found, stats.downloaded_bytes), ([count], u64::from(count) * 4 + 4), "{name}");
        }
    }
}

/// Decides a grid and a count from `x`, then counts invocations over it, and downloads as many
/// words of the input as the count says.
fn decided(x: [u32; 2], limit: u32) -> Result<Vec<Vec<u32>>, Error> {
    let (x_all, args, tally) = (range(0, 0, 16), range(1, 0, 16), range(2, 0, 4));
    let length = Length { count: range(1, 12, 4), element_bytes: 4 };
    let grid = range(1, 0, 12);
    let indirect = Step::DispatchIndirect { kernel: COUNT, args: grid, limit: [limit, 1, 1], bindings: vec![tally] };
    let steps = vec![
        upload(0, 0, x_all),
        Step::Barrier,
        dispatch(DECIDE, 1, &[x_all, args]),
        Step::Barrier,
        indirect,
        Step::Download { from: range(0, 4, 12), host: HostId(1), at: 4, length: Some(length) },
        download(range(1, 12, 4), 1, 0),
        Step::Barrier,
        download(tally, 2, 0),
    ];
    run(schedule(&[16, 16, 4], &[16, 16, 4], steps), &[&[x[0], x[1], 30, 40], &[9; 4], &[9]])
}

#[test]
fn grids_and_lengths_that_the_device_decides() {
    assert_eq!(decided([2, 2], 3).unwrap()[1..], [vec![2, 2, 30, 9], vec![12]]);
    assert_eq!(decided([u32::MAX, 0], 3).unwrap()[1..], [vec![0, 9, 9, 9], vec![0]]);
    // A count beyond the range is as good as all of it.
    assert_eq!(decided([0, 77], 1).unwrap()[1..], [vec![77, 77, 30, 40], vec![4]]);
}

#[test]
fn a_grid_beyond_its_limit_is_an_error() {
    assert_eq!(decided([3, 0], 3), Err(Error::GridLimit { step: 4, grid: [4, 1, 1], limit: [3, 1, 1] }));
}

/// Ten buffers, each made from the one before, which is freed then: two are live at a time.
#[test]
fn lives_end_and_memory_is_used_again() {
    const STAGES: u32 = 10;
    for bytes in [16, 4 << 16] {
        let whole = |buffer| range(buffer, 0, bytes);
        let mut steps = vec![upload(0, 0, whole(0)), Step::Barrier];
        for stage in 1..STAGES {
            let grid = (bytes / 16) as u32;
            steps.extend([dispatch(DOUBLE, grid, &[whole(stage - 1), whole(stage)]), Step::Barrier]);
            steps.extend([Step::Free { buffer: BufferId(stage - 1) }]);
        }
        steps.push(download(whole(STAGES - 1), 1, 0));
        let mut all = schedule(&[bytes; STAGES as usize], &[bytes; 2], steps);
        // Freed in the group that makes the next but one.
        all.budget_bytes = Some(3 * bytes);
        let words: Vec<u32> = (0..bytes as u32 / 4).collect();
        let hosts = run(all, &[&words, &words]).unwrap();
        assert_eq!(hosts[0], words);
        assert_eq!(hosts[1], words.iter().map(|word| word << (STAGES - 1)).collect::<Vec<_>>());
    }
}

/// A new life starts with zeros, also in memory that another buffer left.
#[test]
fn lives_start_as_zeros() {
    let mut steps = vec![upload(0, 0, range(0, 0, 16)), Step::Free { buffer: BufferId(0) }, Step::Barrier];
    steps.extend([Step::Copy { from: range(1, 8, 8), to: range(1, 0, 8) }, Step::Barrier]);
    steps.push(download(range(1, 0, 16), 1, 0));
    let hosts = run(schedule(&[16, 16], &[16, 16], steps), &[&[1, 2, 3, 4], &[9; 4]]).unwrap();
    assert_eq!(hosts[1], [0; 4]);
}

/// What is downloaded in one group can be uploaded in a later one, elsewhere.
#[test]
fn through_the_host_and_back() {
    let (a, b, c) = (range(0, 0, 16), range(1, 0, 16), range(2, 0, 16));
    let steps = vec![
        upload(0, 0, a),
        Step::Barrier,
        dispatch(DOUBLE, 1, &[a, b]),
        Step::Free { buffer: a.buffer },
        Step::Barrier,
        download(b, 1, 0),
        Step::Free { buffer: b.buffer },
        Step::Barrier,
        upload(1, 0, c),
        Step::Barrier,
        dispatch(DOUBLE, 1, &[c, range(3, 0, 16)]),
        Step::Barrier,
        download(range(3, 0, 16), 0, 0),
    ];
    let hosts = run(schedule(&[16; 4], &[16, 16], steps), &[&[1, 2, 3, 4], &[9; 4]]).unwrap();
    assert_eq!(hosts, [vec![4, 8, 12, 16], vec![2, 4, 6, 8]]);
}

/// A slice that is uploaded twice is the same both times, whatever became of the first copy.
#[test]
fn a_slice_is_not_changed_by_what_is_made_of_it() {
    let (a, b) = (range(0, 0, 16), range(1, 0, 16));
    let steps = vec![
        upload(0, 0, a),
        Step::Barrier,
        Step::Clear { range: a },
        Step::Barrier,
        upload(0, 0, b),
        download(a, 1, 0),
        Step::Barrier,
        download(b, 2, 0),
    ];
    let hosts = run(schedule(&[16, 16], &[16; 3], steps), &[&[1, 2, 3, 4], &[9; 4], &[9; 4]]).unwrap();
    assert_eq!(hosts, [vec![1, 2, 3, 4], vec![0; 4], vec![1, 2, 3, 4]]);
}

/// Grids and counts of a buffer that is uploaded only later are zeros, whatever the slice holds.
#[test]
fn what_a_step_reads_for_itself_is_there_before_an_upload() {
    let (x, args, tally) = (range(0, 0, 16), range(1, 0, 16), range(2, 0, 4));
    let length = Length { count: range(1, 12, 4), element_bytes: 4 };
    let early = [
        Step::DispatchIndirect { kernel: COUNT, args: range(1, 0, 12), limit: [9; 3], bindings: vec![tally] },
        Step::Download { from: x, host: HostId(1), at: 0, length: Some(length) },
    ];
    for early in early {
        let steps = vec![
            early,
            Step::Barrier,
            upload(0, 0, args),
            Step::Barrier,
            dispatch(DOUBLE, 1, &[args, x]),
            Step::Barrier,
            download(x, 2, 0),
            download(tally, 3, 0),
        ];
        let hosts = run(schedule(&[16, 16, 4], &[16, 16, 16, 4], steps), &[&[1, 1, 1, 4], &[9; 4], &[9; 4], &[9]]);
        assert_eq!(hosts.unwrap()[1..], [vec![9; 4], vec![2, 2, 2, 8], vec![0]]);
    }
}

#[test]
fn statistics_count_what_was_found() {
    let (x, args, tally) = (range(0, 0, 16), range(1, 0, 16), range(2, 0, 4));
    let length = Length { count: range(1, 12, 4), element_bytes: 4 };
    let steps = vec![
        upload(0, 0, x),
        Step::Barrier,
        dispatch(DECIDE, 1, &[x, args]),
        Step::Barrier,
        Step::DispatchIndirect { kernel: COUNT, args: range(1, 0, 12), limit: [9; 3], bindings: vec![tally] },
        Step::Download { from: x, host: HostId(0), at: 0, length: Some(length) },
    ];
    let schedule = proven(schedule(&[16, 16, 4], &[16], steps));
    for (name, device) in devices() {
        let mut words = [4, 3, 2, 1];
        let hosts = vec![Host::Write(bytemuck::cast_slice_mut(&mut words))];
        let loaded = device.load(schedule.clone()).unwrap();
        let stats = loaded.run(Io { hosts, residents: Vec::new() }, &Control::default()).unwrap();
        let expected = Stats {
            dispatches: 2,
            workgroups: 6,
            invocations: 21,
            barriers: 2,
            uploaded_bytes: 16,
            downloaded_bytes: 12,
            readback: stats.readback,
            peak_bytes: stats.peak_bytes,
            ..Stats::default()
        };
        assert_eq!(stats, expected, "on {name}");
    }
}
