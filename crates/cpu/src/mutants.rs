//! Takes away what keeps lanes apart, one thing at a time: each time the answer must change.
//! Were it the same, nothing would test that thing.

mod groups;
mod masks;
mod strips;
mod subgroups;
mod unrolled;

use std::num::NonZeroUsize;
use std::sync::Arc;

use seawall_core::cache::Found;
use seawall_core::check::check;
use seawall_core::device::{Control, Host, Io, Loaded as _};
use seawall_core::program::{Overrides, Program};
use seawall_core::schedule::{self, Binding, Buffer, BufferId, HostId, KernelId, Life, Schedule, Step};

use crate::divergence::Shapes;
use crate::exec::pool::Pool;
use crate::ir::{Address, Binary, Bound, Def, End, Function, Node, Op, Region, Ty, Value};
use crate::passes::{self, Pipeline};
use crate::range::Ranges;
use crate::run::Loaded;
use crate::walk::Part;
use crate::width::{self, Lanes};
use crate::{build, compile, divergence, range};

const KERNEL: &str = "
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
var<workgroup> shared_: array<u32, 16>;
@compute @workgroup_size(16)
fn main(@builtin(local_invocation_index) i: u32) {
    shared_[i] = v[i];
    workgroupBarrier();
    v[i] = shared_[15u - i];
    if i % 3u == 0u { v[i] = 1000u + i; }
}";

/// Its indices leave the workgroup's array, which is half as long as the workgroup.
const SHORT: &str = "
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
var<workgroup> shared_: array<u32, 8>;
@compute @workgroup_size(16)
fn main(@builtin(local_invocation_index) i: u32) {
    shared_[i] = v[i];
    workgroupBarrier();
    v[i] = shared_[i];
}";

/// Its loop goes on behind the end of what the kernel is given.
const FAR: &str = "
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(8)
fn main(@builtin(local_invocation_index) i: u32) {
    let end = 20u + v[0];
    var sum = i;
    for (var k = 0u; k < end; k++) { sum += v[k]; }
    v[i] = sum;
}";

/// The same, counted from a start.
const AHEAD: &str = "
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(8)
fn main(@builtin(local_invocation_index) i: u32) {
    let start = v[0];
    var sum = i;
    for (var k = 0u; k < 10u + start; k++) { sum += v[start * 2u + k]; }
    v[i] = sum;
}";

/// Words of the buffer, and of the part of it that the kernel is given.
const WORDS: u32 = 32;
const BOUND: u32 = 12;

/// Runs the kernel over 1, 2, 3, … after some change to it.
fn run(change: impl FnOnce(&mut Function, &mut Shapes)) -> Vec<u32> {
    run_with(KERNEL, change, honest)
}

fn run_with(
    text: &str,
    change: impl FnOnce(&mut Function, &mut Shapes),
    lie: impl FnOnce(&mut Function, &mut Shapes, &mut Ranges),
) -> Vec<u32> {
    run_on(text, WORDS, BOUND, change, lie)
}

/// Says nothing but the truth.
fn honest(_: &mut Function, _: &mut Shapes, _: &mut Ranges) {}

fn run_on(
    text: &str,
    words: u32,
    bound: u32,
    change: impl FnOnce(&mut Function, &mut Shapes),
    lie: impl FnOnce(&mut Function, &mut Shapes, &mut Ranges),
) -> Vec<u32> {
    let kernel = Program::wgsl(text).unwrap().kernel("main", &Overrides::new()).unwrap();
    let mut function = build::build(&kernel, 32, &mut Pipeline::default()).unwrap().kernel;
    let (mut shapes, _) = width::choose(&function, Some(Lanes::Eight), 4);
    change(&mut function, &mut shapes);
    shapes = divergence::analyse(&function, shapes.width);
    Pipeline::default().group(&mut function, &mut shapes);
    let mut ranges = range::analyse(&function, &shapes);
    lie(&mut function, &mut shapes, &mut ranges);
    let part = Part { function, shapes, ranges };
    let code = compile::generate(&compile::target(None).unwrap(), part, &[], None).unwrap();
    let bytes = u64::from(words) * 4;
    let whole = Binding { buffer: BufferId(0), offset: 0, bytes };
    let bound = Binding { bytes: u64::from(bound) * 4, ..whole };
    let schedule = Schedule {
        kernels: vec![kernel],
        buffers: vec![Buffer { name: "v".to_owned(), bytes, life: Life::Transient }],
        hosts: vec![schedule::Host { name: "v".to_owned(), bytes, writable: true }],
        steps: vec![
            Step::Upload { host: HostId(0), at: 0, to: whole },
            Step::Barrier,
            Step::Dispatch { kernel: KernelId(0), grid: [1, 1, 1], bindings: vec![bound] },
            Step::Barrier,
            Step::Download { from: whole, host: HostId(0), at: 0, length: None },
        ],
        budget_bytes: None,
    };
    let pool = Arc::new(Pool::new(NonZeroUsize::MIN).unwrap());
    let loaded = Loaded::new(Arc::new(check(schedule).unwrap()), vec![Arc::new(code)], vec![Found::New], pool, None);
    let mut v: Vec<u8> = (1..=words).flat_map(u32::to_le_bytes).collect();
    loaded.run(Io { hosts: vec![Host::Write(&mut v)], residents: Vec::new() }, &Control::default()).unwrap();
    v.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
}

fn expected() -> Vec<u32> {
    let held = |i: u32| if i < BOUND { i + 1 } else { 0 };
    let word = |i: u32| match i {
        BOUND.. => i + 1,
        _ if i.is_multiple_of(3) => 1000 + i,
        _ => held(15 - i),
    };
    (0..WORDS).map(word).collect()
}

/// All regions, the outermost first.
fn regions(region: &mut Region, change: &mut dyn FnMut(&mut Region)) {
    change(region);
    for node in &mut region.nodes {
        match node {
            Node::If { accept, reject, .. } => {
                regions(accept, change);
                regions(reject, change);
            }
            Node::Block { body, .. } | Node::Loop { body, .. } => regions(body, change),
            Node::Let(_) | Node::Store { .. } | Node::Barrier => {}
            Node::Group(group) => group.region_mut().into_iter().for_each(|body| regions(body, change)),
        }
    }
}

#[test]
fn unchanged() {
    assert_eq!(run(|_, _| ()), expected());
}

#[test]
fn without_the_barrier() {
    let got = run(|f, _| regions(&mut f.body, &mut |region| region.nodes.retain(|node| *node != Node::Barrier)));
    assert_ne!(got, expected());
}

/// The binding ends inside the buffer, so that what lies behind it is there to be hit.
#[test]
fn without_the_bounds_check_of_loads() {
    let got = run(|f, _| {
        for def in &mut f.values {
            if let Op::Load { at, .. } = &mut def.op {
                at.terms.iter_mut().for_each(|term| term.bound = Bound::Const(WORDS));
            }
        }
    });
    assert_ne!(got, expected());
}

/// Reads past the end of the caller's slice, which stands for the buffer: a checker of memory that
/// does not see this one sees none (`.ci/memcheck`).
#[test]
#[ignore = "goes outside its memory, for a checker to see"]
fn planted() {
    run_on(
        KERNEL,
        BOUND,
        BOUND,
        |f, _| {
            for def in &mut f.values {
                if let Op::Load { at, .. } = &mut def.op {
                    at.terms.iter_mut().for_each(|term| term.bound = Bound::Const(WORDS));
                }
            }
        },
        honest,
    );
}

#[test]
fn without_the_bounds_check_of_stores() {
    let wide = |node: &mut Node| {
        if let Node::Store { at, .. } = node {
            at.terms.iter_mut().for_each(|term| term.bound = Bound::Const(WORDS));
        }
    };
    let got = run(|f, _| regions(&mut f.body, &mut |region| region.nodes.iter_mut().for_each(wide)));
    assert_ne!(got, expected());
}

/// Vectors that are read and written whole, of which the last lane group's are not all there.
const ELEMENTS: &str = "
@group(0) @binding(0) var<storage, read_write> v: array<vec4u>;
@compute @workgroup_size(16)
fn main(@builtin(local_invocation_index) i: u32) {
    v[i] = v[i].wzyx * 3u;
}";

#[test]
fn elements_without_their_bounds_check() {
    let (words, bound) = (64, 52);
    let word = |i: u32| if i < bound { (i / 4 * 8 + 4 - i) * 3 } else { i + 1 };
    let expected: Vec<u32> = (0..words).map(word).collect();
    let wide = |at: &mut Address| at.terms.iter_mut().for_each(|term| term.bound = Bound::Const(words / 4));
    let store = |node: &mut Node| {
        if let Node::Store { at, .. } = node {
            wide(at);
        }
    };
    assert_eq!(run_on(ELEMENTS, words, bound, |_, _| (), honest), expected);
    let unchecked = |f: &mut Function, _: &mut Shapes| {
        regions(&mut f.body, &mut |region| region.nodes.iter_mut().for_each(store));
    };
    assert_ne!(run_on(ELEMENTS, words, bound, unchecked, honest), expected);
}

#[test]
fn without_the_mask_of_a_branch() {
    let got = run(|f, _| {
        regions(&mut f.body, &mut |region| {
            let nodes = std::mem::take(&mut region.nodes);
            let open = |node| match node {
                Node::If { accept, .. } => accept.nodes,
                other => vec![other],
            };
            region.nodes = nodes.into_iter().flat_map(open).collect();
        });
    });
    assert_ne!(got, expected());
}

#[test]
fn with_all_lanes_called_the_same() {
    assert_ne!(run_with(KERNEL, |_, _| (), |_, shapes, _| shapes.flatten()), expected());
}

#[test]
fn with_all_indices_called_zero() {
    let word = |i: u32| if (8..BOUND).contains(&i) { 0 } else { i + 1 };
    let expected: Vec<u32> = (0..WORDS).map(word).collect();
    assert_eq!(run_with(SHORT, |_, _| (), honest), expected);
    assert_ne!(run_with(SHORT, |_, _| (), |_, _, ranges| ranges.flatten()), expected);
}

/// In the last turn some of the workgroup stay and some do not.
const ROWS: &str = "
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) {
    var sum = 0u;
    for (var k = i; k < 234u; k += 32u) { sum = sum * 3u + v[k]; }
    v[i] = sum;
}";

fn run_rows(change: impl FnOnce(&mut Function)) -> Vec<u32> {
    run_on(ROWS, 256, 256, |f, _| change(f), honest)
}

fn expected_rows() -> Vec<u32> {
    let sum = |i: u32| (i..234).step_by(32).fold(0_u32, |sum, k| sum.wrapping_mul(3).wrapping_add(k + 1));
    (0..256).map(|i| if i < 32 { sum(i) } else { i + 1 }).collect()
}

#[test]
fn rows_unchanged() {
    assert_eq!(
        run_rows(|f| assert_eq!(f.interchanged.len(), 2, "the workgroup goes abreast, by four turns and by one")),
        expected_rows()
    );
}

#[test]
fn rows_for_all_while_the_first_stays() {
    let got = run_rows(|f| {
        let ands: Vec<[Value; 2]> = f.values.iter().filter_map(|def| both(&def.op)).collect();
        for [sides, ordered] in ands {
            if let (Some([first, last]), Op::Binary(Binary::Le, ..)) = (both(f.op(sides)), f.op(ordered)) {
                f.values[last.index()] = f.values[first.index()].clone();
            }
        }
    });
    assert_ne!(got, expected_rows());
}

/// The first of the workgroup and the last stay for some turns, while others between them do not: their
/// number has gone past the bound, and further on it has wrapped.
const WRAPS: &str = "
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(128)
fn main(@builtin(local_invocation_index) i: u32) {
    var sum = 0u;
    var at = i;
    for (var k = 0xb0000000u + i * 0x01000000u; k < 0xc0000000u; k += 0x04000000u) {
        sum = sum * 3u + v[at];
        at += 128u;
    }
    v[i] = sum;
}";

#[test]
fn rows_whose_order_nobody_asks() {
    let ask_nothing = |f: &mut Function, _: &mut Shapes| {
        let ands: Vec<[Value; 2]> = f.values.iter().filter_map(|def| both(&def.op)).collect();
        for [_, ordered] in ands {
            if let Op::Binary(Binary::Le, first, last) = &mut f.values[ordered.index()].op {
                *last = *first;
            }
        }
    };
    let words = 128 * 52;
    let run = |change: &dyn Fn(&mut Function, &mut Shapes)| run_on(WRAPS, words, words, change, honest);
    let sum = |i: u32| {
        let turns = (0xb000_0000_u32.wrapping_add(i << 24)..0xc000_0000).step_by(0x0400_0000).count() as u32;
        (0..turns).fold(0_u32, |sum, turn| sum.wrapping_mul(3).wrapping_add(i + 128 * turn + 1))
    };
    let expected: Vec<u32> = (0..words).map(|i| if i < 128 { sum(i) } else { i + 1 }).collect();
    assert_eq!(run(&|_, _| ()), expected);
    assert_ne!(run(&ask_nothing), expected);
}

fn both(op: &Op) -> Option<[Value; 2]> {
    if let Op::Binary(Binary::And, a, b) = *op { Some([a, b]) } else { None }
}

#[test]
fn rows_that_forget_what_they_carry() {
    let got = run_rows(|f| {
        let turns = f.interchanged[0].label;
        let params = f.body.params().remove(&turns).unwrap();
        let mut body = std::mem::take(&mut f.body);
        regions(&mut body, &mut |region| match &mut region.end {
            End::Jump(to, args) if *to == turns => args[0] = params[0],
            _ => {}
        });
        f.body = body;
    });
    assert_ne!(got, expected_rows());
}

#[test]
fn rows_whose_rest_starts_anew() {
    let got = run_rows(|f| {
        let rest = f.interchanged[0].rest;
        let mut body = std::mem::take(&mut f.body);
        let mut starts = Vec::new();
        regions(&mut body, &mut |region| {
            for node in &mut region.nodes {
                match node {
                    Node::Loop { label, init, .. } if Some(*label) == rest => init[0] = starts[0],
                    Node::Loop { init, .. } => starts.clone_from(init),
                    _ => {}
                }
            }
        });
        f.body = body;
    });
    assert_ne!(got, expected_rows());
}

/// Rows of a tile that every invocation of a column reads: one does the work of two.
const PAIRS: &str = "
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
var<workgroup> tile: array<array<u32, 8>, 4>;
@compute @workgroup_size(8, 4)
fn main(@builtin(local_invocation_id) id: vec3u, @builtin(local_invocation_index) i: u32) {
    tile[id.y][id.x] = v[i];
    workgroupBarrier();
    var sum = i;
    for (var k = 0u; k < 4u; k++) {
        sum = sum * 3u + tile[k][id.x];
        // leave
    }
    v[i] = sum;
}";

#[test]
fn pairs_whose_second_is_the_first() {
    let sum = |i: u32| (0..4).fold(i, |sum: u32, k| sum.wrapping_mul(3).wrapping_add(k * 8 + i % 8 + 1));
    let expected: Vec<u32> = (0..WORDS).map(sum).collect();
    let whole = |f: &mut Function, _: &mut Shapes| assert!(!f.coarsened.is_empty(), "invocations go in pairs");
    assert_eq!(run_on(PAIRS, WORDS, WORDS, whole, honest), expected);
    let same = |f: &mut Function, _: &mut Shapes| {
        let ids: Vec<bool> = f.values.iter().map(|def| matches!(def.op, Op::Builtin(_))).collect();
        for def in &mut f.values {
            if let Op::Binary(op @ Binary::Add, id, ahead) = &mut def.op
                && ids[id.index()]
            {
                (*op, *ahead) = (Binary::Or, *id);
            }
        }
    };
    assert_ne!(run_on(PAIRS, WORDS, WORDS, same, honest), expected);
}

/// One of a pair must not leave for the other.
#[test]
fn no_pairs_of_those_who_part() {
    for (leave, paired) in [("", true), ("if id.x == 3u { break; }", true), ("if id.y == 3u { break; }", false)] {
        let text = PAIRS.replace("// leave", leave);
        let kernel = Program::wgsl(&text).unwrap().kernel("main", &Overrides::new()).unwrap();
        assert_eq!(
            build::build(&kernel, 32, &mut Pipeline::default()).unwrap().kernel.coarsened.is_empty(),
            !paired,
            "{leave}"
        );
    }
}

/// Lets every question that stands before a version of code be answered by yes.
fn always_yes(f: &mut Function) {
    f.values.push(Def { ty: Ty::Bool, op: Op::Const(1) });
    let yes = Value(f.values.len() as u32 - 1);
    regions(&mut f.body, &mut |region| {
        for node in &mut region.nodes {
            let Node::Block { label, body, .. } = node else { continue };
            for node in &mut body.nodes {
                if let Node::If { condition, reject: Region { end: End::Jump(to, _), .. }, .. } = node
                    && to == label
                {
                    *condition = yes;
                }
            }
        }
    });
}

#[test]
fn with_a_question_that_is_always_answered_by_yes() {
    answered_by_yes(FAR, 1);
    answered_by_yes(AHEAD, 3);
}

/// Of a loop that sums up the words from a first one on. Where the lie is told before what is shown is derived once
/// more, it cannot be derived, and is checked.
fn answered_by_yes(text: &str, first: u32) {
    let sum = |i: u32| if i < 8 { i + (first..=BOUND).sum::<u32>() } else { i + 1 };
    let expected: Vec<u32> = (0..WORDS).map(sum).collect();
    let guarded = |f: &mut Function, shapes: &mut Shapes| {
        assert!(passes::version(f, shapes), "the loop has two forms");
    };
    assert_eq!(run_with(text, guarded, honest), expected);
    let late = |f: &mut Function, shapes: &mut Shapes, ranges: &mut Ranges| {
        always_yes(f);
        *shapes = divergence::analyse(f, shapes.width);
        *ranges = range::analyse(f, shapes);
    };
    assert_ne!(run_with(text, guarded, late), expected);
    let early = |f: &mut Function, shapes: &mut Shapes| {
        guarded(f, shapes);
        always_yes(f);
    };
    let mut said = Vec::new();
    let got = run_with(text, early, |f, _, _| said = f.remarks.all());
    assert_eq!(got, expected);
    assert!(said.iter().any(|remark| remark.pass == "witness" && !remark.done), "{said:?}");
}

/// Its last lanes are outside, and before them some that the branch does not let through.
const LAST: &str = "
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) {
    v[i] += 100u;
    if i + 4u < arrayLength(&v) { v[i] *= 3u; }
}";

#[test]
fn with_questions_about_the_first_lane_for_all() {
    let word = |i: u32| match i {
        BOUND.. => i + 1,
        _ if i + 4 < BOUND => (i + 101) * 3,
        _ => i + 101,
    };
    let expected: Vec<u32> = (0..WORDS).map(word).collect();
    assert_eq!(run_with(LAST, |_, _| (), honest), expected);
    // Numbers of 64 bits are how far ahead of the first lane the last one is.
    let nearer = |f: &mut Function, _: &mut Shapes, _: &mut Ranges| {
        let ahead = |def: &&mut Def| def.ty == Ty::U64 && matches!(def.op, Op::Const(_));
        f.values.iter_mut().filter(ahead).for_each(|def| def.op = Op::Const(0));
    };
    let got = run_with(LAST, |_, _| (), nearer);
    assert_ne!(got[..BOUND as usize], expected[..BOUND as usize], "the branch's");
    assert_ne!(got[BOUND as usize..], expected[BOUND as usize..], "the bound's");
}
