//! Operations of subgroups that are for others than they should be.

use super::{honest, regions, run_on};
use crate::divergence::{self, Shapes};
use crate::ir::{Binary, Function, Group, Node, Op, Reach, Subgroup};

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

/// Every second number goes to a list at the beginning.
const APPEND: &str = "enable subgroups;
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) {
    let kept = v[i] % 2u == 0u;
    let rank = subgroupExclusiveAdd(u32(kept));
    if kept { v[32u + rank] = v[i]; }
}";

/// What becomes of the list if its stores are changed; so many words of it are within bounds.
fn appended(bound: u32, change: impl Fn(&mut Vec<Node>, &mut Vec<Node>)) -> Vec<u32> {
    let lie = |f: &mut Function, _: &mut Shapes, _: &mut crate::range::Ranges| {
        let mut found = 0;
        regions(&mut f.body, &mut |region| {
            let mut nodes = Vec::new();
            for mut node in std::mem::take(&mut region.nodes) {
                if let Node::If { accept, .. } = &mut node {
                    found += accept.nodes.iter().filter(|node| is_compress(node)).count();
                    change(&mut accept.nodes, &mut nodes);
                }
                nodes.push(node);
            }
            region.nodes = nodes;
        });
        assert_eq!(found, 1, "what is appended is stored at once");
    };
    run_on(APPEND, INVOCATIONS, 32 + bound, |_, _| (), lie)
}

fn is_compress(node: &Node) -> bool {
    matches!(node, Node::Group(Group::Compress { .. }))
}

fn list(bound: u32) -> Vec<u32> {
    let even = (1..=bound.min(16)).map(|n| 2 * n);
    let kept = (1..=32).chain(even);
    let count = 32 + bound.min(16);
    kept.chain(count + 1..=INVOCATIONS).collect()
}

#[test]
fn lanes_that_append_store_side_by_side() {
    // Some bounds cut a vector, and one leaves no room at all.
    for bound in [32, 16, 15, 9, 1, 0] {
        assert_eq!(appended(bound, |_, _| ()), list(bound), "{bound}");
    }
}

#[test]
fn a_list_of_lanes_that_keep_nothing_is_noticed() {
    let all = |accept: &mut Vec<Node>, _: &mut Vec<Node>| {
        for node in accept {
            if let Node::Group(Group::Compress { when, .. }) = node {
                *when = None;
            }
        }
    };
    assert_ne!(appended(32, all), list(32));
}

#[test]
fn a_list_in_one_place_is_noticed() {
    let alone = |accept: &mut Vec<Node>, _: &mut Vec<Node>| {
        for node in accept {
            if let Node::Group(Group::Compress { at, value, .. }) = node {
                *node = Node::Store { at: at.clone(), value: *value, when: None };
            }
        }
    };
    assert_ne!(appended(32, alone), list(32));
}
