//! Interchanged loops that end for a workgroup as if its invocations did not differ.

use super::{honest, regions, run_on};
use crate::divergence::Shapes;
use crate::ir::{Binary, End, Function, Node, Op, Value};

/// In the last turn some of the workgroup stay and some do not.
const ROWS: &str = "
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) {
    var sum = 0u;
    for (var k = i; k < 234u; k += 32u) { sum = sum * 3u + v[k]; }
    v[i] = sum;
}";

fn run(change: impl FnOnce(&mut Function)) -> Vec<u32> {
    run_on(ROWS, 256, 256, |f, _| change(f), honest)
}

fn expected() -> Vec<u32> {
    let sum = |i: u32| (i..234).step_by(32).fold(0_u32, |sum, k| sum.wrapping_mul(3).wrapping_add(k + 1));
    (0..256).map(|i| if i < 32 { sum(i) } else { i + 1 }).collect()
}

#[test]
fn unchanged() {
    assert_eq!(
        run(|f| assert_eq!(f.interchanged.len(), 2, "the loop is interchanged, by four turns and by one")),
        expected()
    );
}

#[test]
fn for_all_while_the_first_stays() {
    let got = run(|f| {
        let ands: Vec<[Value; 2]> = f.values.iter().filter_map(|def| both(&def.op)).collect();
        for [sides, ordered] in ands {
            if let (Some([first, last]), Op::Binary(Binary::Le, ..)) = (both(f.op(sides)), f.op(ordered)) {
                f.values[last.index()] = f.values[first.index()].clone();
            }
        }
    });
    assert_ne!(got, expected());
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
fn whose_order_nobody_asks() {
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
fn that_forget_what_they_carry() {
    let got = run(|f| {
        let turns = f.interchanged[0].label;
        let params = f.body.params().remove(&turns).unwrap();
        let mut body = std::mem::take(&mut f.body);
        regions(&mut body, &mut |region| match &mut region.end {
            End::Jump(to, args) if *to == turns => args[0] = params[0],
            _ => {}
        });
        f.body = body;
    });
    assert_ne!(got, expected());
}

#[test]
fn whose_rest_starts_anew() {
    let got = run(|f| {
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
    assert_ne!(got, expected());
}
