//! Bounds, resident buffers, and what is refused.

use std::sync::Arc;

use seawall_core::device::{Buffer, Control, Device as _, Error, Io};
use seawall_core::schedule::Life;

use super::support::{device, run, schedule, to_bytes, to_words, try_run};

#[test]
fn out_of_bounds_reads_give_zero_and_writes_are_dropped() {
    let wgsl = "
        @group(0) @binding(0) var<storage, read> x: array<u32>;
        @group(0) @binding(1) var<storage, read_write> out: array<u32>;
        @group(0) @binding(2) var<storage, read_write> fixed: array<vec2<u32>, 2>;
        var<workgroup> w: array<u32, 2>;
        var<private> p: array<u32, 2> = array(3u, 4u);
        @compute @workgroup_size(1)
        fn main(@builtin(workgroup_id) group: vec3<u32>) {
            let far = group.x + 4u;
            let below = -1 - i32(group.x);
            var f = array(7u, 8u);
            let v = vec3(1u, 2u, 3u);
            out[0] = x[far] + x[below] + x[5000000];
            out[1] = fixed[far].y + fixed[1][far];
            w[far] = 9u; w[below] = 9u;
            p[far] = 9u; f[far] = 9u; f[below] = 9u;
            fixed[far] = vec2(9u); fixed[0][far] = 9u; fixed[far].x = 9u;
            out[2] = w[0] + w[1] + w[far];
            out[3] = p[0] * 10u + p[1] + p[far];
            out[4] = f[0] * 10u + f[1] + f[below];
            out[5] = v[far];
            out[far * 1000u] = 9u; out[below] = 9u;
            let nowhere = &fixed[far];
            (*nowhere).y = 4u;
            out[6] = (*nowhere).y;
        }";
    let mut buffers = [("x", vec![1, 2]), ("out", vec![77; 8]), ("fixed", vec![1, 2, 3, 4])];
    try_run(wgsl, [1, 1, 1], &mut buffers, None, &Control::default()).unwrap();
    assert_eq!(buffers[1].1, [0, 0, 0, 34, 78, 0, 0, 77]);
    assert_eq!(buffers[2].1, [1, 2, 3, 4]);
}

#[test]
fn out_of_bounds_atomics_do_nothing_and_find_zero() {
    let wgsl = "
        @group(0) @binding(0) var<storage, read_write> a: array<atomic<u32>>;
        @group(0) @binding(1) var<storage, read_write> out: array<u32>;
        @compute @workgroup_size(1)
        fn main(@builtin(num_workgroups) n: vec3<u32>) {
            let far = n.x * 100u;
            out[0] = atomicAdd(&a[far], 5u) + atomicLoad(&a[far]) + atomicExchange(&a[far], 3u);
            atomicStore(&a[far], 9u);
            let weak = atomicCompareExchangeWeak(&a[far], 0u, 1u);
            out[1] = weak.old_value;
            out[2] = select(0u, 1u, weak.exchanged);
        }";
    let mut buffers = [("a", vec![1, 2]), ("out", vec![77; 3])];
    try_run(wgsl, [1, 1, 1], &mut buffers, None, &Control::default()).unwrap();
    assert_eq!((buffers[0].1.as_slice(), buffers[1].1.as_slice()), ([1, 2].as_slice(), [0, 0, 0].as_slice()));
}

#[test]
fn array_length_is_the_bindings() {
    let wgsl = "
        struct Tail { n: u32, items: array<vec2<u32>> }
        @group(0) @binding(0) var<storage, read> x: array<vec3<u32>>;
        @group(0) @binding(1) var<storage, read_write> tail: Tail;
        @group(0) @binding(2) var<storage, read_write> out: array<u32>;
        @compute @workgroup_size(1)
        fn main() { out[0] = arrayLength(&x); out[1] = arrayLength(&tail.items); out[2] = arrayLength(&out); }";
    let out = run(wgsl, 1, &[("x", &[0; 11]), ("tail", &[0; 9]), ("out", &[0; 3])]);
    assert_eq!(out, [2, 3, 3]);
}

const COUNT: &str = "
    @group(0) @binding(0) var<storage, read_write> total: array<u32>;
    @group(0) @binding(1) var<storage, read_write> log: array<u32>;
    @compute @workgroup_size(4)
    fn main(@builtin(global_invocation_id) id: vec3<u32>) { total[0] += 1u; log[id.x] += id.x; }";

#[test]
fn resident_buffers_keep_their_bytes_between_runs() {
    let device = device(None);
    let (total, log) = (device.alloc(4).unwrap(), device.alloc(32).unwrap());
    let loaded = device.load(schedule(COUNT, [2, 1, 1], &[("total", &[0]), ("log", &[0; 8])], Life::Resident)).unwrap();
    device.write(&log, 8, &to_bytes(&[100])).unwrap();
    for _ in 0..3 {
        let stats = loaded.run(Io { hosts: vec![], residents: vec![&total, &log] }, &Control::default()).unwrap();
        assert_eq!(stats.peak_bytes, 36);
    }
    assert_eq!(read(&device, &total, 1), [24]);
    assert_eq!(read(&device, &log, 8), [0, 3, 106, 9, 12, 15, 18, 21]);
}

#[test]
fn threads_share_a_device_a_schedule_and_its_buffers() {
    let device = device(None);
    let (a, b) = (device.alloc(32).unwrap(), device.alloc(32).unwrap());
    let loaded =
        device.load(schedule(COUNT, [2, 1, 1], &[("total", &[0; 8]), ("log", &[0; 8])], Life::Resident)).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..2 {
            let (first, second) = if thread == 0 { (&a, &b) } else { (&b, &a) };
            let loaded = &loaded;
            scope.spawn(move || {
                for _ in 0..50 {
                    loaded.run(Io { hosts: vec![], residents: vec![first, second] }, &Control::default()).unwrap();
                }
            });
        }
    });
    let expected: Vec<u32> = (0..8).map(|i| if i == 0 { 400 } else { 50 * i }).collect();
    assert_eq!(read(&device, &a, 8), expected);
    assert_eq!(read(&device, &b, 8), expected);
}

#[test]
fn what_does_not_fit_is_refused() {
    let device = device(None);
    let buffer = device.alloc(16).unwrap();
    let outside = Error::OutsideBuffer { offset: 12, bytes: 8, buffer_bytes: 16 };
    assert_eq!(device.write(&buffer, 12, &[0; 8]), Err(outside.clone()));
    assert_eq!(device.read(&buffer, 12, &mut [0; 8]), Err(outside));
    assert!(device.read(&buffer, u64::MAX, &mut [0; 8]).is_err());
    assert!(matches!(device.alloc(10 << 30), Err(Error::BufferTooLarge { .. })));
    let foreign = Buffer::new(Arc::new(0), 16);
    assert_eq!(device.write(&foreign, 0, &[0]), Err(Error::ForeignBuffer { device: "reference".to_owned() }));
    let loaded = device.load(schedule(COUNT, [1, 1, 1], &[("total", &[0]), ("log", &[0; 4])], Life::Resident)).unwrap();
    let total = device.alloc(4).unwrap();
    let refused = loaded.run(Io { hosts: vec![], residents: vec![&total, &foreign] }, &Control::default());
    assert_eq!(refused, Err(Error::ForeignBuffer { device: "reference".to_owned() }));
    let liar = Buffer { bytes: 16, ..total.clone() };
    let refused =
        loaded.run(Io { hosts: vec![], residents: vec![&device.alloc(4).unwrap(), &liar] }, &Control::default());
    assert_eq!(refused, Err(Error::ResidentMismatch { index: 1, expected_bytes: Some(16), got_bytes: Some(4) }));
}

#[test]
fn an_array_too_large_for_a_value_is_refused() {
    let wgsl = "
        @group(0) @binding(0) var<storage, read_write> out: array<f32, 4000000>;
        @compute @workgroup_size(1)
        fn main() { let all = out; out[0] = all[1]; }";
    let error = try_run(wgsl, [1, 1, 1], &mut [("out", vec![0; 4_000_000])], None, &Control::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "device `reference` has no room for a value of type `array<f32, 4000000>` in `main`: 16000000 bytes"
    );
}

#[test]
fn variables_that_no_invocation_can_hold_are_refused() {
    let wgsl = "
        @group(0) @binding(0) var<storage, read_write> out: array<u32>;
        var<private> a: array<u32, 2000000>;
        fn f(i: u32) -> u32 { var b: array<u32, 3000000>; b[i] = 1u; return b[i + 1u]; }
        @compute @workgroup_size(1)
        fn main() { a[out[0]] = 1u; out[0] = a[0] + f(out[1]); }";
    let error = try_run(wgsl, [1, 1, 1], &mut [("out", vec![5; 2])], None, &Control::default()).unwrap_err();
    let expected = "device `reference` has no room for the variables of an invocation of `main`: 20000000 bytes";
    assert_eq!(error.to_string(), expected);
}

fn read(device: &seawall_core::reference::Device, buffer: &Buffer, words: usize) -> Vec<u32> {
    let mut bytes = vec![0; words * 4];
    device.read(buffer, 0, &mut bytes).unwrap();
    to_words(&bytes)
}
