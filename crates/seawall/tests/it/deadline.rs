//! A deadline ends a run on any device, and says where it was.

use std::time::{Duration, Instant};

use seawall::device::{Control, Reason};
use seawall::diag::Report;
use seawall::{Error, Runtime, device};

/// Long enough for a busy machine to compile a few lines and to start the run.
const WITHIN: Duration = Duration::from_millis(800);

/// Whoever has not begun by then never will.
const PATIENCE: Duration = Duration::from_mins(1);

/// Programs that never end, and how the loops begin in which they may be found.
const ENDLESS: [(&str, &[&str]); 9] = [
    ("@compute @workgroup_size(8) fn main() { loop {} }", &["loop {}"]),
    ("@compute @workgroup_size(8) fn main() { while v[1] == 0u { v[0] += 1u; } }", &["while v[1]"]),
    (
        "@compute @workgroup_size(8) fn main(@builtin(local_invocation_index) i: u32) {
            for (var n = 0u; n < 3u; n++) { v[i] += n; }
            if i == 5u { loop { v[i] += 2u; if v[i] == 2u { break; } } }
        }",
        &["loop { v[i]"],
    ),
    (
        "@compute @workgroup_size(8) fn main() {
            loop { for (var n = 0u; n < 100u; n++) { v[n] += n; } if v[200] == 1u { break; } }
        }",
        &["loop { for", "for (var n"],
    ),
    (
        "var<workgroup> w: array<u32, 8>;
        @compute @workgroup_size(8) fn main(@builtin(local_invocation_index) i: u32) {
            loop { w[i] += 1u; workgroupBarrier(); v[i] = w[7u - i]; workgroupBarrier(); }
        }",
        &["loop { w[i]"],
    ),
    (
        "fn inner(i: u32) -> u32 { var n = i; while n != 1u { n += 2u * v[64u + i % 8u]; } return n; }
        fn outer(i: u32) -> u32 { return inner(2u * i); }
        @compute @workgroup_size(8) fn main(@builtin(local_invocation_index) i: u32) { v[i] = outer(i); }",
        &["while n != 1u"],
    ),
    // One that is interchanged; it is the number of workgroups that has no end.
    (
        "@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) {
            var sum = 0u;
            for (var n = i; n < 0xffffffffu; n += 64u) { sum += v[n]; }
            v[i] = sum;
        }",
        &["for (var n"],
    ),
    // Each of these ends soon, all of them together do not.
    (
        "@compute @workgroup_size(8) fn main(@builtin(local_invocation_index) i: u32) {
            for (var a = 0u; a < 1000u; a++) { for (var b = 0u; b < 1000u; b++) {
                for (var c = 0u; c < 1000u; c++) { for (var d = 0u; d < 1000u; d++) { v[i] += a ^ d; } }
            } }
        }",
        &["for (var a", "for (var b", "for (var c", "for (var d"],
    ),
    (
        "@compute @workgroup_size(8) fn main() {
            let end = v[1] + 200u;
            loop { for (var n = 0u; n < end; n++) { v[n] += 2u; } if v[100] == 1u { break; } }
        }",
        &["loop { for", "for (var n"],
    ),
];

/// Whether it was still compiling.
fn compiling(report: &Report) -> bool {
    report.diagnostics[0].message.ends_with("was still being compiled")
}

/// Runs a program on a device and returns what it says at its deadline.
fn at_deadline(id: &str, wgsl: &str) -> Error {
    let runtime = Runtime::builder().device(id).open().unwrap();
    let text = format!("@group(0) @binding(0) var<storage, read_write> v: array<u32>;\n{wgsl}");
    let kernel = runtime.kernel(&text).unwrap();
    let mut v = vec![0u32; 256];
    let mut within = WITHIN;
    loop {
        let call = runtime.call(&kernel).workgroups([60_000, 60]).deadline(within);
        let call = if kernel.buffers.is_empty() { call } else { call.bind("v", &mut v) };
        match call.run_with(&Control { steps_max: u64::MAX, ..Control::default() }).unwrap_err() {
            // A busy machine was still compiling, which it need not do again.
            Error::Device(device::Error::Stopped { reason: Reason::Deadline, report })
                if within < PATIENCE && report.as_ref().is_none_or(compiling) =>
            {
                within *= 2;
            }
            error => return error,
        }
    }
}

fn endless_loops_end(id: &str) {
    std::thread::scope(|scope| {
        for (wgsl, loops) in ENDLESS {
            scope.spawn(move || {
                let start = Instant::now();
                let error = at_deadline(id, wgsl);
                assert!(start.elapsed() >= WITHIN);
                let Error::Device(device::Error::Stopped { reason: Reason::Deadline, report: Some(report) }) = &error
                else {
                    panic!("{error}")
                };
                assert_eq!(report.diagnostics[0].code, "deadline");
                let [label] = report.diagnostics[0].labels.as_slice() else { panic!("{error}\n{wgsl}") };
                let at = &report.source.text[label.span.start as usize..];
                assert!(loops.iter().any(|start| at.starts_with(start)), "{error}");
            });
        }
    });
}

#[test]
fn endless_loops_end_on_the_cpu_device() {
    endless_loops_end("cpu");
}

#[test]
fn endless_loops_end_on_the_reference_device() {
    endless_loops_end("reference");
}

#[test]
fn a_deadline_that_is_kept_changes_nothing() {
    for (id, within) in [("cpu", Duration::from_mins(10)), ("reference", Duration::MAX)] {
        let runtime = Runtime::builder().device(id).open().unwrap();
        let kernel = crate::saxpy(&runtime);
        let (x, mut y, p) = ([1.0f32; 4], [1.0f32; 4], crate::P { a: 2.0, n: 4 });
        let call = runtime.call(&kernel).bind("x", &x).bind("y", &mut y).value("p", &p).threads(4);
        let control = Control::default();
        let start = Instant::now();
        call.deadline(within).run_with(&control).unwrap();
        assert!(start.elapsed() < Duration::from_mins(5), "it does not wait for the deadline");
        assert_eq!(y, [3.0; 4]);
        assert_eq!(control.stop.asked(), None);
    }
}
