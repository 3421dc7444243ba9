//! Breaks what a split does, one thing at a time: each time the answer must change. Were it the same,
//! nothing would test that thing. And the other way round: whole, it gives what the uncut kernel does.

mod textures;

use std::sync::Arc;

use crate::check::check;
use crate::device::{Control, Device as _, Host, Io};
use crate::program::{Kernel, Overrides, Program};
use crate::reference::{Config, Device};
use crate::schedule::{Binding, Buffer, BufferId, Host as Slice, HostId, KernelId, Life, Schedule, Step};
use crate::split::{self, Mutant, Split, mutated, split};

/// Of everything that is kept: what differs between invocations and what does not, variables and
/// values, private and workgroup memory, and what a loop counts.
const KERNEL: &str = "
@group(0) @binding(0) var<storage, read_write> a: array<u32>;
var<workgroup> tile: array<u32, 4>;
var<workgroup> sum: atomic<u32>;
var<private> own: vec2u;

@compute @workgroup_size(4)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
) {
    let n = arrayLength(&a);
    let before = a[(id.x + 1) % n];
    var seen = array<u32, 3>(1, 2, 3);
    seen[id.x % 3] = a[id.x];
    tile[local] = id.x * 3 + 1;
    own = vec2u(before, id.x);
    var turns = a[0] % 2 + 2;
    var wide = group.x * 2 + 5;
    gridBarrier();
    a[id.x] = 1000 + seen[0] + turns;
    atomicAdd(&sum, id.x + 1);
    gridBarrier();
    for (var i = 0u; i < n / 4; i++) {
        let next = a[(id.x + i) % n];
        turns += 1;
        gridBarrier();
        a[id.x] += next * (i + 1) + tile[3 - local] + own.x + wide;
        own.x += 1;
        wide += 2;
        gridBarrier();
    }
    a[id.x] = a[id.x] * 31 + before + seen[1] + seen[2] + own.y + turns + atomicLoad(&sum);
}";

fn kernel(text: &str) -> Arc<Kernel> {
    let program = Program::wgsl(text).unwrap_or_else(|report| panic!("{report}"));
    program.kernel("main", &Overrides::new()).unwrap_or_else(|report| panic!("{report}"))
}

const WORDS: usize = 12;

fn schedule(kernel: &Arc<Kernel>) -> Schedule {
    let bytes = 4 * WORDS as u64;
    let whole = Binding { buffer: BufferId(0), offset: 0, bytes };
    let (host, grid) = (HostId(0), [WORDS as u32 / 4, 1, 1]);
    Schedule {
        kernels: vec![kernel.clone()],
        buffers: vec![Buffer { name: "a".to_owned(), bytes, life: Life::Transient }],
        hosts: vec![Slice { name: "a".to_owned(), bytes, writable: true }],
        steps: vec![
            Step::Upload { host, at: 0, to: whole },
            Step::Barrier,
            Step::Dispatch { kernel: KernelId(0), grid, bindings: vec![whole] },
            Step::Barrier,
            Step::Download { from: whole, host, at: 0, length: None },
        ],
        budget_bytes: None,
    }
}

fn run(schedule: Schedule, seed: Option<u64>) -> Vec<u32> {
    let checked = Arc::new(check(schedule).unwrap_or_else(|error| panic!("{error}")));
    let mut bytes: Vec<u8> = (0..WORDS as u32).flat_map(|word| (word * 7 % 30 + 1).to_le_bytes()).collect();
    let device = Device::new(Config { seed, ..Config::default() });
    let loaded = device.load(checked).unwrap();
    loaded.run(Io { hosts: vec![Host::Write(&mut bytes)], residents: Vec::new() }, &Control::default()).unwrap();
    bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
}

/// Far above what its loops need: a mutant may go on forever.
const TURNS_MAX: u32 = 32;

fn cut(kernel: &Arc<Kernel>, split: &Split) -> Schedule {
    let mut schedule = split::cut(schedule(kernel), &mut |_| Ok(Arc::new(split.clone()))).unwrap();
    for step in &mut schedule.steps {
        if let Step::Loop { test: Some(_), limit } = step {
            *limit = TURNS_MAX;
        }
    }
    schedule
}

fn answers(schedule: &Schedule) -> [Vec<u32>; 3] {
    [None, Some(1), Some(2)].map(|seed| run(schedule.clone(), seed))
}

#[test]
fn a_split_gives_what_the_kernel_does() {
    let kernel = kernel(KERNEL);
    let whole = answers(&schedule(&kernel));
    assert!(whole.iter().all(|answer| *answer == whole[0]));
    assert_eq!(answers(&cut(&kernel, &split(&kernel).unwrap())), whole);
}

#[test]
fn mutants_give_something_else() {
    let kernel = kernel(KERNEL);
    let whole = answers(&schedule(&kernel));
    let sound = split(&kernel).unwrap();
    assert!(sound.kept.len() > 8, "{sound}");
    let kept = (0..sound.kept.len()).flat_map(|at| [Mutant::Lost(at), Mutant::Unkept(at)]);
    let cuts = [0, 2].map(Mutant::Early);
    for mutant in kept.chain(cuts).chain([Mutant::Reloaded, Mutant::Sides]) {
        let answers = answers(&cut(&kernel, &mutated(&kernel, mutant)));
        assert_ne!(answers, whole, "{mutant:?} of\n{sound}");
    }
}

#[test]
fn splitting_twice_gives_the_same() {
    let kernel = kernel(KERNEL);
    let text = || {
        let split = split(&kernel).unwrap();
        let modules: Vec<String> = split.segments.iter().map(|one| format!("{:?}", one.kernel.module())).collect();
        (split.to_string(), modules)
    };
    assert_eq!(text(), text());
}

#[test]
fn a_kernel_without_grid_barriers_is_its_only_segment() {
    let kernel = kernel("@compute @workgroup_size(1) fn main() {}");
    let split = split(&kernel).unwrap();
    assert_eq!(split.segments.len(), 1);
    assert!(Arc::ptr_eq(&split.segments[0].kernel, &kernel));
}

#[test]
fn segments_are_as_many_as_the_work_between_barriers() {
    let steps = |body: &str| {
        let text = format!(
            "@group(0) @binding(0) var<storage, read_write> a: array<u32>;
             @compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) {{ {body} }}"
        );
        split(&kernel(&text)).unwrap().steps.len()
    };
    assert_eq!(steps("a[id.x] = 1; gridBarrier(); a[id.x] = 2;"), 2);
    assert_eq!(steps("gridBarrier(); gridBarrier(); a[id.x] = 2; gridBarrier();"), 1, "nothing to do is no segment");
    // Before the loop, a turn, its end, and after it; the loop and its end.
    assert_eq!(steps("for (var i = 0u; i < 4; i++) { a[id.x] += i; gridBarrier(); } a[id.x] += 1;"), 5);
    // Both halves of the branch are part of the segments around it.
    assert_eq!(steps("if arrayLength(&a) > 3 { a[id.x] = 1; gridBarrier(); a[id.x] += 2; } a[id.x] += 3;"), 2);
    // Nothing is left to do behind the loop.
    assert_eq!(steps("for (var i = 0u; i < 4; i++) { a[id.x] += i; gridBarrier(); }"), 4);
}

#[test]
fn segments_have_the_buffers_of_their_kernel_and_say_which_they_are() {
    let kernel = kernel(KERNEL);
    let split = split(&kernel).unwrap();
    for (at, segment) in split.segments.iter().enumerate() {
        let (own, rest) = segment.kernel.buffers.split_at(kernel.buffers.len());
        assert!(
            own.iter()
                .zip(&kernel.buffers)
                .all(|(one, other)| (&one.name, one.binding) == (&other.name, other.binding))
        );
        assert!(rest.len() <= 3);
        assert_eq!(segment.kernel.name, format!("main (segment {} of {})", at + 1, split.segments.len()));
        assert_eq!(segment.kernel.workgroup_size, kernel.workgroup_size);
        assert_ne!(segment.kernel, kernel);
        assert!(split.segments[..at].iter().all(|other| other.kernel != segment.kernel));
    }
}

#[test]
fn more_segments_than_anyone_compiles_are_refused() {
    let text = |barriers: usize| {
        let turns = "a[id.x] += a[id.x ^ 1]; gridBarrier(); let y = a[id.x ^ 2]; gridBarrier(); a[id.x] ^= y;"
            .repeat(barriers / 2);
        format!(
            "@group(0) @binding(0) var<storage, read_write> a: array<u32>;
             @compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) {{ {turns} }}"
        )
        .replace("let y", "{ let y")
        .replace("^= y;", "^= y; }")
    };
    assert_eq!(split(&kernel(&text(600))).unwrap().segments.len(), 601);
    let refused = split(&kernel(&text(2000))).unwrap_err();
    assert_eq!(refused.diagnostics[0].code, "too-large");
    assert_eq!(refused.diagnostics[0].message, "grid barriers cut `main` into 2001 parts; the limit is 1024");
}

/// Loops, and what the schedule knows about them.
#[test]
fn trips_are_counted_where_they_are_certain() {
    let turns = |text: &str| {
        let text = format!(
            "@group(0) @binding(0) var<storage, read_write> a: array<u32>;
            @group(0) @binding(1) var<uniform> u: vec4u;
            const N = 5u;
            fn change(i: ptr<function, u32>) {{ *i += 1; }}
            @compute @workgroup_size(4)
            fn main(@builtin(global_invocation_id) id: vec3u) {{ {text} a[id.x] += 1; }}"
        );
        let split = split(&kernel(&text)).unwrap().to_string();
        let found: Vec<&str> = split.lines().filter(|line| line.contains("loop")).map(str::trim).collect();
        assert_eq!(found.len(), 1, "{split}");
        found[0].strip_prefix("loop, ").map(|turns| turns.strip_suffix(" turns").unwrap().parse::<u32>().unwrap())
    };
    let body = "a[id.x] += 2; gridBarrier(); a[id.x] += 3;";
    for (text, expected) in [
        ("for (var i = 0u; i < 7; i++) { BODY }", Some(7)),
        ("for (var i = 0u; i < N; i += 2) { BODY }", Some(3)),
        ("for (var i = 6i; i >= -1; i -= 3) { BODY }", Some(3)),
        ("for (var i = 1u; N > i; i++) { BODY }", Some(4)),
        ("for (var i = 9i; i != 3; i -= 2) { BODY }", Some(3)),
        ("for (var i = 9i; i != 3; i -= 4) { BODY }", None),
        ("for (var i = 4294967290u; i != 2; i++) { BODY }", None),
        ("for (var i = 0u; i < 4000000000u; i++) { BODY }", Some(4_000_000_000)),
        ("var i = 2u; while i <= N { BODY i++; }", None),
        ("var i = 2u; loop { if i > N { break; } BODY continuing { i++; } }", Some(4)),
        // Another value before the loop, or none that is known.
        ("var i = 2u; i = 3u; loop { if i > N { break; } BODY continuing { i++; } }", Some(3)),
        ("var i = 2u; change(&i); loop { if i > N { break; } BODY continuing { i++; } }", None),
        (
            "var i = 2u; if u.x > 1 { i = 3; } gridBarrier(); loop { if i > N { break; } BODY continuing { i++; } }",
            None,
        ),
        // Other ways out, or another step.
        ("for (var i = 0u; i < 7; i++) { if u.y == 1 { break; } gridBarrier(); BODY }", None),
        ("for (var i = 0u; i < 7; i++) { if u.y == 1 { return; } gridBarrier(); BODY }", None),
        ("for (var i = 0u; i < 7; i++) { if i == 3 { i += 2; } BODY }", None),
        ("for (var i = 0u; i < 7; i++) { change(&i); BODY }", None),
        ("for (var i = 1u; i < 70; i *= 2) { BODY }", None),
        ("for (var i = 0u; i < arrayLength(&a); i++) { BODY }", None),
        // What is never done, or never ends.
        ("for (var i = 9u; i < 7; i++) { BODY }", None),
        ("for (var i = 0u; i < 7; i += 0) { BODY }", None),
        (
            "for (var i = 0u; i < 7; i++) { for (var k = 0u; k < 9; k++) { a[id.x] += k; if k == 3 { break; } } BODY }",
            Some(7),
        ),
    ] {
        let text = text.replace("BODY", body);
        assert_eq!(turns(&text), expected, "{text}");
    }
}

/// Counters of loops begin where the loops do, and what is only passed on is passed on by a loop: a kernel
/// with twice the loops, or twice the variables, is twice as long in all its segments.
#[test]
fn segments_stay_short() {
    let long = |text: String| {
        let text = format!(
            "@group(0) @binding(0) var<storage, read_write> a: array<u32>;
            @group(0) @binding(1) var<uniform> u: vec4u;
            @compute @workgroup_size(4)
            fn main(@builtin(local_invocation_index) i: u32) {{ {text} }}"
        );
        let split = split(&kernel(&text)).unwrap();
        let long = |segment: &split::Segment| segment.kernel.entry().function.expressions.len();
        (split.kept.len(), split.segments.iter().map(long).sum::<usize>())
    };
    let loops = |count: u32| {
        let one = |k| format!("for (var k{k} = 0u; k{k} < u.x; k{k}++) {{ a[i] += 1u; gridBarrier(); }}");
        long((0..count).map(one).collect())
    };
    let ([few, short], [many, twice]) = (<[usize; 2]>::from(loops(20)), <[usize; 2]>::from(loops(40)));
    assert_eq!((many, few), (40, 20), "each counter in its own loop");
    assert!(twice * 10 <= short * 22, "{short} expressions for 20 loops, {twice} for 40");
    let values = |count: u32| {
        let declared = (0..count).map(|k| format!("var v{k} = u.x + a[{k}];"));
        let changed = (0..count).map(|k| format!("v{k} += u.y; gridBarrier(); a[i] += v{k};"));
        let used = (0..count).map(|k| format!("a[i] += v{k};"));
        long(declared.chain(changed).chain(used).collect::<Vec<_>>().concat()).1
    };
    let (short, twice) = (values(20), values(40));
    assert!(twice * 10 <= short * 30, "{short} expressions for 20 values, {twice} for 40");
}
