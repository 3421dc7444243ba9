//! All invocations of the grid meet at `gridBarrier`, whatever the order, and nothing else changes.

use std::sync::atomic::Ordering;

use expect_test::expect;
use seawall_core::device::{Control, Error, Reason};

use super::support::{run_seeded, try_run};

const SEEDS: u64 = 24;

fn orders() -> impl Iterator<Item = Option<u64>> {
    std::iter::once(None).chain((0..SEEDS).map(Some))
}

/// Reverses all of the buffer again and again, through helpers, a loop and a branch.
const REVERSE: &str = "
    @group(0) @binding(0) var<storage, read_write> out: array<u32>;
    var<workgroup> kept: array<u32, 3>;
    fn meet() { gridBarrier(); }
    fn exchange(i: u32, n: u32) -> u32 {
        let other = out[n - 1u - i];
        meet();
        return other;
    }
    @compute @workgroup_size(3)
    fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) local: u32,
            @builtin(num_workgroups) groups: vec3<u32>) {
        let n = 3u * groups.x;
        for (var round = 0u; round < 5u; round++) {
            kept[local] = exchange(id.x, n);
            workgroupBarrier();
            out[id.x] = kept[local] + round;
            if round % 2u == groups.x % 2u { meet(); } else { gridBarrier(); }
        }
    }";

#[test]
fn workgroups_meet_in_every_order() {
    for groups in 1..8 {
        let n = groups * 3;
        let start: Vec<u32> = (0..n).map(|i| i * 100).collect();
        let expected: Vec<u32> = start.iter().rev().map(|x| x + 10).collect();
        for seed in orders() {
            assert_eq!(run_seeded(REVERSE, groups, &[("out", &start)], seed), expected, "{groups} groups, {seed:?}");
        }
    }
}

#[test]
fn a_deleted_barrier_is_seen() {
    let start: Vec<u32> = (0..21).map(|i| i * 100).collect();
    let expected: Vec<u32> = start.iter().rev().map(|x| x + 10).collect();
    let mutant = REVERSE.replace("meet();\n        return", "return");
    assert_ne!(mutant, REVERSE);
    assert!(orders().all(|seed| run_seeded(&mutant, 7, &[("out", &start)], seed) != expected));
}

#[test]
fn what_a_declared_barrier_does_is_not_done() {
    let wgsl = "
        @group(0) @binding(0) var<storage, read_write> out: array<atomic<u32>>;
        fn gridBarrier() { atomicAdd(&out[0], 100u); }
        @compute @workgroup_size(2)
        fn main() {
            atomicAdd(&out[0], 1u);
            gridBarrier();
            atomicMax(&out[1], atomicLoad(&out[0]));
        }";
    for seed in orders() {
        assert_eq!(run_seeded(wgsl, 9, &[("out", &[0, 0])], seed), [18, 18], "{seed:?}");
    }
}

#[test]
fn grids_without_workgroups_do_nothing() {
    for (grid, seed) in [([0, 1, 1], None), ([4, 0, 1], Some(1)), ([0, u32::MAX, u32::MAX], None)] {
        let mut buffers = [("out", vec![7; 6])];
        let stats = try_run(REVERSE, grid, &mut buffers, seed, &Control::default()).unwrap();
        assert_eq!((stats.dispatches, stats.workgroups, &buffers[0].1), (1, 0, &vec![7; 6]));
    }
}

#[test]
fn workgroups_are_counted_once() {
    for seed in [None, Some(3)] {
        let control = Control::default();
        let stats = try_run(REVERSE, [5, 2, 2], &mut [("out", vec![0; 15])], seed, &control).unwrap();
        assert_eq!((stats.workgroups, stats.invocations), (20, 60));
        assert_eq!(control.workgroups_done.load(Ordering::Relaxed), 20);
    }
}

#[test]
fn a_grid_that_cannot_be_alive_at_once_is_refused() {
    for seed in [None, Some(1)] {
        for grid in [[1 << 30, u32::MAX, u32::MAX], [65535; 3]] {
            let error = try_run(REVERSE, grid, &mut [("out", vec![0; 3])], seed, &Control::default()).unwrap_err();
            let Error::OutOfMemory { device, what, bytes } = error else { panic!("{error}") };
            let expected = "all invocations at once, which meet at `gridBarrier`, of `main`";
            assert_eq!((device.as_str(), what.as_str()), ("reference", expected));
            assert!(bytes > 1 << 56, "{bytes}");
        }
    }
}

/// Ends when someone else says so.
const WAITS: &str = "@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(2)
fn main(@builtin(num_workgroups) groups: vec3<u32>) {
    for (var i = 0u; groups.y == 1u; i += groups.z) {
        gridBarrier();
    }
}
";

#[test]
fn barriers_count_as_steps() {
    for seed in [None, Some(2)] {
        let control = Control { steps_max: 1000, ..Control::default() };
        let error = try_run(WAITS, [3, 1, 1], &mut [("out", vec![0])], seed, &control).unwrap_err();
        assert!(matches!(error, Error::StepLimit { .. }), "{error}");
        if seed.is_none() {
            expect![[r"
                error[endless-loop]: invocation (0, 0, 0) of `main` ran over the limit of 1000 statements
                  ┌─ <wgsl>:4:5
                  │
                4 │     for (var i = 0u; groups.y == 1u; i += groups.z) {
                  │     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ in this loop
                  │
                  = help: if the loop does end, raise the step limit (`Control::steps_max`)"]]
            .assert_eq(&error.to_string());
        }
    }
}

#[test]
fn a_run_with_grid_barriers_can_be_stopped() {
    for seed in [None, Some(7)] {
        let control = Control { steps_max: u64::MAX, ..Control::default() };
        std::thread::scope(|scope| {
            let run = scope.spawn(|| try_run(WAITS, [3, 1, 1], &mut [("out", vec![0])], seed, &control));
            std::thread::sleep(std::time::Duration::from_millis(20));
            control.stop.ask(Reason::Deadline);
            let error = run.join().unwrap().unwrap_err();
            let Error::Stopped { reason, .. } = error else { panic!("{error}") };
            assert_eq!(reason, Reason::Deadline);
        });
    }
}
