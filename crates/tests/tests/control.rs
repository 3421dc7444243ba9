//! Loops, branches and swaps of schedules on every device, against a plain model of what they mean.

use std::sync::{Arc, LazyLock};

use seawall_core::check::check;
use seawall_core::device::{Control, Device, Error, Host, Io, Looped, Reason, Stats};
use seawall_core::program::{Overrides, Program};
use seawall_core::schedule::{self, Binding, Buffer, BufferId, HostId, KernelId, Life, Schedule, Step, Test};

const WGSL: &str = "
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@compute @workgroup_size(4)
fn mix(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&y) { y[id.x] = 3u * y[id.x] + x[id.x] + id.x; }
}

@group(0) @binding(2) var<storage, read_write> word: array<u32>;
@compute @workgroup_size(1)
fn tick() { word[0] = max(word[0], 1u) - 1u; }

@compute @workgroup_size(1)
fn poke() { word[0] = (x[0] ^ (x[1] >> 3u)) % 4u; }

@compute @workgroup_size(1)
fn grid() { y[0] = x[0] % 5u; y[1] = 1u; y[2] = 1u; }
";

const MIX: KernelId = KernelId(0);
const TICK: KernelId = KernelId(1);
const POKE: KernelId = KernelId(2);
const GRID: KernelId = KernelId(3);

/// Words of a buffer.
const WORDS: usize = 16;

/// Data, and words that tests ask.
const DATA: u32 = 4;
const TESTED: u32 = 3;
/// Holds a grid.
const ARGS: u32 = DATA + TESTED;

fn whole(buffer: u32) -> Binding {
    Binding { buffer: BufferId(buffer), offset: 0, bytes: WORDS as u64 * 4 }
}

fn word(buffer: u32, zero: bool) -> Test {
    Test { word: Binding { bytes: 4, ..whole(buffer) }, zero }
}

fn mix(x: u32, y: u32) -> Step {
    Step::Dispatch { kernel: MIX, grid: [4, 1, 1], bindings: vec![whole(x), whole(y)] }
}

fn tick(of: u32) -> Step {
    Step::Dispatch { kernel: TICK, grid: [1, 1, 1], bindings: vec![whole(of)] }
}

fn poke(x: u32, of: u32) -> Step {
    Step::Dispatch { kernel: POKE, grid: [1, 1, 1], bindings: vec![whole(x), whole(of)] }
}

fn swap(first: u32, second: u32) -> Step {
    Step::Swap { first: BufferId(first), second: BufferId(second) }
}

fn while_not_zero(of: u32, limit: u32) -> Step {
    Step::Loop { test: Some(word(of, false)), limit }
}

/// Uploads one slice for each buffer, does the steps, and downloads them.
fn around(life: Life, steps: Vec<Step>) -> Schedule {
    let program = Program::wgsl(WGSL).unwrap();
    let kernel = |entry| program.kernel(entry, &Overrides::new()).unwrap();
    let bytes = WORDS as u64 * 4;
    let buffer =
        |i: u32| Buffer { name: format!("buffer {i}"), bytes, life: if i < 2 { life } else { Life::Transient } };
    let host = |i: u32| schedule::Host { name: format!("host {i}"), bytes, writable: true };
    let all = || 0..=ARGS;
    let up = all().map(|i| Step::Upload { host: HostId(i), at: 0, to: whole(i) });
    let down = all().map(|i| Step::Download { from: whole(i), host: HostId(i), at: 0, length: None });
    let steps = up.chain([Step::Barrier]).chain(steps).chain([Step::Barrier]).chain(down).collect();
    Schedule {
        kernels: ["mix", "tick", "poke", "grid"].map(kernel).to_vec(),
        buffers: all().map(buffer).collect(),
        hosts: all().map(host).collect(),
        steps,
        budget_bytes: None,
    }
}

type Words = Vec<Vec<u32>>;

/// What the steps mean, and how often each loop went round.
struct Model<'a> {
    steps: &'a [Step],
    words: Words,
    loops: Vec<Looped>,
    dispatches: u64,
}

impl Model<'_> {
    /// Does the steps from one on up to the end of their body, and says where that is.
    fn body(&mut self, mut at: usize) -> usize {
        while at < self.steps.len() && self.steps[at] != Step::End {
            at = self.step(at);
        }
        at
    }

    fn turns(&mut self, at: usize, test: Option<Test>, limit: u32, branch: bool) -> usize {
        let holds =
            |this: &Self| test.is_none_or(|test| (this.words[test.word.buffer.0 as usize][0] == 0) == test.zero);
        let entry = self.loops.iter().position(|looped| looped.step == at).unwrap();
        self.loops[entry].entries += 1;
        let mut turns = 0;
        while turns < limit && holds(self) {
            self.body(at + 1);
            turns += 1;
        }
        self.loops[entry].turns += u64::from(turns);
        self.loops[entry].limited += u64::from(!branch && test.is_some() && turns == limit && holds(self));
        end(self.steps, at) + 1
    }

    fn step(&mut self, at: usize) -> usize {
        match &self.steps[at] {
            Step::Loop { test, limit } => return self.turns(at, *test, *limit, false),
            Step::When { test } => return self.turns(at, Some(*test), 1, true),
            Step::Swap { first, second } => self.words.swap(first.0 as usize, second.0 as usize),
            Step::Clear { range } => self.words[range.buffer.0 as usize].fill(0),
            Step::Copy { from, to } => self.words[to.buffer.0 as usize] = self.words[from.buffer.0 as usize].clone(),
            Step::Dispatch { kernel, grid, bindings } => self.dispatch(*kernel, grid[0], bindings),
            Step::DispatchIndirect { kernel, args, bindings, .. } => {
                self.dispatch(*kernel, self.words[args.buffer.0 as usize][0], bindings);
            }
            _ => {}
        }
        at + 1
    }

    fn dispatch(&mut self, kernel: KernelId, groups: u32, bindings: &[Binding]) {
        self.dispatches += 1;
        let at = |i: usize| bindings[i].buffer.0 as usize;
        match kernel {
            MIX => {
                for i in 0..WORDS.min(groups as usize * 4) {
                    let x = self.words[at(0)][i];
                    let y = &mut self.words[at(1)][i];
                    *y = y.wrapping_mul(3).wrapping_add(x).wrapping_add(i as u32);
                }
            }
            TICK => self.words[at(0)][0] = self.words[at(0)][0].saturating_sub(1),
            POKE => self.words[at(1)][0] = (self.words[at(0)][0] ^ (self.words[at(0)][1] >> 3)) % 4,
            GRID => {
                let count = self.words[at(0)][0] % 5;
                self.words[at(1)][..3].copy_from_slice(&[count, 1, 1]);
            }
            other => panic!("{other}"),
        }
    }
}

/// The end of what a step begins.
fn end(steps: &[Step], begin: usize) -> usize {
    let mut depth = 0;
    for (at, step) in steps.iter().enumerate().skip(begin) {
        match step {
            Step::Loop { .. } | Step::When { .. } => depth += 1,
            Step::End => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    panic!("no end");
}

fn start(seed: u32) -> Words {
    let word = |buffer: u32, i: u32| {
        if buffer < DATA {
            seed.wrapping_add(buffer * 100 + i).wrapping_mul(0x9e37_79b9) >> 7
        } else {
            (seed + buffer) % 4
        }
    };
    (0..=ARGS).map(|buffer| (0..WORDS as u32).map(|i| word(buffer, i)).collect()).collect()
}

fn expected(schedule: &Schedule, words: Words) -> (Words, Vec<Looped>, u64) {
    let begins = |step: &Step| matches!(step, Step::Loop { .. } | Step::When { .. });
    let loops = schedule.steps.iter().enumerate().filter(|(_, step)| begins(step));
    let loops = loops.map(|(step, _)| Looped { step, ..Looped::default() }).collect();
    let mut model = Model { steps: &schedule.steps, words, loops, dispatches: 0 };
    model.body(0);
    (model.words, model.loops, model.dispatches)
}

fn run(device: &dyn Device, schedule: &Schedule, words: &Words, control: &Control) -> Result<(Words, Stats), Error> {
    let checked = Arc::new(check(schedule.clone()).unwrap_or_else(|error| panic!("{error} in\n{schedule}")));
    let residents: Vec<_> =
        checked.residents().map(|id| device.alloc(checked.buffers[id.0 as usize].bytes).unwrap()).collect();
    let loaded = device.load(checked.clone())?;
    let mut hosts = words.clone();
    let slices = hosts.iter_mut().map(|words| Host::Write(bytemuck::cast_slice_mut(words))).collect();
    let stats = loaded.run(Io { hosts: slices, residents: residents.iter().collect() }, control)?;
    for (id, resident) in checked.residents().zip(&residents) {
        let mut left = vec![0u32; WORDS];
        device.read(resident, 0, bytemuck::cast_slice_mut(&mut left)).unwrap();
        assert_eq!(left, hosts[id.0 as usize], "the caller's buffer holds what was downloaded from it");
    }
    Ok((hosts, stats))
}

/// Opened once: a driver takes its time.
static DEVICES: LazyLock<Vec<(String, Arc<dyn Device>)>> = LazyLock::new(seawall_tests::devices);

fn devices() -> impl Iterator<Item = &'static (String, Arc<dyn Device>)> {
    DEVICES.iter()
}

/// On every device, with resident buffers and without: what the model says.
fn same(steps: &[Step], seed: u32) -> (Words, Vec<Looped>) {
    let mut all = None;
    for life in [Life::Transient, Life::Resident] {
        let schedule = around(life, steps.to_vec());
        let (words, loops, dispatches) = expected(&schedule, start(seed));
        for (name, device) in devices() {
            let (got, stats) = run(&**device, &schedule, &start(seed), &Control::default())
                .unwrap_or_else(|error| panic!("{name}: {error} in\n{schedule}"));
            assert_eq!(got, words, "{name}, seed {seed}, {life:?}:\n{schedule}");
            assert_eq!(stats.loops, loops, "{name}, seed {seed}, {life:?}:\n{schedule}");
            assert_eq!(stats.dispatches, dispatches, "{name}, seed {seed}, {life:?}:\n{schedule}");
        }
        all = Some((words, loops));
    }
    all.unwrap()
}

#[test]
fn a_loop_ends_with_its_test() {
    for seed in 0..5 {
        let (words, loops) = same(&[while_not_zero(4, 100), mix(0, 1), tick(4), Step::End], seed);
        assert_eq!((loops[0].entries, loops[0].limited, words[4][0]), (1, 0, 0));
        assert_eq!(loops[0].turns, u64::from((seed + 4) % 4));
    }
}

#[test]
fn a_loop_ends_at_its_limit() {
    for (limit, limited) in [(0, 1), (1, 1), (2, 1), (3, 0), (4, 0)] {
        // Seed 3 starts word 4 as 3.
        let (_, loops) = same(&[while_not_zero(4, limit), tick(4), Step::End], 3);
        assert_eq!((loops[0].turns, loops[0].limited), (u64::from(limit.min(3)), limited), "limit {limit}");
    }
    for turns in [0, 1, 2, 7, 1000] {
        let (_, loops) = same(&[Step::Loop { test: None, limit: turns }, mix(0, 1), Step::End], 1);
        assert_eq!((loops[0].turns, loops[0].limited), (u64::from(turns), 0));
    }
}

#[test]
fn swaps_end_where_the_last_turn_leaves_them() {
    for turns in 0..6 {
        let steps = [
            Step::Loop { test: None, limit: turns },
            mix(0, 1),
            Step::Barrier,
            swap(0, 1),
            swap(2, 3),
            Step::End,
            mix(1, 2),
        ];
        same(&steps, turns);
        // Three that go round.
        let steps = [
            Step::Loop { test: None, limit: turns },
            mix(1, 2),
            Step::Barrier,
            swap(2, 3),
            Step::Barrier,
            mix(3, 1),
            Step::End,
        ];
        same(&steps, turns);
    }
}

#[test]
fn loops_and_branches_inside_each_other() {
    for seed in 0..4 {
        let steps = [
            while_not_zero(4, 9),
            mix(0, 1),
            poke(2, 5),
            Step::Barrier,
            while_not_zero(5, 3),
            mix(1, 2),
            tick(5),
            Step::Barrier,
            swap(2, 3),
            Step::End,
            Step::When { test: word(6, true) },
            mix(2, 0),
            Step::Loop { test: None, limit: 2 },
            mix(0, 3),
            Step::End,
            Step::End,
            poke(1, 6),
            tick(4),
            Step::End,
            Step::When { test: word(6, false) },
            Step::Clear { range: whole(2) },
            Step::End,
        ];
        same(&steps, seed);
    }
}

#[test]
fn empty_bodies() {
    same(&[Step::Loop { test: None, limit: 5 }, Step::End], 0);
    same(&[Step::When { test: word(4, false) }, Step::End], 1);
    same(&[Step::Loop { test: None, limit: 3 }, Step::Loop { test: None, limit: 2 }, Step::End, Step::End], 0);
}

#[test]
fn a_loop_that_never_ends_can_be_stopped() {
    let endless = Step::Loop { test: Some(word(4, false)), limit: u32::MAX };
    for steps in [vec![endless.clone(), mix(0, 1), Step::End], vec![endless, Step::End]] {
        let schedule = around(Life::Transient, steps);
        for (name, device) in devices() {
            let control = Control::default();
            let stopped = std::thread::scope(|scope| {
                scope.spawn(|| {
                    std::thread::sleep(std::time::Duration::from_millis(20));
                    control.stop.ask(Reason::Caller);
                });
                run(&**device, &schedule, &start(1), &control)
            });
            assert!(matches!(stopped, Err(Error::Stopped { reason: Reason::Caller, .. })), "{name}: {stopped:?}");
            let whole = around(Life::Transient, vec![mix(0, 1)]);
            let (after, _) = run(&**device, &whole, &start(1), &Control::default()).unwrap();
            assert_eq!(after, expected(&whole, start(1)).0, "{name} is usable afterwards");
        }
    }
}

/// Structured at random.
struct Random {
    state: u64,
    steps: Vec<Step>,
    left: u32,
}

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.state >> 33) % u64::from(n)) as u32
    }

    /// Two different ones.
    fn pair(&mut self) -> (u32, u32) {
        let first = self.below(DATA);
        (first, (first + 1 + self.below(DATA - 1)) % DATA)
    }

    fn test(&mut self) -> Test {
        let zero = self.below(2) == 0;
        word(DATA + self.below(TESTED), zero)
    }

    fn body(&mut self, depth: u32, looped: bool) {
        for _ in 0..=self.below(5) {
            if self.left == 0 {
                return;
            }
            self.left -= 1;
            let ((x, y), of) = (self.pair(), DATA + self.below(TESTED));
            match self.below(14) {
                0..4 => self.steps.push(mix(x, y)),
                4..6 => self.steps.push(tick(of)),
                6 => self.steps.push(poke(x, of)),
                7 => self.steps.push(Step::Clear { range: whole(y) }),
                8 => self.steps.push(Step::Copy { from: whole(x), to: whole(y) }),
                // A resident and a transient cannot stand for each other.
                9 | 10 if looped => self.steps.push(if x < 2 { swap(0, 1) } else { swap(2, 3) }),
                11 => {
                    self.steps.push(Step::Dispatch {
                        kernel: GRID,
                        grid: [1; 3],
                        bindings: vec![whole(x), whole(ARGS)],
                    });
                    self.steps.push(Step::Barrier);
                    let args = Binding { bytes: 12, ..whole(ARGS) };
                    let bindings = vec![whole(x), whole(y)];
                    self.steps.push(Step::DispatchIndirect { kernel: MIX, args, limit: [5, 1, 1], bindings });
                }
                12 | 13 if depth > 0 => self.control(depth),
                _ => continue,
            }
            self.steps.push(Step::Barrier);
        }
    }

    fn control(&mut self, depth: u32) {
        let looped = self.below(3) > 0;
        let step = if looped {
            let test = if self.below(4) == 0 { None } else { Some(self.test()) };
            Step::Loop { test, limit: self.below(5) }
        } else {
            Step::When { test: self.test() }
        };
        self.steps.push(step);
        self.body(depth - 1, looped);
        self.steps.push(Step::End);
    }
}

/// Without the barriers that nothing needs, by chance.
fn thinned(random: &mut Random) -> Vec<Step> {
    let mut steps = random.steps.clone();
    for at in (0..steps.len()).rev() {
        if steps[at] == Step::Barrier && random.below(2) == 0 {
            steps.remove(at);
            if check(around(Life::Transient, steps.clone())).is_err() {
                steps.insert(at, Step::Barrier);
            }
        }
    }
    steps
}

#[test]
fn random_control() {
    let seed: u64 = std::env::var("SEAWALL_SEED").map_or(1, |text| text.parse().expect("SEAWALL_SEED is a number"));
    let (mut turns, mut taken) = (0, 0);
    for round in 0..200 {
        let mut random =
            Random { state: seed.wrapping_add(round).wrapping_mul(0x9e37_79b9_7f4a_7c15), steps: Vec::new(), left: 24 };
        for _ in 0..2 {
            random.body(3, false);
            random.control(3);
        }
        let steps = thinned(&mut random);
        println!("SEAWALL_SEED={} is this one", seed.wrapping_add(round));
        let from = random.below(8);
        let (_, loops) = same(&steps, from);
        turns += loops.iter().map(|looped| looped.turns).sum::<u64>();
        taken += loops.iter().filter(|looped| looped.turns > 0).count();
    }
    assert!(turns > 400 && taken > 200, "{turns} turns of {taken} loops are too few to show anything");
}
