//! The group form with something taken away: what is kept between loops over lane groups, which of them a loop is for,
//! and which lane is asked about.

use super::{BOUND, WORDS, honest, regions, run_with};
use crate::divergence::Shapes;
use crate::ir::{Edge, Function, Group, Node, Op, Ty, Value};
use crate::range::Ranges;

fn truth(_: &mut Function, _: &mut Shapes) {}

/// A value that is made before a barrier and used behind it.
const KEPT: &str = "
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
var<workgroup> shared_: array<u32, 16>;
@compute @workgroup_size(16)
fn main(@builtin(local_invocation_index) i: u32) {
    let mine = v[i] * 3u;
    shared_[i] = mine;
    workgroupBarrier();
    v[i] = shared_[15u - i] + mine;
}";

#[test]
fn without_what_is_kept() {
    let held = |i: u32| if i < BOUND { (i + 1) * 3 } else { 0 };
    let word = |i: u32| if i < BOUND { held(15 - i) + held(i) } else { i + 1 };
    let expected: Vec<u32> = (0..WORDS).map(word).collect();
    assert_eq!(run_with(KEPT, truth, honest), expected);
    let forget = |f: &mut Function, _: &mut Shapes, _: &mut Ranges| {
        let mut kept = 0;
        regions(&mut f.body, &mut |region| {
            let before = region.nodes.len();
            region.nodes.retain(|node| !matches!(node, Node::Group(Group::Keep { .. })));
            kept += before - region.nodes.len();
        });
        assert_eq!(kept, 1, "what is made of a load is kept");
    };
    assert_ne!(run_with(KEPT, truth, forget), expected);
}

/// Behind the barrier there is something to do for some lanes of the second lane group, and of none after it.
const NARROW: &str = "
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
var<workgroup> shared_: array<u32, 32>;
@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) {
    shared_[i] = i;
    workgroupBarrier();
    if i < 12u { v[i] += shared_[31u - i]; }
}";

#[test]
fn for_fewer_lane_groups_than_the_guard_lets_through() {
    let word = |i: u32| if i < BOUND { i + 1 + 31 - i } else { i + 1 };
    let expected: Vec<u32> = (0..WORDS).map(word).collect();
    assert_eq!(run_with(NARROW, truth, honest), expected);
    let fewer = |f: &mut Function, _: &mut Shapes, _: &mut Ranges| {
        let eight = f.define(Ty::U32, Op::Const(8));
        let mut spans = 0;
        regions(&mut f.body, &mut |region| {
            for node in &mut region.nodes {
                if let Node::Group(Group::Each(each)) = node
                    && let Some(span) = &mut each.span
                {
                    spans += 1;
                    span.to = eight;
                }
            }
        });
        assert_eq!(spans, 1, "the guard bounds the loop");
    };
    assert_ne!(run_with(NARROW, truth, fewer), expected);
}

/// Of the second lane group's lanes only the first is below the bound.
const EDGE: &str = "
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(16)
fn main(@builtin(local_invocation_index) i: u32) {
    if i + 3u < arrayLength(&v) { v[i] *= 3u; }
}";

#[test]
fn with_the_first_lane_deciding_for_the_last() {
    let word = |i: u32| if i + 3 < BOUND { (i + 1) * 3 } else { i + 1 };
    let expected: Vec<u32> = (0..WORDS).map(word).collect();
    assert_eq!(run_with(EDGE, truth, honest), expected);
    let first = |f: &mut Function, _: &mut Shapes, _: &mut Ranges| {
        let last = |value: &Value| matches!(f.op(*value), Op::Edge(Edge::Last, _));
        let edges: Vec<Value> = (0..f.values.len() as u32).map(Value).filter(last).collect();
        assert!(!edges.is_empty(), "the last lane is asked about");
        for value in edges {
            if let Op::Edge(edge, _) = &mut f.values[value.index()].op {
                *edge = Edge::First;
            }
        }
    };
    assert_ne!(run_with(EDGE, truth, first), expected);
}
