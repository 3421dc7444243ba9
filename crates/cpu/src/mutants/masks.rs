//! The vector form with a mask taken away, or taken for another.

use super::{honest, regions, run_on};
use crate::divergence::Shapes;
use crate::ir::{Binary, Function, Node, Op, Ty, Value};
use crate::range::Ranges;

const WORDS: u32 = 32;

/// Lanes leave the loop in different turns, some of them the function; what is behind it is for some, and counted.
const KERNEL: &str = "
@group(0) @binding(0) var<storage, read_write> v: array<atomic<u32>>;
@compute @workgroup_size(16)
fn main(@builtin(local_invocation_index) i: u32) {
    var x = i + 1u;
    var turns = 0u;
    while x != 1u {
        if x % 2u == 0u { x /= 2u; } else { x = 3u * x + 1u; }
        turns++;
        if turns == 12u { atomicStore(&v[i], 900u + x); return; }
    }
    if turns > 3u { atomicAdd(&v[16u + i % 2u], turns); }
    atomicStore(&v[i], turns);
}";

fn expected() -> Vec<u32> {
    let mut v: Vec<u32> = (1..=WORDS).collect();
    'lanes: for i in 0..16 {
        let (mut x, mut turns) = (i + 1, 0);
        while x != 1 {
            x = if x % 2 == 0 { x / 2 } else { 3 * x + 1 };
            turns += 1;
            if turns == 12 {
                v[i as usize] = 900 + x;
                continue 'lanes;
            }
        }
        if turns > 3 {
            v[16 + i as usize % 2] += turns;
        }
        v[i as usize] = turns;
    }
    v
}

fn with(lie: impl FnOnce(&mut Function)) -> Vec<u32> {
    run_on(KERNEL, WORDS, WORDS, |_, _| (), |f: &mut Function, _: &mut Shapes, _: &mut Ranges| lie(f))
}

/// What an operation is replaced by, if it is one of those that are to be.
fn replaced(f: &mut Function, by: impl Fn(&Function, &Op) -> Option<Op>) {
    let mut count = 0;
    for i in 0..f.values.len() {
        if let Some(op) = by(f, &f.values[i].op) {
            f.values[i].op = op;
            count += 1;
        }
    }
    assert!(count > 0, "there is something to take away");
}

#[test]
fn unchanged() {
    assert_eq!(run_on(KERNEL, WORDS, WORDS, |_, _| (), honest), expected());
}

#[test]
fn stores_of_all_lanes() {
    let mut stores = 0;
    let got = with(|f| {
        regions(&mut f.body, &mut |region| {
            for node in &mut region.nodes {
                if let Node::Store { when: when @ Some(_), .. } = node {
                    *when = None;
                    stores += 1;
                }
            }
        });
    });
    assert!(stores > 0, "lanes store where others have left");
    assert_ne!(got, expected());
}

#[test]
fn atomics_of_all_lanes() {
    let all = |_: &Function, op: &Op| match op {
        Op::Atomic { when: Some(_), .. } => {
            let mut op = op.clone();
            if let Op::Atomic { when, .. } = &mut op {
                *when = None;
            }
            Some(op)
        }
        _ => None,
    };
    assert_ne!(with(|f| replaced(f, all)), expected());
}

#[test]
fn values_of_those_who_came_last() {
    let last = |_: &Function, op: &Op| match *op {
        Op::Select(mask, new, _) => Some(Op::Select(mask, new, new)),
        _ => None,
    };
    assert_ne!(with(|f| replaced(f, last)), expected());
}

#[test]
fn masks_that_do_not_shrink() {
    // A mask and a condition: without the first, whoever has left comes back.
    let is_mask = |f: &Function, value: Value| matches!(f.op(value), Op::Param) && f.ty(value) == Ty::Bool;
    let back = |f: &Function, op: &Op| match *op {
        Op::Binary(Binary::And, mask, side) if is_mask(f, mask) => Some(Op::Binary(Binary::Or, side, side)),
        _ => None,
    };
    assert_ne!(with(|f| replaced(f, back)), expected());
}
