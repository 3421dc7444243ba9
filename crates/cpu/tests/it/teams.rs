//! Groups that one worker does and groups that several share, in one run.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use seawall_core::check::check;
use seawall_core::device::{self, Clock, Control, Device as _, Error, Io, Reason, Stats};
use seawall_core::program::{Overrides, Program};
use seawall_core::schedule::{Binding, Buffer, BufferId, KernelId, Life, Schedule, Step};
use seawall_cpu::Device;

use super::{device, words};

const WGSL: &str = "
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;

// Reads what other workgroups have written the group before.
@compute @workgroup_size(64)
fn mix(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&dst) { dst[id.x] = src[(id.x * 7u + 13u) % arrayLength(&src)] * 3u + id.x; }
}

@group(0) @binding(2) var<storage, read_write> counts: array<u32>;
@compute @workgroup_size(64)
fn count(@builtin(global_invocation_id) id: vec3<u32>) {
    // Never so, but nobody knows.
    let never = counts[id.x] / 0x80000000u;
    for (var i = 0u; i < never; i++) { for (var j = 0u; j < i; j++) { for (var k = 0u; k < j; k++) {
        counts[id.x] = counts[id.x] * 7u + i + j + k;
    } } }
    counts[id.x] += 1u;
}";

const MIX: KernelId = KernelId(0);
const COUNT: KernelId = KernelId(1);

/// Words of each of the two buffers that are mixed, one after the other and into each other.
const WORDS: u32 = 64 * 256;
const BYTES: u64 = WORDS as u64 * 4;

/// The buffers of every schedule here: two that are mixed, one of grids, one of counts.
const GRIDS: u32 = 2;
const COUNTS: u32 = 3;

fn whole(buffer: u32) -> Binding {
    Binding { buffer: BufferId(buffer), offset: 0, bytes: BYTES }
}

/// The grid of an indirect dispatch, by its place among all.
fn grid(at: u64) -> Binding {
    Binding { buffer: BufferId(GRIDS), offset: at * 12, bytes: 12 }
}

fn mix(from: u32, grid: u32) -> Step {
    Step::Dispatch { kernel: MIX, grid: [grid, 1, 1], bindings: vec![whole(from), whole(1 - from)] }
}

fn count(grid: u32) -> Step {
    Step::Dispatch { kernel: COUNT, grid: [grid, 1, 1], bindings: vec![whole(COUNTS)] }
}

struct Bench {
    device: Device,
    buffers: Vec<device::Buffer>,
}

impl Bench {
    fn new(threads: usize) -> Self {
        let device = device(threads);
        let buffers = (0..4).map(|_| device.alloc(BYTES).unwrap()).collect();
        Self { device, buffers }
    }

    fn run(&self, steps: Vec<Step>, control: &Control) -> Result<Stats, Error> {
        let program = Program::wgsl(WGSL).unwrap();
        let kernel = |entry| program.kernel(entry, &Overrides::new()).unwrap();
        let buffer = |name: &str| Buffer { name: name.to_owned(), bytes: BYTES, life: Life::Resident };
        let schedule = Schedule {
            kernels: ["mix", "count"].map(kernel).to_vec(),
            buffers: ["a", "b", "grids", "counts"].map(buffer).to_vec(),
            hosts: Vec::new(),
            steps,
            budget_bytes: None,
        };
        let text = schedule.to_string();
        let checked = check(schedule).unwrap_or_else(|error| panic!("{error} in\n{text}"));
        let loaded = self.device.load(Arc::new(checked)).unwrap();
        loaded.run(Io { hosts: Vec::new(), residents: self.buffers.iter().collect() }, control)
    }

    fn write(&self, buffer: u32, words: &[u32]) {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.device.write(&self.buffers[buffer as usize], 0, &bytes).unwrap();
    }

    fn read(&self, buffer: u32) -> Vec<u32> {
        let mut bytes = vec![0; BYTES as usize];
        self.device.read(&self.buffers[buffer as usize], 0, &mut bytes).unwrap();
        words(&bytes)
    }
}

/// A clock that counts how often it was asked.
fn counting() -> Control {
    let asked = AtomicU64::new(0);
    Control { clock: Some(Clock::new(move || asked.fetch_add(1, Relaxed))), ..Control::default() }
}

/// The workers that did anything.
fn workers(stats: &Stats) -> BTreeSet<usize> {
    stats.times.iter().map(|timed| timed.worker).collect()
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(n)) as u32
    }
}

/// What the steps make of the buffers, plainly.
#[derive(Clone)]
struct Model {
    buffers: [Vec<u32>; 4],
    expected: Stats,
}

impl Model {
    fn step(&mut self, step: &Step) {
        let words = |range: &Binding| (range.offset / 4) as usize..((range.offset + range.bytes) / 4) as usize;
        match step {
            Step::Copy { from, to } => {
                let from = self.buffers[from.buffer.0 as usize][words(from)].to_vec();
                self.buffers[to.buffer.0 as usize][words(to)].copy_from_slice(&from);
            }
            Step::Clear { range } => self.buffers[range.buffer.0 as usize][words(range)].fill(0),
            Step::Barrier => self.expected.barriers += 1,
            Step::Dispatch { grid, bindings, .. } => self.mix(grid[0], bindings),
            Step::DispatchIndirect { args, bindings, .. } => {
                let grid = &self.buffers[GRIDS as usize][words(args)];
                self.mix(grid[0] * grid[1] * grid[2], bindings);
            }
            Step::Upload { .. }
            | Step::Download { .. }
            | Step::Free { .. }
            | Step::Loop { .. }
            | Step::When { .. }
            | Step::Swap { .. }
            | Step::End => unreachable!("not here"),
        }
    }

    fn mix(&mut self, grid: u32, bindings: &[Binding]) {
        self.expected.dispatches += 1;
        self.expected.workgroups += u64::from(grid);
        self.expected.invocations += u64::from(grid) * 64;
        let from = self.buffers[bindings[0].buffer.0 as usize].clone();
        let to = &mut self.buffers[bindings[1].buffer.0 as usize];
        for i in 0..grid * 64 {
            let word = from[((i * 7 + 13) % WORDS) as usize];
            to[i as usize] = word.wrapping_mul(3).wrapping_add(i);
        }
    }
}

/// Groups of nothing, one workgroup or many, with grids that the device finds or that are known, and
/// groups of copies, in a random order: each sees all that the one before did.
#[test]
fn small_groups_among_large_ones() {
    for seed in 0..6 {
        let mut random = Random(seed);
        let (mut steps, mut grids) = (Vec::new(), Vec::new());
        for _ in 0..120 {
            let from = random.below(2);
            let size = [0, 1, 1, 2, 3, 256][random.below(6) as usize];
            match random.below(4) {
                0 if size > 0 => steps.push(mix(from, size)),
                1 => {
                    let quarter = |buffer, at| Binding { offset: at * BYTES / 4, bytes: BYTES / 4, ..whole(buffer) };
                    steps.push(Step::Clear { range: quarter(1 - from, 0) });
                    let copy = |at| Step::Copy { from: quarter(from, at), to: quarter(1 - from, (at + 1) % 4) };
                    steps.extend((0..3).map(copy));
                }
                _ => {
                    let (args, limit) = (grid(grids.len() as u64), [65_535; 3]);
                    grids.push([[size, 1, 1], [1, size, 1], [1, 1, size]][random.below(3) as usize]);
                    // Only x makes a difference to the indices.
                    if size > 1 {
                        *grids.last_mut().unwrap() = [size, 1, 1];
                    }
                    let bindings = vec![whole(from), whole(1 - from)];
                    steps.push(Step::DispatchIndirect { kernel: MIX, args, limit, bindings });
                }
            }
            steps.push(Step::Barrier);
        }
        let start = |salt: u32| (0..WORDS).map(|i| i.wrapping_mul(salt)).collect::<Vec<_>>();
        let mut words = grids.concat();
        words.resize(WORDS as usize, 0);
        let mut model = Model { buffers: [start(5), start(9), words, start(0)], expected: Stats::default() };
        let before = model.buffers.clone();
        steps.iter().for_each(|step| model.step(step));
        model.expected.peak_bytes = 4 * BYTES;
        for threads in [1, 2, 4, 9] {
            let bench = Bench::new(threads);
            (0..4).zip(&before).for_each(|(buffer, words)| bench.write(buffer, words));
            let stats = bench.run(steps.clone(), &Control::default()).unwrap();
            assert_eq!(stats, model.expected, "seed {seed}, {threads} threads");
            for buffer in 0..2 {
                let same = bench.read(buffer) == model.buffers[buffer as usize];
                assert!(same, "seed {seed}, {threads} threads, buffer {buffer}");
            }
        }
    }
}

/// Whatever the limits add up to.
#[test]
fn small_grids_stay_with_one_worker() {
    let bench = Bench::new(8);
    bench.write(GRIDS, &[0, 65_535, 1, 1, 1, 1]);
    let indirect = |at, from| {
        let bindings = vec![whole(from), whole(1 - from)];
        Step::DispatchIndirect { kernel: MIX, args: grid(at), limit: [65_535; 3], bindings }
    };
    let group = |i: u32| [indirect(0, i % 2), Step::Barrier, indirect(1, i % 2), Step::Barrier];
    let stats = bench.run((0..100).flat_map(group).collect(), &counting()).unwrap();
    assert_eq!((stats.dispatches, stats.workgroups, stats.barriers), (200, 100, 200));
    assert_eq!(workers(&stats), BTreeSet::from([0]));
}

/// Workers beyond those who have something to do are not asked.
#[test]
fn as_many_share_as_there_is_work_for() {
    for (threads, grid) in [(4, 3), (9, 2), (9, 5), (5, 256)] {
        let bench = Bench::new(threads);
        let groups = 50;
        let steps = (0..groups).flat_map(|_| [count(grid), Step::Barrier]).collect();
        let stats = bench.run(steps, &counting()).unwrap();
        let most = threads.min(grid as usize);
        assert!(workers(&stats).last().unwrap() < &most, "{threads} threads, {grid} workgroups");
        let (counted, rest) = (vec![groups; grid as usize * 64], vec![0; (256 - grid as usize) * 64]);
        assert!(bench.read(COUNTS) == [counted, rest].concat(), "{threads} threads, {grid} workgroups");
    }
}

/// All workers of a large group are called, and come if they are given time.
#[test]
fn large_groups_are_shared() {
    let bench = Bench::new(3);
    let found = (0..100).any(|_| {
        let stats = bench.run((0..50).flat_map(|_| [count(256), Step::Barrier]).collect(), &counting()).unwrap();
        workers(&stats) == BTreeSet::from([0, 1, 2])
    });
    assert!(found, "someone never came");
}

/// Nothing of the group is done, nor of any behind it.
#[test]
fn a_grid_beyond_its_limit_ends_the_run() {
    for threads in [1, 2, 5] {
        let bench = Bench::new(threads);
        bench.write(GRIDS, &[1, 1, 2]);
        let indirect = |limit| {
            let bindings = vec![whole(0), whole(1)];
            Step::DispatchIndirect { kernel: MIX, args: grid(0), limit: [1, 1, limit], bindings }
        };
        for limit in [1, 2] {
            bench.write(COUNTS, &[0; 64 * 256]);
            let steps = vec![count(256), Step::Barrier, count(256), indirect(limit), Step::Barrier, count(256)];
            let (expected, counted) = match limit {
                1 => (Err(Error::GridLimit { step: 3, grid: [1, 1, 2], limit: [1, 1, 1] }), 1),
                _ => (Ok(256 * 3 + 2), 3),
            };
            assert_eq!(bench.run(steps, &Control::default()).map(|stats| stats.workgroups), expected);
            assert_eq!(bench.read(COUNTS), vec![counted; 64 * 256], "{threads} threads, limit {limit}");
        }
    }
}

/// No group begins after the one in which it was asked to.
#[test]
fn a_run_stops_between_its_groups() {
    const GROUPS: u32 = 60;
    for (threads, grid) in [(1, 256), (4, 256), (4, 1)] {
        let bench = Bench::new(threads);
        let steps: Vec<Step> = (0..GROUPS).flat_map(|_| [count(grid), Step::Barrier]).collect();
        let asked = AtomicU64::new(0);
        let control = Arc::new_cyclic(|control: &std::sync::Weak<Control>| {
            let control = control.clone();
            let clock = Clock::new(move || {
                let asked = asked.fetch_add(1, Relaxed);
                if asked == 50 {
                    control.upgrade().unwrap().stop.ask(Reason::Deadline);
                }
                asked
            });
            Control { clock: Some(clock), ..Control::default() }
        });
        let error = bench.run(steps.clone(), &control).unwrap_err();
        assert!(matches!(error, Error::Stopped { reason: Reason::Deadline, .. }), "{error:?}");
        let counts = bench.read(COUNTS);
        let counts = &counts[..grid as usize * 64];
        let (least, most) = (counts.iter().min().unwrap(), counts.iter().max().unwrap());
        assert!(0 < *most && *most < GROUPS && most - least <= 1, "{threads} threads: {least} to {most}");
        // As good as before.
        bench.write(COUNTS, &[0; 64 * 256]);
        bench.run(steps, &Control::default()).unwrap();
        assert_eq!(bench.read(COUNTS)[..64], [GROUPS; 64]);
    }
}

/// The panic of any worker ends the run and is carried on to the caller; buffers and device are free.
#[test]
fn a_panic_in_a_worker_ends_the_run() {
    for who in [None, Some("seawall 1"), Some("seawall 2")] {
        let bench = Bench::new(3);
        let leader = std::thread::current().id();
        let panics = || {
            let clock = Clock::new(move || {
                let thread = std::thread::current();
                let here = who.map_or(thread.id() == leader, |name| thread.name() == Some(name));
                if here {
                    resume_unwind(Box::new("a clock that panics"));
                }
                0
            });
            let control = Control { clock: Some(clock), ..Control::default() };
            let steps = (0..50).flat_map(|_| [count(256), Step::Barrier]).collect();
            catch_unwind(AssertUnwindSafe(|| bench.run(steps, &control).unwrap()))
        };
        // A worker may come too late to anything.
        let panic = (0..200).find_map(|_| panics().err()).expect("a panic");
        assert_eq!(*panic.downcast::<&str>().unwrap(), "a clock that panics");
        bench.write(COUNTS, &[0; 64 * 256]);
        bench.run(vec![count(256), Step::Barrier, count(256)], &Control::default()).unwrap();
        assert_eq!(bench.read(COUNTS), [2; 64 * 256]);
    }
}
