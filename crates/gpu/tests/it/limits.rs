//! Budgets, sizes and the ways that buffers can be bound.

use seawall_core::device::{Clock, Control, Device as _, Error};
use seawall_core::schedule::{Binding, Buffer, BufferId, Host, HostId, KernelId, Life, Schedule, Step};
use seawall_gpu::Config;

use crate::support::{self, SUM, call, checked, kernel, whole};

/// What does not fit in the budget is refused before the driver is asked, and leaves nothing.
pub(crate) fn budget() {
    let device = support::open(Config { budget_bytes: Some(100), ..Config::default() });
    let kept = device.alloc(60).unwrap_or_else(|error| panic!("{error}"));
    match device.alloc(64) {
        Err(Error::OverBudget { bytes: 64, used_bytes: 60, budget_bytes: 100, .. }) => {}
        other => panic!("{other:?}"),
    }
    let Err(error) = support::sum(&device) else { panic!("64 bytes of buffers and their staging do not fit") };
    assert!(matches!(error, Error::OverBudget { .. }), "{error}");
    assert_eq!(device.usage().buffers, 1);
    drop(kept);
    assert_eq!(device.usage().bytes, 0);
}

/// A binding beyond the limit is refused before anything is made.
pub(crate) fn bindings() {
    let device = support::open(Config::default());
    let most = device.caps().limits.binding_bytes_max;
    if most >= device.caps().limits.buffer_bytes_max {
        return;
    }
    let bytes = most + 256;
    let mut schedule = Schedule { kernels: vec![kernel(SUM)], ..Schedule::default() };
    for name in ["v", "w"] {
        schedule.buffers.push(Buffer { name: name.to_owned(), bytes, life: Life::Transient });
    }
    let bindings = vec![whole(0, bytes), whole(1, bytes)];
    schedule.steps.push(Step::Dispatch { kernel: KernelId(0), grid: [1, 1, 1], bindings });
    match device.load(checked(schedule)).map(|_| ()) {
        Err(Error::BindingTooLarge { bytes: got, limit_bytes, buffer, .. }) => {
            assert_eq!((got, limit_bytes, buffer.as_str()), (bytes, most, "v"));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(device.usage().buffers, 0);
}

/// Disjoint parts of one buffer as uniform, as read-only and as read-write storage.
pub(crate) fn parts_of_one_buffer() {
    let source = "
@group(0) @binding(0) var<uniform> u: vec4u;
@group(0) @binding(1) var<storage> r: array<u32>;
@group(0) @binding(2) var<storage, read_write> w: array<u32>;
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) { w[id.x] = r[id.x] * u[id.x % 4] + arrayLength(&r); }";
    let device = support::open(Config::default());
    let bytes = 768;
    let mut schedule = Schedule { kernels: vec![kernel(source)], ..Schedule::default() };
    schedule.buffers.push(Buffer { name: "all".to_owned(), bytes, life: Life::Transient });
    schedule.hosts.push(Host { name: "all".to_owned(), bytes, writable: true });
    let part = |offset, bytes| Binding { buffer: BufferId(0), offset, bytes };
    let bindings = vec![part(0, 16), part(256, 32), part(512, 32)];
    schedule.steps.extend([
        Step::Upload { host: HostId(0), at: 0, to: whole(0, bytes) },
        Step::Barrier,
        Step::Dispatch { kernel: KernelId(0), grid: [2, 1, 1], bindings },
        Step::Barrier,
        Step::Download { from: whole(0, bytes), host: HostId(0), at: 0, length: None },
    ]);
    let loaded = device.load(checked(schedule)).unwrap_or_else(|error| panic!("{error}"));
    let mut hosts = [(0..192).collect::<Vec<u32>>()];
    support::run(&*loaded, &mut hosts).unwrap_or_else(|error| panic!("{error}"));
    let expected: Vec<u32> = (0..8).map(|i| (64 + i) * (i % 4) + 8).collect();
    assert_eq!(hosts[0][128..136], expected);
    assert_eq!(hosts[0][..128], (0..128).collect::<Vec<u32>>());
}

/// What was downloaded is there for a later upload of the same slice.
pub(crate) fn host_to_host() {
    let device = support::open(Config::default());
    let mut schedule = Schedule { kernels: vec![kernel(SUM)], ..Schedule::default() };
    for name in ["a", "b"] {
        schedule.buffers.push(Buffer { name: name.to_owned(), bytes: 32, life: Life::Transient });
    }
    for name in ["in", "between", "out"] {
        schedule.hosts.push(Host { name: name.to_owned(), bytes: 32, writable: true });
    }
    schedule.steps.extend([
        Step::Upload { host: HostId(0), at: 0, to: whole(0, 32) },
        Step::Barrier,
        Step::Download { from: whole(0, 32), host: HostId(1), at: 0, length: None },
        Step::Barrier,
        Step::Upload { host: HostId(1), at: 0, to: whole(1, 32) },
        Step::Barrier,
        Step::Dispatch { kernel: KernelId(0), grid: [2, 1, 1], bindings: vec![whole(0, 32), whole(1, 32)] },
        Step::Barrier,
        Step::Download { from: whole(0, 32), host: HostId(2), at: 0, length: None },
    ]);
    let loaded = device.load(checked(schedule)).unwrap_or_else(|error| panic!("{error}"));
    let mut hosts = [(0..8).collect::<Vec<u32>>(), vec![0; 8], vec![0; 8]];
    support::run(&*loaded, &mut hosts).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(hosts[2], (0..8).map(|i| 3 * i).collect::<Vec<u32>>());
}

/// Every step is timed where the adapter can, and only if it is asked to.
pub(crate) fn times() {
    let device = support::open(Config::default());
    let loaded = support::sum(&device).unwrap_or_else(|error| panic!("{error}"));
    let mut hosts = [(0..8).collect::<Vec<u32>>(), vec![5; 8]];
    let stats = support::run(&*loaded, &mut hosts).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(stats.times, []);
    let control = Control { clock: Some(Clock::new(|| 0)), ..Control::default() };
    for _ in 0..3 {
        let stats = support::run_with(&*loaded, &mut hosts, &control).unwrap_or_else(|error| panic!("{error}"));
        let steps: Vec<usize> = stats.times.iter().map(|timed| timed.step).collect();
        let facts = &device.caps().facts;
        let can = facts.iter().find(|(what, _)| what == "timestamps").map(|(_, value)| value.as_str());
        match can {
            // Two uploads, a barrier, a dispatch, a barrier, two downloads.
            Some("of every step") => assert_eq!(steps, [0, 1, 3, 5, 6]),
            Some("of dispatches") => assert_eq!(steps, [3]),
            _ => assert_eq!(steps, []),
        }
        assert!(stats.times.iter().all(|timed| timed.nanos < 10_000_000_000), "{stats:?}");
    }
}

/// More than staging memory holds at once goes through it in pieces.
pub(crate) fn larger_than_a_belt() {
    let words: u32 = (70 << 20) / 4;
    let device = support::open(Config::default());
    let check = call(&kernel(ONE_MORE), [words.div_ceil(256), 1, 1], &[u64::from(words) * 4]);
    let loaded = device.load(check).unwrap_or_else(|error| panic!("{error}"));
    let mut hosts = [(0..words).collect::<Vec<u32>>()];
    support::run(&*loaded, &mut hosts).unwrap_or_else(|error| panic!("{error}"));
    assert!(hosts[0].iter().enumerate().all(|(at, &word)| word == at as u32 + 1));
}

const ONE_MORE: &str = "
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) { if id.x < arrayLength(&v) { v[id.x] += 1; } }";

const BUDGET_BYTES: u64 = 4 << 20;

/// Belts take what buffers leave of a budget, and what goes through them goes in pieces.
pub(crate) fn belts_within_a_budget() {
    for left in [16, 100, 1 << 16, 1 << 19] {
        let device = support::open(Config { budget_bytes: Some(BUDGET_BYTES), ..Config::default() });
        // The smaller the belts, the more submissions: not too many of them.
        let kept = device.alloc(if left < 1 << 16 { BUDGET_BYTES - 4096 - left } else { 0 }).expect("room");
        let words = ((BUDGET_BYTES - kept.bytes.max(4) - left) / 4) as u32;
        let check = call(&kernel(ONE_MORE), [words.div_ceil(256), 1, 1], &[u64::from(words) * 4]);
        let loaded = device.load(check).unwrap_or_else(|error| panic!("{left}: {error}"));
        for _ in 0..2 {
            let mut hosts = [(0..words).collect::<Vec<u32>>()];
            support::run(&*loaded, &mut hosts).unwrap_or_else(|error| panic!("{left}: {error}"));
            assert!(hosts[0].iter().enumerate().all(|(at, &word)| word == at as u32 + 1), "{left}");
            assert!(device.usage().bytes <= BUDGET_BYTES);
        }
    }
}

/// What cannot fit with the least of staging is refused when it is loaded, and the error says what is
/// needed.
pub(crate) fn refused_before_launch() {
    let device = support::open(Config { budget_bytes: Some(BUDGET_BYTES), ..Config::default() });
    assert_eq!(device.caps().memory_bytes, Some(BUDGET_BYTES / 8 * 7), "plans leave something for belts");
    let check = call(&kernel(ONE_MORE), [4096, 1, 1], &[BUDGET_BYTES]);
    match device.load(check).map(|_| ()) {
        Err(Error::OverBudget { bytes, used_bytes: 0, budget_bytes: BUDGET_BYTES, what, .. }) => {
            assert_eq!(bytes, BUDGET_BYTES + 16, "the buffer, and the least that a belt each way can be");
            assert!(what.contains("staging"), "{what}");
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(device.usage().bytes, 0);
}

/// Writes and reads of resident buffers stay within the budget too.
pub(crate) fn residents_within_a_budget() {
    let device = support::open(Config { budget_bytes: Some(BUDGET_BYTES), ..Config::default() });
    let bytes = BUDGET_BYTES - 4096;
    let buffer = device.alloc(bytes).unwrap_or_else(|error| panic!("{error}"));
    let data: Vec<u8> = (0..bytes).map(|at| (at % 251) as u8).collect();
    device.write(&buffer, 0, &data).unwrap_or_else(|error| panic!("{error}"));
    let mut back = vec![0; bytes as usize];
    device.read(&buffer, 0, &mut back).unwrap_or_else(|error| panic!("{error}"));
    assert!(back == data);
    // Not whole words.
    device.write(&buffer, 5, &[1; 4099]).unwrap_or_else(|error| panic!("{error}"));
    let mut back = vec![0; 9001];
    device.read(&buffer, 3, &mut back).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((back[1], &back[2..4101], back[4101]), (data[4], [1; 4099].as_slice(), data[4104]));
    assert_eq!(device.usage().bytes, bytes);
    let _rest = device.alloc(4096).unwrap_or_else(|error| panic!("{error}"));
    assert!(matches!(device.write(&buffer, 0, &data), Err(Error::OverBudget { .. })));
}

/// What an adapter lacks is named, with the line that needs it.
pub(crate) fn features() {
    let cases = [
        (wgpu::Features::SHADER_FLOAT32_ATOMIC, "atomics of `f32` are", "v: atomic<f32>", "atomicAdd(&v, 1.0);"),
        (wgpu::Features::SHADER_F16, "`f16` is", "v: array<u32>", "v[0] = u32(f16(v[1]));"),
        (wgpu::Features::SHADER_F64, "`f64` is", "v: array<f64>", "v[0] += 1;"),
        (wgpu::Features::SHADER_INT64, "64-bit integers are", "v: array<u64>", "v[0] += 1;"),
        (wgpu::Features::SUBGROUP, "subgroup operations are", "v: array<u32>", "v[0] = subgroupAdd(v[1]);"),
        (wgpu::Features::SUBGROUP_BARRIER, "subgroup barriers are", "v: array<u32>", "subgroupBarrier(); v[0] = 1;"),
        (
            wgpu::Features::SHADER_INT64_ATOMIC_ALL_OPS,
            "64-bit atomics other than minima and maxima without results are",
            "v: atomic<u64>",
            "atomicAdd(&v, 1lu);",
        ),
        (
            wgpu::Features::SHADER_INT64_ATOMIC_ALL_OPS | wgpu::Features::SHADER_INT64_ATOMIC_MIN_MAX,
            "64-bit atomics are",
            "v: atomic<u64>",
            "atomicMax(&v, 1lu);",
        ),
    ];
    for (without, what, variable, statement) in cases {
        let device = support::open(Config { without, ..Config::default() });
        let enable = match statement {
            _ if statement.contains("f16") => "enable f16;",
            _ if statement.contains("subgroup") => "enable subgroups;",
            _ => "",
        };
        let source = format!(
            "{enable}\n@group(0) @binding(0) var<storage, read_write> {variable};\n\
             @compute @workgroup_size(1)\nfn main() {{\n{statement}\n}}\n"
        );
        let kernel = kernel(&source);
        let bytes = if variable.contains("array") { 64 } else { kernel.buffers[0].min_bytes };
        let Err(Error::Unsupported(unsupported)) = device.load(call(&kernel, [1, 1, 1], &[bytes])).map(|_| ()) else {
            panic!("{what} missing, and still it loads:\n{source}")
        };
        let [diagnostic] = unsupported.report.diagnostics.as_slice() else { panic!("{}", unsupported.report) };
        assert!(diagnostic.message.starts_with(what), "{}", diagnostic.message);
        let line = |at: u32| source[..at as usize].lines().count();
        let [label] = diagnostic.labels.as_slice() else { panic!("{}", unsupported.report) };
        assert!([2, 5].contains(&line(label.span.start + 1)), "{}", unsupported.report);
    }
}
