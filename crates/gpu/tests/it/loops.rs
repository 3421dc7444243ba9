//! Loops and branches that the device decides: how often the host has to look, and what happens when
//! they are long.

use std::sync::Arc;
use std::time::Duration;

use seawall_core::check::Checked;
use seawall_core::device::{Control, Device as _, Error, Host, Io, Loaded, Stats};
use seawall_core::reference;
use seawall_core::schedule::{self, Binding, Buffer, BufferId, HostId, KernelId, Life, Schedule, Step, Test};
use seawall_gpu::Config;

use crate::results::Calls;
use crate::support::{self, checked, kernel, whole};

const BYTES: u64 = 64;

/// Counts down, and says how many workgroups come next.
const DOWN: &str = "
@group(0) @binding(0) var<storage, read_write> left: array<u32>;
@compute @workgroup_size(1)
fn main() {
    left[0] -= 1u;
    left[1] += 1u;
    left[4] = min(left[1] * left[1], 200u);
    left[5] = 1u;
    left[6] = 1u;
}";

/// A count for each workgroup.
const TALLY: &str = "
@group(0) @binding(0) var<storage, read_write> tally: array<atomic<u32>>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lane: u32) {
    if lane == 0u { atomicAdd(&tally[0], 1u); }
    atomicAdd(&tally[1], 1u);
}";

/// A loop of a few turns, with a grid that the device decides, loaded.
pub(crate) fn few_turns(device: &seawall_gpu::Device) -> Result<Box<dyn Loaded>, Error> {
    device.load(counts_down(&tally_over(1 << 20), u32::MAX))
}

/// Runs it and looks at the result.
pub(crate) fn six_turns(loaded: &dyn Loaded) -> Result<(), Error> {
    let (hosts, stats) = run(loaded, 6)?;
    // The sum of the first six squares.
    assert_eq!((hosts[1][0], stats.workgroups), (91, 6 + 91));
    Ok(())
}

/// What stands in a loop that counts a word down, around which words are up- and downloaded.
fn counts_down(body: &[Step], limit: u32) -> Arc<Checked> {
    let mut schedule = Schedule { kernels: vec![kernel(DOWN), kernel(TALLY)], ..Schedule::default() };
    let word = Binding { bytes: 4, ..whole(0, BYTES) };
    let mut down = Vec::new();
    for (at, name) in (0..).zip(["left", "tally", "other"]) {
        schedule.buffers.push(Buffer { name: name.to_owned(), bytes: BYTES, life: Life::Transient });
        schedule.hosts.push(schedule::Host { name: name.to_owned(), bytes: BYTES, writable: true });
        schedule.steps.push(Step::Upload { host: HostId(at), at: 0, to: whole(at, BYTES) });
        down.push(Step::Download { from: whole(at, BYTES), host: HostId(at), at: 0, length: None });
    }
    schedule.steps.push(Step::Loop { test: Some(Test { word, zero: false }), limit });
    schedule.steps.push(Step::Dispatch { kernel: KernelId(0), grid: [1; 3], bindings: vec![whole(0, BYTES)] });
    schedule.steps.extend(body.iter().cloned());
    schedule.steps.push(Step::End);
    schedule.steps.extend(down);
    checked(schedule)
}

fn tally(grid: [u32; 3]) -> Step {
    Step::Dispatch { kernel: KernelId(1), grid, bindings: vec![whole(1, BYTES)] }
}

fn tally_of(buffer: u32) -> Step {
    Step::Dispatch { kernel: KernelId(1), grid: [1; 3], bindings: vec![whole(buffer, BYTES)] }
}

fn tally_over(limit: u32) -> Vec<Step> {
    let args = Binding { buffer: BufferId(0), offset: 16, bytes: 12 };
    let bindings = vec![whole(1, BYTES)];
    vec![Step::Barrier, Step::DispatchIndirect { kernel: KernelId(1), args, limit: [limit, 1, 1], bindings }]
}

/// Runs it with so many turns to go; gives what is left in the buffers.
fn run(loaded: &dyn Loaded, turns: u32) -> Result<(Vec<Vec<u8>>, Stats), Error> {
    let mut hosts = vec![vec![0; BYTES as usize]; 3];
    hosts[0][..4].copy_from_slice(&turns.to_le_bytes());
    hosts[2].fill(7);
    let io = Io { hosts: hosts.iter_mut().map(|host| Host::Write(host)).collect(), residents: Vec::new() };
    let stats = loaded.run(io, &Control::default())?;
    Ok((hosts, stats))
}

/// What the reference device says it is, and nothing else of what is counted.
fn same(loaded: &dyn Loaded, checked: &Arc<Checked>, turns: u32) -> Stats {
    let reference = reference::Device::new(reference::Config::default()).load(checked.clone()).expect("it loads");
    let (expected, counted) = run(&*reference, turns).unwrap_or_else(|error| panic!("{turns}: {error}"));
    let (got, stats) = run(loaded, turns).unwrap_or_else(|error| panic!("{turns}: {error}"));
    assert_eq!(got, expected, "{turns} turns");
    let count =
        |stats: &Stats| (stats.loops.clone(), stats.dispatches, stats.workgroups, stats.invocations, stats.barriers);
    assert_eq!(count(&stats), count(&counted), "{turns} turns");
    stats
}

/// A loop of any number of turns has the host look at most once for each chunk, and chunks grow.
pub(crate) fn few_looks() {
    let clear = Step::Clear { range: Binding { offset: 4, bytes: 4, ..whole(2, BYTES) } };
    let copy = Step::Copy {
        from: Binding { bytes: 8, ..whole(1, BYTES) },
        to: Binding { offset: 16, bytes: 8, ..whole(2, BYTES) },
    };
    let swap = Step::Swap { first: BufferId(1), second: BufferId(2) };
    let body = [tally([3, 1, 1]), Step::Barrier, copy, clear, Step::Barrier, swap];
    let checked = counts_down(&body, u32::MAX);
    let calls = Arc::new(Calls::default());
    let device = support::open(Config {
        faults: Some(calls.clone()),
        // However slow this machine is.
        slice: Some(Duration::from_secs(1000)),
        ..Config::default()
    });
    let loaded = device.load(checked.clone()).unwrap_or_else(|error| panic!("{error}"));
    for turns in [0_u32, 1, 3, 4, 5, 12, 13, 100, 1000] {
        calls.take();
        same(&*loaded, &checked, turns);
        let [submissions, maps, waits] = calls.take();
        let most = u64::from(turns.max(1).ilog2()) + 2;
        assert!(submissions <= most, "{turns} turns: {submissions} submissions");
        assert!(maps <= submissions + 1, "{turns} turns: {maps} maps, {submissions} submissions");
        assert!(waits <= 2 * submissions + 1, "{turns} turns: {waits} polls and waits, {submissions} submissions");
    }
}

/// A branch that stands alone costs no look at all.
pub(crate) fn branches_without_a_look() {
    for (turns, limit) in [(0, 1), (1, 1)] {
        let test = Test { word: Binding { bytes: 4, ..whole(0, BYTES) }, zero: false };
        let mut steps = counts_down(&[tally([2, 1, 1])], limit).steps.clone();
        for step in &mut steps {
            if matches!(step, Step::Loop { .. }) {
                *step = Step::When { test };
            }
        }
        let old = counts_down(&[], 1);
        let checked = checked(Schedule { steps, ..Schedule::clone(&old) });
        let calls = Arc::new(Calls::default());
        let device = support::open(Config { faults: Some(calls.clone()), ..Config::default() });
        let loaded = device.load(checked.clone()).unwrap_or_else(|error| panic!("{error}"));
        calls.take();
        same(&*loaded, &checked, turns);
        assert_eq!(calls.take()[0], 1, "one submission for all");
    }
}

/// Grids that the device decides inside of a loop: what they add up to, however many turns fit into a
/// slice, and whatever was known of them before.
pub(crate) fn grids_in_loops() {
    let checked = counts_down(&tally_over(1 << 20), u32::MAX);
    for slice in [Duration::from_secs(1000), Duration::from_micros(300), Duration::from_nanos(1)] {
        let device = support::open(Config { slice: Some(slice), ..Config::default() });
        let loaded = device.load(checked.clone()).unwrap_or_else(|error| panic!("{error}"));
        // A slice that has time for nothing takes one workgroup at a time.
        let turns: &[u32] = if slice.as_micros() > 0 { &[3, 40, 0, 90] } else { &[3, 0, 6] };
        for &turns in turns {
            same(&*loaded, &checked, turns);
        }
    }
}

/// A grid that is suddenly many times what it was lets a chunk end early, and the loop goes on.
pub(crate) fn grids_that_grow() {
    let jumps = DOWN.replace("min(left[1] * left[1], 200u)", "select(1u, 400u, left[1] > 5u)");
    assert_ne!(jumps, DOWN);
    let looped = counts_down(&tally_over(1 << 20), u32::MAX);
    let schedule = Schedule { kernels: vec![kernel(&jumps), kernel(TALLY)], ..Schedule::clone(&looped) };
    let checked = checked(schedule);
    // Of workgroups that nobody has seen so many of, 1024 are tried at once, however long they take.
    let device = support::open(Config { slice: Some(Duration::from_secs(1000)), ..Config::default() });
    for turns in [8, 9, 30] {
        let loaded = device.load(checked.clone()).unwrap_or_else(|error| panic!("{error}"));
        same(&*loaded, &checked, turns);
        same(&*loaded, &checked, turns);
    }
}

/// Memory goes with what it holds: what was swapped and freed is another's, and the rest stays.
pub(crate) fn swapped_and_freed() {
    let body = [tally([1, 1, 1]), Step::Barrier, Step::Swap { first: BufferId(1), second: BufferId(2) }];
    let looped = counts_down(&body, u32::MAX);
    let mut schedule = Schedule::clone(&looped);
    // Of the two one goes, and another of its size comes, before the other is looked at.
    schedule.buffers.push(Buffer { name: "late".to_owned(), bytes: BYTES, life: Life::Transient });
    let end = schedule.steps.iter().position(|step| *step == Step::End).expect("it ends") + 1;
    let late = [Step::Free { buffer: BufferId(2) }, Step::Barrier, tally_of(3), Step::Barrier];
    schedule.steps.truncate(end);
    schedule.steps.extend(late);
    for at in [0, 1] {
        schedule.steps.push(Step::Download { from: whole(at, BYTES), host: HostId(at), at: 0, length: None });
    }
    schedule.steps.push(Step::Download { from: whole(3, BYTES), host: HostId(2), at: 0, length: None });
    let checked = checked(schedule);
    let device = support::open(Config::default());
    let loaded = device.load(checked.clone()).unwrap_or_else(|error| panic!("{error}"));
    for turns in [1, 2, 7, 0, 1] {
        same(&*loaded, &checked, turns);
    }
}

/// A grid beyond its limit in some turn ends the loop and the run, and the next run works.
pub(crate) fn beyond_a_limit() {
    let checked = counts_down(&tally_over(100), u32::MAX);
    let device = support::open(Config::default());
    let loaded = device.load(checked.clone()).unwrap_or_else(|error| panic!("{error}"));
    for _ in 0..2 {
        same(&*loaded, &checked, 10);
        match run(&*loaded, 1000) {
            Err(Error::GridLimit { grid: [121, 1, 1], limit: [100, 1, 1], .. }) => {}
            other => panic!("{other:?}"),
        }
    }
}

/// What does not fit into a dimension of the device, or into the slice, is cut, turn by turn.
pub(crate) fn long_turns() {
    let checked = counts_down(&[tally([70_000, 1, 1])], 3);
    for slice in [None, Some(Duration::from_millis(2))] {
        let device = support::open(Config { slice, ..Config::default() });
        let loaded = device.load(checked.clone()).unwrap_or_else(|error| panic!("{error}"));
        for turns in [2, 5] {
            let reference = 64 * 70_000 * turns.min(3);
            let (hosts, stats) = run(&*loaded, turns).unwrap_or_else(|error| panic!("{error}"));
            let word = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| hosts[1][4 * at + i]));
            assert_eq!((word(0), word(1)), (reference / 64, reference), "{slice:?}");
            assert_eq!((stats.loops[0].turns, stats.loops[0].limited), (turns.min(3).into(), u64::from(turns > 3)));
        }
    }
}

/// The caller's buffers hold what was swapped, whether each has memory of its own or is a part of one;
/// and parts that are read beside parts that are written are bound as the driver wants it.
pub(crate) fn swapped_residents() {
    const PART: u64 = 256;
    let mut schedule = Schedule { kernels: vec![kernel(DOWN), kernel(support::SUM)], ..Schedule::default() };
    for (name, life) in [("left", Life::Transient), ("a", Life::Resident), ("b", Life::Resident), ("c", Life::Resident)]
    {
        schedule.buffers.push(Buffer { name: name.to_owned(), bytes: BYTES, life });
    }
    schedule.hosts.push(schedule::Host { name: "left".to_owned(), bytes: BYTES, writable: false });
    let sum =
        |v| Step::Dispatch { kernel: KernelId(1), grid: [4, 1, 1], bindings: vec![whole(v, BYTES), whole(3, BYTES)] };
    let test = Test { word: Binding { bytes: 4, ..whole(0, BYTES) }, zero: false };
    schedule.steps.extend([
        Step::Upload { host: HostId(0), at: 0, to: whole(0, BYTES) },
        Step::Loop { test: Some(test), limit: 100 },
        Step::Dispatch { kernel: KernelId(0), grid: [1; 3], bindings: vec![whole(0, BYTES)] },
        sum(1),
        Step::Barrier,
        sum(2),
        sum(1),
        Step::Barrier,
        Step::Swap { first: BufferId(1), second: BufferId(2) },
        Step::End,
    ]);
    let checked = checked(schedule);
    let device = support::open(Config::default());
    let loaded = device.load(checked).unwrap_or_else(|error| panic!("{error}"));
    // By buffer: which of three memories it lies in.
    for lies in [[0, 1, 2], [0, 1, 0], [0, 0, 0], [0, 0, 1], [1, 0, 0]] {
        for turns in 0..4_u32 {
            let memories: Vec<_> = (0..3)
                .map(|at| {
                    // One that is all of what a caller has, or one with room for three.
                    let parts = lies.iter().filter(|other| **other == at).count() as u64;
                    device.alloc(if parts == 1 { BYTES } else { 3 * PART }).expect("room")
                })
                .collect();
            let mut model = [[1_u32; 16], [2; 16], [3; 16]];
            let mut buffers = Vec::new();
            for (at, memory) in lies.into_iter().enumerate() {
                let memory: &seawall_core::device::Buffer = &memories[memory];
                let start = if memory.bytes == BYTES { 0 } else { at as u64 * PART };
                let part = memory.part(start, BYTES).unwrap_or_else(|error| panic!("{error}"));
                let bytes: Vec<u8> = model[at].iter().flat_map(|word| word.to_le_bytes()).collect();
                device.write(&part, 0, &bytes).unwrap_or_else(|error| panic!("{error}"));
                buffers.push(part);
            }
            let mut left = [0; BYTES as usize];
            left[..4].copy_from_slice(&turns.to_le_bytes());
            let io = Io { hosts: vec![Host::Read(&left)], residents: buffers.iter().collect() };
            loaded.run(io, &Control::default()).unwrap_or_else(|error| panic!("{lies:?}, {turns}: {error}"));
            for _ in 0..turns {
                for v in [0, 1, 0] {
                    model[v] = std::array::from_fn(|i| 2 * model[v][i] + model[2][i]);
                }
                model.swap(0, 1);
            }
            for (buffer, model) in buffers.iter().zip(model) {
                let mut bytes = [0; BYTES as usize];
                device.read(buffer, 0, &mut bytes).unwrap_or_else(|error| panic!("{error}"));
                let words: Vec<u32> =
                    bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().expect("four"))).collect();
                assert_eq!(words, model, "{lies:?}, {turns} turns");
            }
        }
    }
}
