//! Invocations that are taken in pairs, and forget that they are two.

use seawall_core::program::{Overrides, Program};

use super::{WORDS, honest, run_on};
use crate::build;
use crate::divergence::Shapes;
use crate::ir::{Binary, Function, Op};
use crate::passes::Pipeline;

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
fn whose_second_is_the_first() {
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
fn none_of_those_who_part() {
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
