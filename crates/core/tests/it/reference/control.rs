//! The caller's hand on a run: limits, stopping, counting.

use std::sync::atomic::Ordering;
use std::time::Duration;

use expect_test::expect;
use seawall_core::device::{Control, Error, Reason, Stats};

use super::support::try_run;

const ENDLESS: &str = "@group(0) @binding(0) var<storage, read_write> out: array<u32>;
fn spin(n: u32) -> u32 {
    var i = n;
    for (var k = 0u; k < 3u; k++) {
        while i < 10u {
            out[1] = i;
        }
    }
    return i;
}
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    out[0] = spin(16u - id.x);
}
";

#[test]
fn an_endless_loop_is_named() {
    let control = Control { steps_max: 1000, ..Control::default() };
    let error = try_run(ENDLESS, [3, 1, 1], &mut [("out", vec![0; 2])], None, &control).unwrap_err();
    assert!(matches!(error, Error::StepLimit { .. }));
    expect![[r"
        error[endless-loop]: invocation (7, 0, 0) of `main` ran over the limit of 1000 statements
          ┌─ <wgsl>:5:9
          │
        5 │         while i < 10u {
          │         ^^^^^^^^^^^^^^^ in this loop
          │
          = help: if the loop does end, raise the step limit (`Control::steps_max`)"]]
    .assert_eq(&error.to_string());
    assert_eq!(control.workgroups_done.load(Ordering::Relaxed), 1);
}

#[test]
fn the_loop_may_be_in_the_caller() {
    let wgsl = "@group(0) @binding(0) var<storage, read_write> out: array<u32>;
fn step() { out[0] += 1u; }
@compute @workgroup_size(1)
fn main() {
    loop { step(); if out[1] == 1u { break; } }
}
";
    for steps_max in 20..30 {
        let control = Control { steps_max, ..Control::default() };
        let error = try_run(wgsl, [1, 1, 1], &mut [("out", vec![0; 2])], None, &control).unwrap_err();
        let Error::StepLimit { report } = error else { panic!("{error}") };
        let [label] = report.diagnostics[0].labels.as_slice() else { panic!("{report}") };
        assert!(wgsl[label.span.start as usize..].starts_with("loop { step"), "{report}");
    }
}

#[test]
fn a_loop_that_ends_within_the_limit_runs() {
    let wgsl = "
        @group(0) @binding(0) var<storage, read_write> out: array<u32>;
        @compute @workgroup_size(1)
        fn main() { for (var i = 0u; i < 100u; i++) { out[0] += 2u; } }";
    let mut buffers = [("out", vec![0])];
    // Each invocation has the limit to itself.
    let control = Control { steps_max: 1000, ..Control::default() };
    try_run(wgsl, [20, 1, 1], &mut buffers, None, &control).unwrap();
    assert_eq!(buffers[0].1, [4000]);
}

#[test]
fn a_run_can_be_stopped() {
    for seed in [None, Some(7)] {
        let control = Control { steps_max: u64::MAX, ..Control::default() };
        std::thread::scope(|scope| {
            let run = scope.spawn(|| try_run(ENDLESS, [3, 1, 1], &mut [("out", vec![0; 2])], seed, &control));
            while control.workgroups_done.load(Ordering::Relaxed) == 0 {
                std::thread::yield_now();
            }
            // Time for each invocation to get into a loop.
            std::thread::sleep(Duration::from_millis(20));
            control.stop.ask(Reason::Caller);
            // Too late: whoever asks first is the reason.
            control.stop.ask(Reason::Deadline);
            let error = run.join().unwrap().unwrap_err();
            let Error::Stopped { reason: Reason::Caller, report: Some(report) } = &error else { panic!("{error:?}") };
            assert_eq!(report.diagnostics[0].code, "stopped");
            let [label] = report.diagnostics[0].labels.as_slice() else { panic!("{report}") };
            assert!(ENDLESS[label.span.start as usize..].starts_with("while"), "{report}");
        });
    }
}

#[test]
fn stats_count_what_was_done() {
    let wgsl = "
        @group(0) @binding(0) var<storage, read_write> out: array<u32>;
        @compute @workgroup_size(2, 3)
        fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>) {
            out[id.x + id.y * n.x * 2u + id.z * n.x * 2u * n.y * 3u] += 1u;
        }";
    let mut buffers = [("out", vec![0; 100])];
    let control = Control::default();
    let stats = try_run(wgsl, [2, 2, 4], &mut buffers, None, &control).unwrap();
    assert_eq!(buffers[0].1, [[1; 96].as_slice(), &[0; 4]].concat());
    assert_eq!(control.workgroups_done.load(Ordering::Relaxed), 16);
    let expected = Stats {
        dispatches: 1,
        workgroups: 16,
        invocations: 96,
        barriers: 2,
        uploaded_bytes: 400,
        downloaded_bytes: 400,
        peak_bytes: 400,
        ..Stats::default()
    };
    assert_eq!(stats, expected);
}

#[test]
fn a_zero_in_the_grid_is_no_work() {
    let wgsl = "
        @group(0) @binding(0) var<storage, read_write> out: array<u32>;
        @compute @workgroup_size(1)
        fn main() { out[0] = 1u; }";
    for grid in [[0, 1, 1], [1, 0, 1], [1, 1, 0], [u32::MAX, u32::MAX, 0]] {
        for seed in [None, Some(1)] {
            let mut buffers = [("out", vec![5])];
            let stats = try_run(wgsl, grid, &mut buffers, seed, &Control::default()).unwrap();
            assert_eq!((stats.dispatches, stats.workgroups, &buffers[0].1), (1, 0, &vec![5]), "{grid:?}");
        }
    }
}

#[test]
fn a_huge_grid_starts_and_stops_at_once() {
    let wgsl = "
        @group(0) @binding(0) var<storage, read_write> out: array<u32>;
        @compute @workgroup_size(1)
        fn main() { loop { out[0] = 1u; } }";
    let control = Control { steps_max: 100, ..Control::default() };
    let grid = [u32::MAX; 3];
    let error = try_run(wgsl, grid, &mut [("out", vec![5])], None, &control).unwrap_err();
    assert!(matches!(error, Error::StepLimit { .. }));
}
