//! Indices that stay in memory which somebody writes.

use super::{BOUND, WORDS, honest, run_with};
use crate::divergence::Shapes;
use crate::ir::{Function, Memory, Op, Value};
use crate::range::Ranges;

/// Each invocation takes a word, writes another in its place, and counts the word.
const COUNTED: &str = "
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
var<workgroup> counts: array<atomic<u32>, 32>;
@compute @workgroup_size(16)
fn main(@builtin(local_invocation_index) i: u32) {
    let at = v[i];
    v[i] = 7u;
    atomicAdd(&counts[at], 1u);
    workgroupBarrier();
    v[i] = atomicLoad(&counts[i]);
}";

#[test]
fn words_that_are_written_before_their_lanes_want_them() {
    let truth = |_: &mut Function, _: &mut Shapes| ();
    // Invocations behind the end all find zero.
    let word = |i: u32| match i {
        BOUND.. => i + 1,
        0 => 16 - BOUND,
        _ => 1,
    };
    let expected: Vec<u32> = (0..WORDS).map(word).collect();
    assert_eq!(run_with(COUNTED, truth, honest), expected);
    let late = |f: &mut Function, _: &mut Shapes, _: &mut Ranges| {
        assert!(f.scalarized.is_empty(), "the buffer is written");
        let is_row = |op: &Op| match op {
            Op::Load { at, .. } => matches!(f.memories[at.memory.index()], Memory::Buffer { .. }),
            _ => false,
        };
        let rows = (0..f.values.len() as u32).map(Value).filter(|&value| is_row(f.op(value)));
        f.scalarized = rows.collect();
        assert_eq!(f.scalarized.len(), 1, "the words are loaded once");
    };
    assert_ne!(run_with(COUNTED, truth, late), expected);
}
