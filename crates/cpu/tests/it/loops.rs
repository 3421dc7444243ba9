//! Loops and branches of a schedule where groups are shared, and where memory has edges. What they mean
//! is tested on every device elsewhere.

use std::num::NonZeroUsize;
use std::sync::Arc;

use seawall_core::check::check;
use seawall_core::device::{Control, Device as _, Error, Host, Io, Looped, Reason, Stats};
use seawall_core::program::{Overrides, Program};
use seawall_core::schedule::{self, Binding, Buffer, BufferId, HostId, KernelId, Life, Schedule, Step, Test};
use seawall_cpu::{Config, Device, Edge};

use super::{device, words};

const WGSL: &str = "
@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> dst: array<u32>;

// Reads what other workgroups have written the turn before.
@compute @workgroup_size(64)
fn mix(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&dst) { dst[id.x] = src[(id.x * 7u + 13u) % arrayLength(&src)] * 3u + id.x; }
}

// Turns that are left, a grid, and a word that is not zero in every third turn.
@group(0) @binding(2) var<storage, read_write> state: array<u32>;
@compute @workgroup_size(1)
fn decide() {
    state[0] -= 1u;
    state[1] = select(0u, arrayLength(&src) / 64u, state[0] % 2u == 0u);
    state[2] = 1u;
    state[3] = 1u;
    state[4] = u32(state[0] % 3u == 0u);
    state[5] = src[0];
}";

const MIX: KernelId = KernelId(0);
const DECIDE: KernelId = KernelId(1);

/// Two that are mixed into each other, two that only change places, and what decides.
const STATE: u32 = 4;

struct Case {
    groups: u32,
    turns: u32,
    life: Life,
}

impl Case {
    fn words(&self) -> u32 {
        self.groups * 64
    }

    fn whole(&self, buffer: u32) -> Binding {
        let bytes = if buffer == STATE { 24 } else { u64::from(self.words()) * 4 };
        Binding { buffer: BufferId(buffer), offset: 0, bytes }
    }

    fn state(at: u64, words: u64) -> Binding {
        Binding { buffer: BufferId(STATE), offset: at * 4, bytes: words * 4 }
    }

    /// Mixes 0 into 1 in every turn, and they change places; in every second turn 1 into 2, by a grid
    /// that it finds; in every third, 2 and 3 change places twice, in a loop inside a branch.
    fn schedule(&self) -> Schedule {
        let program = Program::wgsl(WGSL).unwrap();
        let kernel = |entry| program.kernel(entry, &Overrides::new()).unwrap();
        let mix = |from, to| vec![self.whole(from), self.whole(to)];
        let (test, limit) = (|at, zero| Test { word: Case::state(at, 1), zero }, [65_535, 1, 1]);
        let swap = |first, second| Step::Swap { first: BufferId(first), second: BufferId(second) };
        let steps = vec![
            Step::Loop { test: Some(test(0, false)), limit: 1000 },
            Step::Dispatch { kernel: MIX, grid: [self.groups, 1, 1], bindings: mix(0, 1) },
            Step::Barrier,
            Step::Dispatch { kernel: DECIDE, grid: [1; 3], bindings: vec![self.whole(1), self.whole(STATE)] },
            Step::Barrier,
            Step::DispatchIndirect { kernel: MIX, args: Case::state(1, 3), limit, bindings: mix(1, 2) },
            Step::When { test: test(4, false) },
            Step::Loop { test: None, limit: 3 },
            swap(2, 3),
            Step::End,
            Step::End,
            swap(0, 1),
            Step::End,
        ];
        // What is resident is read afterwards; a transient has to be copied to where it can be.
        let life = |i: u32| if i < 2 || i == STATE { Life::Resident } else { self.life };
        let buffer = |i| Buffer { name: format!("buffer {i}"), bytes: self.whole(i).bytes, life: life(i) };
        let mut buffers: Vec<Buffer> = (0..=STATE).map(buffer).collect();
        let mut steps = steps;
        for from in [2, 3] {
            let to = Binding { buffer: BufferId(buffers.len() as u32), ..self.whole(from) };
            steps.push(Step::Copy { from: self.whole(from), to });
            buffers.push(Buffer { name: format!("copy of {from}"), bytes: to.bytes, life: Life::Resident });
        }
        let kernels = ["mix", "decide"].map(kernel).to_vec();
        Schedule { kernels, buffers, hosts: Vec::new(), steps, budget_bytes: None }
    }

    /// The first two buffers, the copies of the others, and the branches taken.
    fn expected(&self) -> (Vec<Vec<u32>>, u64) {
        let mut all: Vec<Vec<u32>> = (0..4).map(|buffer| self.start(buffer)).collect();
        let mix = |from: &[u32]| -> Vec<u32> {
            let word = |i: u32| from[((i * 7 + 13) % self.words()) as usize].wrapping_mul(3).wrapping_add(i);
            (0..self.words()).map(word).collect()
        };
        let mut taken = 0;
        for left in (0..self.turns).rev() {
            all[1] = mix(&all[0]);
            if left.is_multiple_of(2) {
                all[2] = mix(&all[1]);
            }
            if left.is_multiple_of(3) {
                taken += 1;
                all.swap(2, 3);
            }
            all.swap(0, 1);
        }
        (all, taken)
    }

    /// Transients start as zeros.
    fn start(&self, buffer: u32) -> Vec<u32> {
        let salt = if buffer < 2 { 5 + buffer } else { 0 };
        (0..self.words()).map(|i| i.wrapping_mul(salt)).collect()
    }

    fn run(&self, device: &Device, control: &Control) -> Result<(Vec<Vec<u32>>, Stats), Error> {
        let schedule = self.schedule();
        let text = schedule.to_string();
        let checked = Arc::new(check(schedule).unwrap_or_else(|error| panic!("{error} in\n{text}")));
        let bytes = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
        let ids: Vec<BufferId> = checked.residents().collect();
        let alloc = |id: &BufferId| {
            let buffer = device.alloc(checked.buffers[id.0 as usize].bytes).unwrap();
            match id.0 {
                0 | 1 => device.write(&buffer, 0, &bytes(&self.start(id.0))).unwrap(),
                STATE => device.write(&buffer, 0, &bytes(&[self.turns, 0, 0, 0, 0, 0])).unwrap(),
                _ => {}
            }
            buffer
        };
        let residents: Vec<_> = ids.iter().map(alloc).collect();
        let loaded = device.load(checked.clone())?;
        let stats = loaded.run(Io { hosts: Vec::new(), residents: residents.iter().collect() }, control)?;
        let read = |wanted: u32| {
            let at = ids.iter().position(|id| id.0 == wanted).unwrap();
            let mut bytes = vec![0; residents[at].bytes as usize];
            device.read(&residents[at], 0, &mut bytes).unwrap();
            words(&bytes)
        };
        Ok(([0, 1, STATE + 1, STATE + 2].map(read).to_vec(), stats))
    }

    fn check(&self, device: &Device, what: &str) {
        let (expected, taken) = self.expected();
        let (got, stats) = self.run(device, &Control::default()).unwrap();
        for (buffer, (got, expected)) in got.iter().zip(&expected).enumerate() {
            assert!(got == expected, "{what}: buffer {buffer} of {} groups, {:?}", self.groups, self.life);
        }
        let turns = u64::from(self.turns);
        let looped = |step, entries, turns| Looped { step, entries, turns, limited: 0 };
        assert_eq!(stats.loops, [looped(0, 1, turns), looped(6, turns, taken), looped(7, taken, 3 * taken)], "{what}");
        let even = turns.div_ceil(2);
        assert_eq!((stats.dispatches, stats.barriers), (3 * turns, 2 * turns), "{what}");
        let workgroups = u64::from(self.groups) * (turns + even) + turns;
        assert_eq!(stats.workgroups, workgroups, "{what}");
    }
}

/// Groups that are shared and groups that are not, many times over.
#[test]
fn turns_are_shared() {
    for threads in [1, 2, 3, 8] {
        let device = device(threads);
        for (groups, turns) in [(1, 40), (256, 41), (256, 0), (7, 1)] {
            for life in [Life::Transient, Life::Resident] {
                Case { groups, turns, life }.check(&device, &format!("{threads} threads"));
            }
        }
    }
}

/// What a group only reads cannot be written, also after buffers have changed places.
#[cfg(target_os = "linux")]
#[test]
fn swaps_where_memory_has_edges() {
    for edge in [Edge::Start, Edge::End] {
        let device = Device::open(Config { edge: Some(edge), threads: NonZeroUsize::new(2), ..Config::default() });
        let device = device.unwrap();
        for life in [Life::Transient, Life::Resident] {
            Case { groups: 40, turns: 7, life }.check(&device, &format!("{edge:?}"));
        }
    }
}

/// The deadline comes in the middle of turns that are shared; the device is as good as before.
#[test]
fn a_loop_is_stopped_between_its_turns() {
    let device = device(3);
    let case = Case { groups: 256, turns: 1000, life: Life::Transient };
    let control = Control::default();
    let stopped = std::thread::scope(|scope| {
        scope.spawn(|| {
            while control.workgroups_done.load(std::sync::atomic::Ordering::Relaxed) < 2000 {
                std::thread::yield_now();
            }
            control.stop.ask(Reason::Deadline);
        });
        case.run(&device, &control)
    });
    assert!(matches!(stopped, Err(Error::Stopped { reason: Reason::Deadline, .. })));
    Case { turns: 10, ..case }.check(&device, "after a stop");
}

#[repr(align(8))]
struct Slice([u8; 24]);

/// A word of a buffer that is uploaded only later is zero, whatever the slice holds.
#[test]
fn a_test_asks_before_an_upload() {
    let (word, all) = (Case::state(0, 1), Case::state(0, 6));
    let test = Test { word: Binding { buffer: BufferId(0), ..word }, zero: false };
    let all = Binding { buffer: BufferId(0), ..all };
    let mark = Binding { buffer: BufferId(1), ..all };
    for begin in [Step::When { test }, Step::Loop { test: Some(test), limit: 1 }] {
        let schedule = Schedule {
            buffers: [("words", all), ("mark", mark)]
                .map(|(name, range)| Buffer { name: name.to_owned(), bytes: range.bytes, life: Life::Transient })
                .to_vec(),
            hosts: ["words", "marks", "mark"]
                .map(|name| schedule::Host { name: name.to_owned(), bytes: all.bytes, writable: true })
                .to_vec(),
            steps: vec![
                Step::Upload { host: HostId(1), at: 0, to: mark },
                begin,
                Step::Clear { range: mark },
                Step::End,
                Step::Upload { host: HostId(0), at: 0, to: all },
                Step::Barrier,
                Step::Download { from: mark, host: HostId(2), at: 0, length: None },
            ],
            ..Schedule::default()
        };
        let loaded = device(1).load(Arc::new(check(schedule).unwrap())).unwrap();
        // Aligned, so that it could be used in place.
        let [mut words, mut marks, mut mark] = [1, 7, 9].map(|byte| Slice([byte; 24]));
        let hosts = [&mut words, &mut marks, &mut mark].map(|slice| Host::Write(&mut slice.0)).into_iter().collect();
        let stats = loaded.run(Io { hosts, residents: Vec::new() }, &Control::default()).unwrap();
        assert_eq!((mark.0, stats.loops[0].turns), ([7; 24], 0));
    }
}

/// A buffer that is freed leaves the memory that it has then, not the one that it once had.
#[test]
fn memory_is_used_again_after_swaps() {
    for turns in 0..4 {
        let range = |buffer| Binding { buffer: BufferId(buffer), ..Case::state(0, 6) };
        let buffer = |i| Buffer { name: format!("buffer {i}"), bytes: range(i).bytes, life: Life::Transient };
        let host = |i| schedule::Host { name: format!("host {i}"), bytes: range(i).bytes, writable: true };
        let schedule = Schedule {
            buffers: (0..3).map(buffer).collect(),
            hosts: (0..2).map(host).collect(),
            steps: vec![
                Step::Upload { host: HostId(0), at: 0, to: range(0) },
                Step::Loop { test: None, limit: turns },
                Step::Swap { first: BufferId(0), second: BufferId(1) },
                Step::End,
                Step::Free { buffer: BufferId(1 - turns % 2) },
                Step::Barrier,
                Step::Clear { range: range(2) },
                Step::Barrier,
                Step::Download { from: range(turns % 2), host: HostId(1), at: 0, length: None },
            ],
            ..Schedule::default()
        };
        let loaded = device(1).load(Arc::new(check(schedule).unwrap())).unwrap();
        let [mut from, mut to] = [7, 9].map(|byte| Slice([byte; 24]));
        let hosts = vec![Host::Write(&mut from.0), Host::Write(&mut to.0)];
        let stats = loaded.run(Io { hosts, residents: Vec::new() }, &Control::default()).unwrap();
        assert_eq!((to.0, stats.peak_bytes), ([7; 24], 48), "{turns} turns");
    }
}
