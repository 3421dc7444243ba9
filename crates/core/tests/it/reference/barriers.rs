//! Invocations meet at barriers, whatever the order; without barriers, some order shows it.

use super::support::{run, run_seeded};

const SEEDS: u64 = 24;

/// Each workgroup reverses its eight elements through shared memory, twice over.
const REVERSE: &str = "
    @group(0) @binding(0) var<storage, read_write> out: array<u32>;
    var<workgroup> shared_: array<u32, 8>;
    @compute @workgroup_size(8)
    fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) i: u32) {
        for (var round = 0u; round < 3u; round++) {
            shared_[i] = out[id.x];
            workgroupBarrier();
            out[id.x] = shared_[7u - i] + round;
            workgroupBarrier();
        }
    }";

fn without_barriers(wgsl: &str) -> String {
    let mutant = wgsl.replace("workgroupBarrier();", "");
    assert_ne!(mutant, wgsl);
    mutant
}

#[test]
fn workgroups_meet_at_barriers_in_every_order() {
    let start: Vec<u32> = (0..48).map(|i| i * 10).collect();
    let expected: Vec<u32> = (0..48).map(|i| ((i / 8) * 8 + 7 - i % 8) * 10 + 3).collect();
    for seed in std::iter::once(None).chain((0..SEEDS).map(Some)) {
        assert_eq!(run_seeded(REVERSE, 6, &[("out", &start)], seed), expected, "seed {seed:?}");
    }
}

#[test]
fn a_deleted_barrier_is_seen() {
    let start: Vec<u32> = (0..48).collect();
    let right = run(REVERSE, 6, &[("out", &start)]);
    let mutant = without_barriers(REVERSE);
    assert_ne!(run(&mutant, 6, &[("out", &start)]), right);
    assert!((0..SEEDS).all(|seed| run_seeded(&mutant, 6, &[("out", &start)], Some(seed)) != right));
}

/// A tree reduction by all of a workgroup, then one atomic add across workgroups.
const REDUCE: &str = "
    @group(0) @binding(0) var<storage, read> x: array<u32>;
    @group(0) @binding(1) var<storage, read_write> out: atomic<u32>;
    var<workgroup> sums: array<u32, 16>;
    @compute @workgroup_size(4, 2, 2)
    fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) i: u32) {
        sums[i] = x[group.x * 16u + i];
        workgroupBarrier();
        for (var half = 8u; half > 0u; half /= 2u) {
            if i < half { sums[i] += sums[i + half]; }
            workgroupBarrier();
        }
        if i == 0u { atomicAdd(&out, sums[0]); }
    }";

#[test]
fn a_reduction_agrees_for_all_seeds_and_its_mutant_does_not() {
    let x: Vec<u32> = (0..80).map(|i| i * i + 1).collect();
    let sum: u32 = x.iter().sum();
    assert_eq!(run(REDUCE, 5, &[("x", &x), ("out", &[0])]), [sum]);
    assert!((0..SEEDS).all(|seed| run_seeded(REDUCE, 5, &[("x", &x), ("out", &[0])], Some(seed)) == [sum]));
    let mutant = without_barriers(REDUCE);
    assert!((0..SEEDS).any(|seed| run_seeded(&mutant, 5, &[("x", &x), ("out", &[0])], Some(seed)) != [sum]));
}

#[test]
fn races_across_workgroups_depend_on_the_seed_and_replay() {
    let wgsl = "
        @group(0) @binding(0) var<storage, read_write> out: array<u32>;
        @compute @workgroup_size(1)
        fn main() { for (var i = 0u; i < 10u; i++) { out[0] = out[0] + 1u; } }";
    assert_eq!(run(wgsl, 4, &[("out", &[0])]), [40]);
    let results: Vec<_> = (0..SEEDS).map(|seed| run_seeded(wgsl, 4, &[("out", &[0])], Some(seed))).collect();
    assert!(results.iter().any(|result| result[0] < 40), "{results:?}");
    let replayed: Vec<_> = (0..SEEDS).map(|seed| run_seeded(wgsl, 4, &[("out", &[0])], Some(seed))).collect();
    assert_eq!(results, replayed);
}

#[test]
fn uniform_loads_are_barriers_too() {
    let wgsl = "
        @group(0) @binding(0) var<storage, read_write> out: array<u32>;
        var<workgroup> flag: u32;
        @compute @workgroup_size(4)
        fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(workgroup_id) group: vec3<u32>,
                @builtin(local_invocation_index) i: u32) {
            if i == 3u { flag = group.x + 5u; }
            let first = workgroupUniformLoad(&flag);
            if i == 0u { flag = 50u; }
            out[id.x] = first * 100u + workgroupUniformLoad(&flag);
        }";
    let expected = [550, 550, 550, 550, 650, 650, 650, 650];
    for seed in std::iter::once(None).chain((0..SEEDS).map(Some)) {
        assert_eq!(run_seeded(wgsl, 2, &[("out", &[0; 8])], seed), expected, "seed {seed:?}");
    }
}

#[test]
fn barriers_in_helper_functions_and_uniform_branches() {
    let wgsl = "
        @group(0) @binding(0) var<storage, read_write> out: array<u32>;
        var<workgroup> cell: array<u32, 4>;
        fn exchange(i: u32, value: u32) -> u32 {
            cell[i] = value;
            workgroupBarrier();
            let other = cell[i ^ 1u];
            workgroupBarrier();
            return other;
        }
        @compute @workgroup_size(4)
        fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(workgroup_id) group: vec3<u32>,
                @builtin(local_invocation_index) i: u32) {
            var value = id.x;
            if group.x == 1u { value = exchange(i, value); }
            out[id.x] = exchange(i, value) * 10u;
        }";
    for seed in std::iter::once(None).chain((0..SEEDS).map(Some)) {
        let out = run_seeded(wgsl, 3, &[("out", &[0; 12])], seed);
        assert_eq!(out, [10, 0, 30, 20, 40, 50, 60, 70, 90, 80, 110, 100], "seed {seed:?}");
    }
}

#[test]
fn workgroup_memory_starts_as_zeros_in_every_workgroup() {
    let wgsl = "
        @group(0) @binding(0) var<storage, read_write> out: array<u32>;
        var<workgroup> cell: array<u32, 2>;
        @compute @workgroup_size(1)
        fn main(@builtin(workgroup_id) group: vec3<u32>) { out[group.x] = cell[1]; cell[1] = 9u; }";
    assert_eq!(run(wgsl, 9, &[("out", &[1; 9])]), [0; 9]);
    assert_eq!(run_seeded(wgsl, 9, &[("out", &[1; 9])], Some(1)), [0; 9]);
}
