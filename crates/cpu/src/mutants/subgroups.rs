//! Operations of subgroups that are for others than they should be.

use super::{honest, regions, run_on};
use crate::divergence::{self, Shapes};
use crate::ir::{Binary, Function, Node, Op, Reach, Subgroup};

const INVOCATIONS: u32 = 64;
const LANES: u32 = 32;

/// A third of each subgroup takes part.
const KERNEL: &str = "enable subgroups;
diagnostic(off, subgroup_uniformity);
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32) {
    var sum = 0u;
    if i % 3u == 0u {
        sum = subgroupAdd(v[i]) + 10000u * subgroupExclusiveAdd(1u);
    }
    v[i] = sum;
}";

fn run(change: impl FnOnce(&mut Function, &mut Shapes)) -> Vec<u32> {
    run_on(KERNEL, INVOCATIONS, INVOCATIONS, change, honest)
}

fn expected() -> Vec<u32> {
    let takes_part = |i: &u32| i.is_multiple_of(3);
    let sum = |i: u32| {
        let first = i / LANES * LANES;
        let all: u32 = (first..first + LANES).filter(takes_part).map(|j| j + 1).sum();
        all + 10000 * (first..i).filter(takes_part).count() as u32
    };
    (0..INVOCATIONS).map(|i| if takes_part(&i) { sum(i) } else { 0 }).collect()
}

#[test]
fn those_of_the_branch_take_part() {
    assert_eq!(run(|_, _| ()), expected());
}

#[test]
fn half_a_subgroup_is_noticed() {
    assert_ne!(run(|f, shapes| *shapes = divergence::analyse(f, LANES / 2)), expected());
}

#[test]
fn one_before_its_branch_is_noticed() {
    let hoist = |f: &mut Function, shapes: &mut Shapes| {
        regions(&mut f.body, &mut |region| {
            let mut nodes = Vec::new();
            for mut node in std::mem::take(&mut region.nodes) {
                if let Node::If { accept, .. } = &mut node {
                    nodes.append(&mut accept.nodes);
                }
                nodes.push(node);
            }
            region.nodes = nodes;
        });
        *shapes = divergence::analyse(f, LANES);
    };
    assert_ne!(run(hoist), expected());
}

#[test]
fn a_scan_that_counts_its_own_is_noticed() {
    let count = |f: &mut Function, _: &mut Shapes| {
        for def in &mut f.values {
            if let Op::Subgroup(Subgroup::Fold(Binary::Add, reach @ Reach::Before), _) = &mut def.op {
                *reach = Reach::UpTo;
            }
        }
    };
    assert_ne!(run(count), expected());
}

#[test]
fn a_sum_of_those_before_is_noticed() {
    let part = |f: &mut Function, shapes: &mut Shapes| {
        for def in &mut f.values {
            if let Op::Subgroup(Subgroup::Fold(Binary::Add, reach @ Reach::All), _) = &mut def.op {
                *reach = Reach::UpTo;
            }
        }
        *shapes = divergence::analyse(f, LANES);
    };
    assert_ne!(run(part), expected());
}
