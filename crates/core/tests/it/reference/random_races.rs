//! Random programs, whose accesses are known line by line, against comparing all pairs of them.

use std::collections::BTreeSet;
use std::fmt::Write;

use seawall_core::reference::Config;
use seawall_core::sanitize::{self, Findings};

use super::sanitize::found_with;

const GROUPS: u32 = 3;
const INVOCATIONS: u32 = 3;
const WORDS: u32 = 4;

/// Splitmix64.
struct Random(u64);

impl Random {
    fn below(&mut self, count: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(z ^ (z >> 31)) * u128::from(count)) >> 64) as u32
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Memory {
    Storage,
    Workgroup,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    WorkgroupBarrier,
    StorageBarrier,
    GridBarrier,
    Access { memory: Memory, write: bool, atomic: bool, only: Option<u32>, times: u32, plus: u32 },
}

impl Line {
    fn random(random: &mut Random) -> Self {
        match random.below(9) {
            0 => Self::WorkgroupBarrier,
            1 => Self::StorageBarrier,
            2 if random.below(3) == 0 => Self::GridBarrier,
            _ => Self::Access {
                memory: if random.below(2) == 0 { Memory::Storage } else { Memory::Workgroup },
                write: random.below(2) == 0,
                atomic: random.below(3) == 0,
                only: (random.below(2) == 0).then(|| random.below(GROUPS * INVOCATIONS)),
                times: random.below(3),
                plus: random.below(WORDS),
            },
        }
    }

    fn text(self) -> String {
        match self {
            Self::WorkgroupBarrier => "workgroupBarrier();".to_owned(),
            Self::StorageBarrier => "storageBarrier();".to_owned(),
            Self::GridBarrier => "gridBarrier();".to_owned(),
            Self::Access { memory, write, atomic, only, times, plus } => {
                let (name, base) = match (memory, atomic) {
                    (Memory::Storage, false) => ("out.words", "id.x"),
                    (Memory::Storage, true) => ("out.counts", "id.x"),
                    (Memory::Workgroup, false) => ("tile", "i"),
                    (Memory::Workgroup, true) => ("counts", "i"),
                };
                let place = format!("{name}[({base} * {times}u + {plus}u) % {WORDS}u]");
                let access = match (write, atomic) {
                    (true, false) => format!("{place} = id.x;"),
                    (false, false) => format!("sum += {place};"),
                    (true, true) => format!("atomicAdd(&{place}, 1u);"),
                    (false, true) => format!("sum += atomicLoad(&{place});"),
                };
                match only {
                    Some(who) => format!("if id.x == {who}u {{ {access} }}"),
                    None => access,
                }
            }
        }
    }
}

/// One access of one invocation, and what orders it.
#[derive(Debug, Clone, Copy)]
struct Access {
    line: usize,
    group: u32,
    invocation: u32,
    /// Memory, and whether it is that of the atomics, and the word.
    place: (Memory, bool, u32),
    write: bool,
    atomic: bool,
    phase: u32,
    epoch: u32,
}

impl Access {
    /// By the rule, pair by pair.
    fn races(&self, other: &Self) -> bool {
        let same_memory = self.place == other.place
            && match self.place.0 {
                Memory::Storage => true,
                Memory::Workgroup => self.group == other.group,
            };
        let ordered = self.phase != other.phase || (self.group == other.group && self.epoch != other.epoch);
        same_memory
            && (self.group, self.invocation) != (other.group, other.invocation)
            && (self.write || other.write)
            && !(self.atomic && other.atomic)
            && !ordered
    }
}

/// Every access that the program makes.
fn accesses(program: &[Line]) -> Vec<Access> {
    let mut all = Vec::new();
    for group in 0..GROUPS {
        for invocation in 0..INVOCATIONS {
            let id = group * INVOCATIONS + invocation;
            let (mut phase, mut storage, mut workgroup) = (0, 0, 0);
            for (line, &what) in program.iter().enumerate() {
                match what {
                    Line::WorkgroupBarrier => workgroup += 1,
                    Line::StorageBarrier => storage += 1,
                    Line::GridBarrier => phase += 1,
                    Line::Access { memory, write, atomic, only, times, plus } => {
                        if only.is_some_and(|who| who != id) {
                            continue;
                        }
                        let (base, epoch) = match memory {
                            Memory::Storage => (id, storage),
                            Memory::Workgroup => (invocation, workgroup),
                        };
                        let place = (memory, atomic, (base * times + plus) % WORDS);
                        all.push(Access { line, group, invocation, place, write, atomic, phase, epoch });
                    }
                }
            }
        }
    }
    all
}

fn text(program: &[Line]) -> String {
    let mut text = format!(
        "struct All {{ words: array<u32, {WORDS}>, counts: array<atomic<u32>, {WORDS}> }}
@group(0) @binding(0) var<storage, read_write> out: All;
var<workgroup> tile: array<u32, {WORDS}>;
var<workgroup> counts: array<atomic<u32>, {WORDS}>;
@compute @workgroup_size({INVOCATIONS})
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) i: u32) {{
var sum = 0u;
"
    );
    for line in program {
        writeln!(text, "{}", line.text()).expect("a string takes all");
    }
    text + "}\n"
}

/// Pairs of the program's lines that are told to race.
fn told(findings: &Findings) -> BTreeSet<(usize, usize)> {
    let races = findings.list.iter().filter(|finding| finding.diagnostic.code.starts_with("race"));
    let pair = |finding: &sanitize::Finding| {
        let text = &finding.source.text;
        let line = |at: u32| text[..at as usize].matches('\n').count() - 7;
        let labels = &finding.diagnostic.labels;
        let (first, last) = (line(labels[0].span.start), line(labels[labels.len() - 1].span.start));
        (first.min(last), first.max(last))
    };
    races.map(pair).collect()
}

#[test]
fn random_programs_race_where_all_pairs_say_so() {
    let (mut racy, mut sound) = (0, 0);
    for seed in 0..600 {
        let mut random = Random(seed);
        let program: Vec<Line> = (0..2 + random.below(6)).map(|_| Line::random(&mut random)).collect();
        let all = accesses(&program);
        let mut expected = BTreeSet::new();
        for (i, one) in all.iter().enumerate() {
            for other in all[..i].iter().filter(|other| one.races(other)) {
                expected.insert((one.line.min(other.line), one.line.max(other.line)));
            }
        }
        let text = text(&program);
        for order in [None, Some(seed), Some(seed + 1000)] {
            let config = Config { seed: order, sanitize: Some(sanitize::Config::default()), ..Config::default() };
            let told = told(&found_with(&text, GROUPS, 2 * WORDS as usize, config));
            let wrong: Vec<_> = told.difference(&expected).collect();
            assert!(wrong.is_empty(), "seed {seed}, order {order:?}: {wrong:?} do not race\n{text}");
            // Not every pair need be told, but every line that is in one.
            let lines = |pairs: &BTreeSet<(usize, usize)>| pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
            let (here, there): (BTreeSet<usize>, BTreeSet<usize>) = (lines(&told), lines(&expected));
            assert_eq!(told.is_empty(), expected.is_empty(), "seed {seed}, order {order:?}\n{text}");
            assert!(here.is_subset(&there), "seed {seed}, order {order:?}\n{text}");
        }
        if expected.is_empty() { sound += 1 } else { racy += 1 }
    }
    assert!(racy > 100 && sound > 100, "{racy} racy and {sound} sound programs");
}
