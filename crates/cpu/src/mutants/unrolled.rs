//! Loops whose turns are written one after the other, with something taken away.

use super::{WORDS, honest, regions, run_on};
use crate::ir::{Binary, End, Function, Node, Op, Region};

/// So few turns that no loop is left.
const STRAIGHT: &str = "
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(8)
fn main(@builtin(local_invocation_index) i: u32) {
    var sum = i;
    for (var k = 0u; k < 4u; k++) { sum = sum * 3u + v[k]; }
    v[16u + i] = sum;
}";

/// A loop that does four turns in one, and is left in the second of them.
const STEPPED: &str = "
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(8)
fn main(@builtin(local_invocation_index) i: u32) {
    var sum = i;
    for (var k = 0u; k < 12u; k++) {
        let x = v[k];
        if x == 6u { break; }
        sum = sum * 3u + x;
    }
    v[16u + i] = sum;
}";

fn run(text: &str, change: impl FnOnce(&mut Function)) -> Vec<u32> {
    run_on(text, WORDS, WORDS, |f, _| change(f), honest)
}

/// What comes of taking in the first words.
fn expected(words: u32) -> Vec<u32> {
    let sum = |i: u32| (1..=words).fold(i, |sum, word| sum * 3 + word);
    (0..WORDS).map(|i| if (16..24).contains(&i) { sum(i - 16) } else { i + 1 }).collect()
}

/// Changes the bodies of loops; how many there are.
fn loops(f: &mut Function, change: impl Fn(&Function, &mut Region)) -> u32 {
    let (mut body, mut count) = (std::mem::take(&mut f.body), 0);
    regions(&mut body, &mut |region| {
        for node in &mut region.nodes {
            if let Node::Loop { body, .. } = node {
                change(f, body);
                count += 1;
            }
        }
    });
    f.body = body;
    count
}

fn is_test(node: &Node) -> bool {
    matches!(node, Node::If { .. })
}

#[test]
fn unchanged() {
    assert_eq!(run(STRAIGHT, |f| assert_eq!(loops(f, |_, _| ()), 0, "no loop is left")), expected(4));
    let stepped = |f: &mut Function| {
        let tests = |body: &mut Region| body.nodes.iter().filter(|node| is_test(node)).count();
        assert_eq!(loops(f, |_, body| assert_eq!(tests(body), 5, "one for each turn, and one for all")), 1);
    };
    assert_eq!(run(STEPPED, stepped), expected(5));
}

#[test]
fn without_the_last_turn() {
    let got = run(STRAIGHT, |f| {
        let Function { values, body, .. } = f;
        let Some(Node::Store { value, .. }) = body.nodes.last_mut() else { panic!("the sum is stored last") };
        // Back over the sum and the product of a turn.
        for _ in 0..2 {
            let Op::Binary(_, before, _) = values[value.index()].op else { panic!("a turn multiplies and adds") };
            *value = before;
        }
    });
    assert_ne!(got, expected(4));
}

/// Each turn of the loop takes up where the first of the four in it ended.
#[test]
fn with_turns_that_are_taken_again() {
    let again = |f: &Function, body: &mut Region| {
        let End::Jump(_, args) = &mut body.end else { panic!("a loop goes back") };
        let counts = |f: &Function, node: &Node| match node {
            Node::Let(value) => match f.op(*value) {
                Op::Binary(Binary::Add, _, by) if f.constant(*by) == Some(1) => Some(*value),
                _ => None,
            },
            _ => None,
        };
        let turns: Vec<_> = body.nodes.iter().filter_map(|node| counts(f, node)).collect();
        assert_eq!(turns.len(), 4);
        args.iter_mut().filter(|arg| **arg == turns[3]).for_each(|arg| *arg = turns[0]);
    };
    assert_ne!(run(STEPPED, |f| _ = loops(f, again)), expected(5));
}

/// Only the test of the counter may be left out between the turns of one.
#[test]
fn without_the_tests_between_turns() {
    let drop = |_: &Function, body: &mut Region| {
        let tests: Vec<usize> = (0..body.nodes.len()).filter(|&i| is_test(&body.nodes[i])).collect();
        for &i in tests[1..tests.len() - 1].iter().rev() {
            body.nodes.remove(i);
        }
    };
    assert_ne!(run(STEPPED, |f| _ = loops(f, drop)), expected(5));
}
