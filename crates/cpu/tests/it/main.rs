//! The CPU device from outside: what the corpus cannot say.

mod fast;
mod guards;
mod loops;
mod stack;
mod teams;
mod waits;
mod witness;

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use seawall_core::check::check;
use seawall_core::device::{Control, Device as _, Error, Host, Io, Reason, Stats};
use seawall_core::program::{Overrides, Program};
use seawall_core::schedule::{Binding, Buffer, BufferId, HostId, KernelId, Life, Schedule, Step};
use seawall_cpu::{Config, Device};

fn device(threads: usize) -> Device {
    Device::open(Config { threads: NonZeroUsize::new(threads), ..Config::default() }).unwrap()
}

/// Runs `main` over a buffer `v` that is uploaded and downloaded.
fn run(device: &Device, wgsl: &str, grid: u32, v: &mut [u8], control: &Control) -> Result<Stats, Error> {
    let kernel = Program::wgsl(wgsl).unwrap().kernel("main", &Overrides::new()).unwrap();
    let bytes = v.len() as u64;
    let whole = Binding { buffer: BufferId(0), offset: 0, bytes };
    let schedule = Schedule {
        kernels: vec![kernel],
        buffers: vec![Buffer { name: "v".to_owned(), bytes, life: Life::Transient }],
        hosts: vec![seawall_core::schedule::Host { name: "v".to_owned(), bytes, writable: true }],
        steps: vec![
            Step::Upload { host: HostId(0), at: 0, to: whole },
            Step::Barrier,
            Step::Dispatch { kernel: KernelId(0), grid: [grid, 1, 1], bindings: vec![whole] },
            Step::Barrier,
            Step::Download { from: whole, host: HostId(0), at: 0, length: None },
        ],
        budget_bytes: None,
    };
    let loaded = device.load(Arc::new(check(schedule).unwrap()))?;
    loaded.run(Io { hosts: vec![Host::Write(v)], residents: Vec::new() }, control)
}

const COUNT: &str = "@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) { v[id.x] += id.x; }";

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
}

/// However the caller's slice is aligned, and whatever lies around it.
#[test]
fn slices_of_any_alignment() {
    let device = device(2);
    for shift in 0..9 {
        let mut memory = vec![0xa5; 4 * 1000 + 32];
        let slice = &mut memory[shift..shift + 4000];
        slice.fill(0);
        run(&device, COUNT, 16, slice, &Control::default()).unwrap();
        assert_eq!(words(slice), (0..1000).collect::<Vec<_>>(), "shifted by {shift}");
        let outside = memory[..shift].iter().chain(&memory[shift + 4000..]);
        assert!(outside.into_iter().all(|&byte| byte == 0xa5), "shifted by {shift}");
    }
}

#[test]
fn any_number_of_threads() {
    for threads in [1, 2, 3, 8] {
        let mut v = vec![0; 4 << 16];
        let stats = run(&device(threads), COUNT, 1 << 10, &mut v, &Control::default()).unwrap();
        assert_eq!(words(&v), (0..1 << 16).collect::<Vec<_>>());
        assert_eq!(stats.workgroups, 1 << 10);
    }
}

#[test]
fn an_endless_loop_is_stopped_and_named() {
    let endless = "@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(8)
fn main(@builtin(local_invocation_index) i: u32) {
    for (var n = 0u; n < 10; n++) { v[i] += n; }
    while v[i] != 1u { v[i] += 2u; }
}";
    let device = device(2);
    let ended = |after: Duration| {
        let control = Control::default();
        let error = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(after);
                control.stop.ask(Reason::Caller);
            });
            run(&device, endless, 2, &mut [0; 64], &control).unwrap_err()
        });
        let Error::Stopped { reason: Reason::Caller, report } = error else { panic!("{error:?}") };
        report.filter(|report| !report.diagnostics[0].labels.is_empty())
    };
    // On a busy machine it takes longer until it is in its loop.
    let report = (0..12).find_map(|turn| ended(Duration::from_millis(10 << turn))).expect("a loop");
    let span = report.diagnostics[0].labels[0].span;
    let shown = &report.source.text[span.start as usize..span.end as usize];
    assert_eq!(shown, "while v[i] != 1u { v[i] += 2u; }");
    // The device is as good as before.
    let mut v = [0; 256];
    run(&device, COUNT, 1, &mut v, &Control::default()).unwrap();
    assert_eq!(words(&v), (0..64).collect::<Vec<_>>());
}

/// Held by tests that have much code, or count how much there is.
static CODE: Mutex<()> = Mutex::new(());

/// Bytes of code in this process that no file holds.
#[cfg(target_os = "linux")]
fn code_bytes() -> u64 {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    let generated = |line: &str| {
        let [range, "r-xp", _, _, _] = line.split_whitespace().collect::<Vec<_>>()[..] else { return None };
        let (start, end) = range.split_once('-')?;
        Some(u64::from_str_radix(end, 16).ok()? - u64::from_str_radix(start, 16).ok()?)
    };
    maps.lines().filter_map(generated).sum()
}

/// Kernels come and go, and their code with them: few are kept, and none once the device is gone.
#[test]
#[cfg(target_os = "linux")]
fn code_is_freed() {
    let _alone = CODE.lock().unwrap_or_else(PoisonError::into_inner);
    let device = device(1);
    let compile = |kernels: std::ops::Range<usize>| {
        for n in kernels {
            run(&device, &format!("// {n}\n{COUNT}"), 1, &mut [0; 256], &Control::default()).unwrap();
        }
        code_bytes()
    };
    // The device keeps 256; tests beside this one have a few more.
    let (full, later) = (compile(0..256), compile(256..600));
    assert!(full > 0 && later < full + full / 4, "{full} bytes of code, then {later}");
    drop(device);
    assert!(code_bytes() < full / 4, "{} of {full} bytes of code outlive the device", code_bytes());
}

#[test]
fn runs_from_several_threads_at_once() {
    let device = device(2);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..20 {
                    let mut v = vec![0; 4 << 12];
                    run(&device, COUNT, 64, &mut v, &Control::default()).unwrap();
                    assert_eq!(words(&v), (0..1 << 12).collect::<Vec<_>>());
                }
            });
        }
    });
}

#[test]
fn resident_buffers_are_read_and_written_within_bounds() {
    let device = device(1);
    let buffer = device.alloc(8).unwrap();
    device.write(&buffer, 4, &[1, 2, 3, 4]).unwrap();
    let mut all = [9; 8];
    device.read(&buffer, 0, &mut all).unwrap();
    assert_eq!(all, [0, 0, 0, 0, 1, 2, 3, 4]);
    assert_eq!(device.write(&buffer, 5, &[0; 4]), Err(Error::OutsideBuffer { offset: 5, bytes: 4, buffer_bytes: 8 }));
    assert!(matches!(device.alloc(u64::MAX), Err(Error::BufferTooLarge { .. })));
    assert!(matches!(device.alloc(1 << 40), Err(Error::OutOfMemory { .. })));
}

/// A product is rounded before it is added to, unless the caller lets it be fused.
#[test]
fn contracts_only_when_asked() {
    let text = "@group(0) @binding(0) var<storage, read_write> v: array<f32>;
@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let x = v[id.x];
    switch id.x % 3 {
        case 0: { v[id.x] = x * 10.0 - 1.0; }
        case 1: { v[id.x] = 1.0 - x * 10.0; }
        default: { v[id.x] = x * 10.0 + -1.0; }
    }
}";
    let x = 0.1f32;
    let exact = f64::from(x) * 10.0 - 1.0;
    let fuses = cfg!(target_arch = "x86_64") && std::arch::is_x86_feature_detected!("fma");
    for (contract, expected) in [(false, x * 10.0 - 1.0), (true, if fuses { exact as f32 } else { x * 10.0 - 1.0 })] {
        let device = Device::open(Config { contract, ..Config::default() }).unwrap();
        let mut v: Vec<u8> = [x; 24].into_iter().flat_map(f32::to_le_bytes).collect();
        run(&device, text, 3, &mut v, &Control::default()).unwrap();
        for (i, word) in words(&v).into_iter().enumerate() {
            let sign = if i % 3 == 1 { -1.0 } else { 1.0 };
            assert_eq!(f32::from_bits(word), sign * expected, "element {i}, contract {contract}");
        }
    }
}

/// Pages that nobody touches cost nothing, so that a buffer over 4 GiB can be tried anywhere.
#[cfg(target_os = "linux")]
#[test]
fn buffers_over_four_gib() {
    const WORDS: u64 = (1 << 30) + 200;
    let text = "@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let end = arrayLength(&v);
    v[end - 100 + id.x] = 7 + id.x;
    v[end - 101 - id.x * 3 % 64] = end + id.x * 3 % 64;
}";
    let device = device(1);
    let bytes = WORDS * 4;
    let buffer = device.alloc(bytes).unwrap();
    let kernel = Program::wgsl(text).unwrap().kernel("main", &Overrides::new()).unwrap();
    let whole = Binding { buffer: BufferId(0), offset: 0, bytes };
    let schedule = Schedule {
        kernels: vec![kernel],
        buffers: vec![Buffer { name: "v".to_owned(), bytes, life: Life::Resident }],
        hosts: Vec::new(),
        steps: vec![Step::Dispatch { kernel: KernelId(0), grid: [2, 1, 1], bindings: vec![whole] }],
        budget_bytes: None,
    };
    let loaded = device.load(Arc::new(check(schedule).unwrap())).unwrap();
    loaded.run(Io { hosts: Vec::new(), residents: vec![&buffer] }, &Control::default()).unwrap();
    let mut last = vec![0; 4 * 164];
    device.read(&buffer, bytes - last.len() as u64, &mut last).unwrap();
    // From the back: what went down from 101, then what went up to the very end.
    let down = (0..64).rev().map(|k| WORDS as u32 + k);
    let up = (0..100).map(|k| 7 + k);
    assert_eq!(words(&last), down.chain(up).collect::<Vec<_>>());
    let mut first = vec![0; 4096];
    device.read(&buffer, 0, &mut first).unwrap();
    assert!(first.iter().all(|&byte| byte == 0), "nothing has wrapped around");
}

/// So many statements that the code generator tries less and less hard.
#[test]
fn large_kernels() {
    let _alone = CODE.lock().unwrap_or_else(PoisonError::into_inner);
    let device = device(2);
    for pieces in [40, 150, 500] {
        let body: Vec<String> = (2..2 + pieces)
            .map(|i| {
                format!(
                    "x = x * {i}u + (x >> 3u);
if x % {i}u == 0u {{ x ^= {i}u; }}
for (var k = 0u; k < x % 3u; k++) {{ if k + i == 9u {{ break; }} x += k + {i}u; }}
"
                )
            })
            .collect();
        let body = body.concat();
        let text = format!(
            "@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(24)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {{ let i = id.x; var x = v[i];\n{body}v[i] = x; }}"
        );
        let expected = |i: u32| {
            let piece = |x: u32, n: u32| {
                let mut x = x.wrapping_mul(n).wrapping_add(x >> 3);
                x ^= if x.is_multiple_of(n) { n } else { 0 };
                let mut k = 0;
                while k < x % 3 && k + i != 9 {
                    x = x.wrapping_add(k + n);
                    k += 1;
                }
                x
            };
            (2..2 + pieces).fold(i, piece)
        };
        let mut v: Vec<u8> = (0..70u32).flat_map(u32::to_le_bytes).collect();
        run(&device, &text, 3, &mut v, &Control::default()).unwrap();
        assert_eq!(words(&v), (0..70).map(expected).collect::<Vec<_>>(), "{pieces} pieces");
    }
}
