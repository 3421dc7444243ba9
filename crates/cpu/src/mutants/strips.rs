//! Long loops in strips without polls, with something taken away.

use super::{honest, regions, run_on};
use crate::divergence::{self, Shapes};
use crate::ir::{Binary, End, Function, Label, Node, Op, Region};

/// More turns than any strip has.
const LONG: &str = "
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(8)
fn main(@builtin(local_invocation_index) i: u32) {
    let end = arrayLength(&v) - 3u;
    var sum = i;
    for (var k = 0u; k < end; k++) { sum = sum * 3u + v[k]; }
    v[i] = sum;
}";

const WORDS: u32 = 10_000;

/// What comes of it after a change to the loop over strips.
fn run(change: impl FnOnce(&mut Function, Label)) -> Vec<u32> {
    let strips = |f: &mut Function, shapes: &mut Shapes| {
        assert!(crate::passes::version(f, shapes), "the loop has two forms");
        let around = around(&f.body);
        change(f, around.expect("strips are loops in a loop"));
        *shapes = divergence::analyse(f, shapes.width);
    };
    run_on(LONG, WORDS, WORDS, strips, honest)
}

/// The loop that has another in it.
fn around(body: &Region) -> Option<Label> {
    let mut found = None;
    body.visit(&mut |region| {
        let around = region.nodes.iter().find_map(|node| match node {
            Node::Loop { label, body, .. } if body.loops() > 0 => Some(*label),
            _ => None,
        });
        found = found.or(around);
    });
    found
}

fn expected() -> Vec<u32> {
    let sum = |i: u32| (1..=WORDS - 3).fold(i, |sum, word| sum.wrapping_mul(3).wrapping_add(word));
    (0..WORDS).map(|i| if i < 8 { sum(i) } else { i + 1 }).collect()
}

#[test]
fn unchanged() {
    let got = run(|f, strips| {
        let polled = f.loops.iter().filter(|(label, _)| !f.bounded.contains(label)).count();
        assert_eq!(
            (f.loops.len(), polled),
            (5, 2),
            "the loop, its copies with and without checks, strips, and what is in them"
        );
        assert!(!f.bounded.contains(&strips));
    });
    assert_eq!(got, expected());
}

#[test]
fn that_start_anew() {
    let got = run(|f, strips| {
        let mut body = std::mem::take(&mut f.body);
        let mut starts = Vec::new();
        regions(&mut body, &mut |region| {
            let start = |node: &Node| match node {
                Node::Loop { label, init, .. } if *label == strips => Some(init.clone()),
                _ => None,
            };
            starts.extend(region.nodes.iter().find_map(start).into_iter().flatten());
        });
        // The counter starts from a literal, and goes on.
        let sum = starts.iter().position(|&start| f.constant(start).is_none()).unwrap();
        regions(&mut body, &mut |region| match &mut region.end {
            End::Jump(to, args) if *to == strips => args[sum] = starts[sum],
            _ => {}
        });
        f.body = body;
    });
    assert_ne!(got, expected());
}

/// The last of them ends behind the bound, where there is something to read.
#[test]
fn that_are_all_as_long() {
    let got = run(|f, _| {
        let strips = f.values.iter_mut().filter_map(|def| match &mut def.op {
            Op::Binary(Binary::Min, left, strip) => Some((left, *strip)),
            _ => None,
        });
        strips.for_each(|(left, strip)| *left = strip);
    });
    assert_ne!(got, expected());
}
