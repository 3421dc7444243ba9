//! Versions of code whose questions are answered by yes, or asked about too few lanes.

use super::{BOUND, WORDS, honest, regions, run_with};
use crate::divergence::{self, Shapes};
use crate::ir::{Def, End, Function, Node, Op, Region, Ty, Value};
use crate::passes;
use crate::range::{self, Ranges};

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
fn always_answered_by_yes() {
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
fn about_the_first_lane_for_all() {
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
