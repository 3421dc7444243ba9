//! Resident buffers and parts of them, on every device that is there: bound, filled, copied.

use std::sync::Arc;

use seawall_core::check::{Checked, check};
use seawall_core::device::{Buffer, Control, Device, Error, Host, Io};
use seawall_core::program::{Overrides, Program};
use seawall_core::schedule::{self, Binding, BufferId, HostId, KernelId, Length, Life, Schedule, Step};
use seawall_tests::kernels::rng::Rng;

const WGSL: &str = "
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@group(0) @binding(2) var<uniform> p: vec4<u32>;
@compute @workgroup_size(16)
fn add(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&y) { y[id.x] = x[id.x % arrayLength(&x)] + p.x + arrayLength(&x); }
}
";

/// Words of the memory that everything is a part of.
const WORDS: usize = 1024;

fn words(device: &dyn Device, buffer: &Buffer) -> Vec<u32> {
    let mut bytes = vec![0; buffer.bytes as usize];
    device.read(buffer, 0, &mut bytes).unwrap();
    bytemuck::pod_collect_to_vec(&bytes)
}

/// 1000, 1001 and so on.
fn memory(device: &dyn Device) -> Buffer {
    let all = device.alloc(4 * WORDS as u64).unwrap();
    let start: Vec<u32> = (1000..).take(WORDS).collect();
    device.write(&all, 0, bytemuck::cast_slice(&start)).unwrap();
    all
}

/// A resident buffer for each of the sizes.
fn schedule(sizes: &[u64], hosts: &[u64], steps: Vec<Step>) -> Arc<Checked> {
    let kernel = Program::wgsl(WGSL).unwrap().kernel("add", &Overrides::new()).unwrap();
    let buffer = |(i, &bytes): (usize, &u64)| schedule::Buffer { name: format!("r{i}"), bytes, life: Life::Resident };
    let host = |&bytes: &u64| schedule::Host { name: "host".to_owned(), bytes, writable: true };
    let schedule = Schedule {
        kernels: vec![kernel],
        buffers: sizes.iter().enumerate().map(buffer).collect(),
        hosts: hosts.iter().map(host).collect(),
        steps,
        budget_bytes: None,
    };
    Arc::new(check(schedule).unwrap())
}

fn range(buffer: u32, offset: u64, bytes: u64) -> Binding {
    Binding { buffer: BufferId(buffer), offset, bytes }
}

fn add(bindings: [Binding; 3]) -> Step {
    Step::Dispatch { kernel: KernelId(0), grid: [8, 1, 1], bindings: bindings.to_vec() }
}

/// One is read, one is written and one is a uniform, of the same memory, in any order; what lies
/// between them stays as it is.
#[test]
fn parts_of_one_memory_in_one_dispatch() {
    let [x, y, p] = [range(0, 0, 64), range(1, 256, 200), range(2, 0, 16)];
    let schedule = schedule(&[64, 512, 16], &[], vec![add([x, y, p])]);
    for (name, device) in seawall_tests::devices() {
        let loaded = device.load(schedule.clone()).unwrap();
        for places in [[0, 256, 768], [1024, 512, 256], [256, 2048, 0], [3840, 0, 1024]] {
            let all = memory(&*device);
            let parts = [(places[0], 64), (places[1], 512), (places[2], 16)];
            let parts = parts.map(|(start, bytes)| all.part(start, bytes).unwrap());
            let stats =
                loaded.run(Io { hosts: vec![], residents: parts.iter().collect() }, &Control::default()).unwrap();
            assert!(stats.peak_bytes <= schedule.peak_bytes(), "{name}: {stats:?}");
            let mut expected: Vec<u32> = (1000..).take(WORDS).collect();
            let [x, y, p] = places.map(|place| place as usize / 4);
            for i in 0..50 {
                expected[y + 64 + i] = expected[x + i % 16] + expected[p] + 16;
            }
            assert_eq!(words(&*device, &all), expected, "{name}: {places:?}");
        }
        // The same, each in memory of its own again.
        let [x, y, p] = [64, 512, 16].map(|bytes| device.alloc(bytes).unwrap());
        loaded.run(Io { hosts: vec![], residents: vec![&x, &y, &p] }, &Control::default()).unwrap();
        assert_eq!(words(&*device, &y)[64..114], [16; 50], "{name}");
    }
}

/// Every other kind of step.
#[test]
fn steps_on_parts() {
    let length = Length { count: range(1, 8, 4), element_bytes: 4 };
    let bindings = vec![range(0, 0, 16), range(2, 0, 128), range(3, 0, 16)];
    let steps = vec![
        Step::Upload { host: HostId(0), at: 4, to: range(0, 4, 8) },
        Step::Clear { range: range(1, 4, 4) },
        Step::Barrier,
        Step::Copy { from: range(0, 0, 8), to: range(1, 16, 8) },
        Step::Upload { host: HostId(0), at: 0, to: range(1, 0, 12) },
        Step::Barrier,
        Step::DispatchIndirect { kernel: KernelId(0), args: range(1, 0, 12), limit: [3, 3, 3], bindings },
        Step::Download { from: range(1, 0, 32), host: HostId(1), at: 0, length: Some(length) },
        Step::Download { from: range(1, 16, 8), host: HostId(2), at: 0, length: None },
    ];
    let schedule = schedule(&[16, 32, 128, 16], &[12, 32, 8], steps);
    for (name, device) in seawall_tests::devices() {
        let all = memory(&*device);
        let places = [(256, 16), (512, 32), (1024, 128), (2048, 16)];
        let parts = places.map(|(start, bytes)| all.part(start, bytes).unwrap());
        let mut slices = [vec![2u32, 1, 1], vec![9; 8], vec![9; 2]];
        let hosts = slices.iter_mut().map(|words| Host::Write(bytemuck::cast_slice_mut(words))).collect();
        let io = Io { hosts, residents: parts.iter().collect() };
        device.load(schedule.clone()).unwrap().run(io, &Control::default()).unwrap();
        assert_eq!(slices[1], [2, 9, 9, 9, 9, 9, 9, 9], "{name}");
        assert_eq!(slices[2], [1064, 1], "{name}");
        let mut expected: Vec<u32> = (1000..).take(WORDS).collect();
        (expected[65], expected[66]) = (1, 1);
        expected[128..131].copy_from_slice(&[2, 1, 1]);
        (expected[132], expected[133]) = (1064, 1);
        for i in 0..32 {
            expected[256 + i] = expected[64 + i % 4] + expected[512] + 4;
        }
        assert_eq!(words(&*device, &all), expected, "{name}");
    }
}

/// Parts of one memory that change places turn after turn: the caller finds each where it was
/// handed in, with what the last turn left it.
#[test]
fn parts_change_places() {
    for turns in 0..4u32 {
        let steps = vec![
            Step::Loop { test: None, limit: turns },
            add([range(0, 0, 256), range(1, 0, 256), range(2, 0, 16)]),
            Step::Barrier,
            Step::Swap { first: BufferId(0), second: BufferId(1) },
            Step::End,
            Step::Clear { range: range(0, 0, 4) },
        ];
        let schedule = schedule(&[256, 256, 16], &[], steps);
        for (name, device) in seawall_tests::devices() {
            let all = memory(&*device);
            let parts = [(512, 256), (1024, 256), (3072, 16)].map(|(start, bytes)| all.part(start, bytes).unwrap());
            let loaded = device.load(schedule.clone()).unwrap();
            loaded.run(Io { hosts: vec![], residents: parts.iter().collect() }, &Control::default()).unwrap();
            let mut expected: Vec<u32> = (1000..).take(WORDS).collect();
            for _ in 0..turns {
                for i in 0..64 {
                    expected[256 + i] = expected[128 + i] + expected[768] + 64;
                    expected.swap(128 + i, 256 + i);
                }
            }
            expected[128] = 0;
            assert_eq!(words(&*device, &all), expected, "{name}, {turns} turns");
        }
    }
}

#[test]
fn what_overlaps_is_read_or_refused() {
    let [x, y, p] = [range(0, 0, 1024), range(1, 0, 512), range(2, 0, 16)];
    let schedule = schedule(&[1024, 512, 16], &[], vec![add([x, y, p])]);
    let overlap =
        |first: &str, second: &str| Err(Error::ResidentOverlap { first: first.to_owned(), second: second.to_owned() });
    for (name, device) in seawall_tests::devices() {
        let (all, other) = (memory(&*device), memory(&*device));
        let loaded = device.load(schedule.clone()).unwrap();
        let run = |parts: [(&Buffer, u64); 3]| {
            let sizes = [1024, 512, 16];
            let parts: Vec<Buffer> =
                parts.iter().zip(sizes).map(|((of, at), bytes)| of.part(*at, bytes).unwrap()).collect();
            let io = Io { hosts: vec![], residents: parts.iter().collect() };
            loaded.run(io, &Control::default()).map(|_| ())
        };
        assert_eq!(run([(&all, 0), (&all, 768), (&other, 0)]), overlap("r0", "r1"), "{name}");
        assert_eq!(run([(&all, 1024), (&all, 768), (&other, 0)]), overlap("r0", "r1"), "{name}");
        assert_eq!(run([(&other, 0), (&all, 512), (&all, 768)]), overlap("r1", "r2"), "{name}");
        assert_eq!(run([(&all, 0), (&all, 1024), (&all, 1280)]), overlap("r1", "r2"), "{name}: behind what is read");
        assert_eq!(run([(&all, 0), (&all, 1024), (&all, 256)]), Ok(()), "{name}: both are read");
        assert_eq!(run([(&all, 512), (&all, 0), (&all, 512)]), Ok(()), "{name}: both are read");
    }
}

#[test]
fn parts_that_there_are_not() {
    for (name, device) in seawall_tests::devices() {
        let all = device.alloc(1030).unwrap();
        let outside = |offset, bytes| Error::OutsideBuffer { offset, bytes, buffer_bytes: 1030 };
        assert_eq!(all.part(1024, 8).unwrap_err(), outside(1024, 8), "{name}");
        assert_eq!(all.part(u64::MAX, 8).unwrap_err(), outside(u64::MAX, 8), "{name}");
        assert_eq!(all.part(4, 8).unwrap_err(), Error::PartAlign { start: 4, end: 12 }, "{name}");
        assert_eq!(all.part(256, 6).unwrap_err(), Error::PartAlign { start: 256, end: 262 }, "{name}");
        let last = all.part(768, 262).unwrap();
        let part = last.part(256, 6).unwrap();
        assert_eq!((part.offset, part.bytes), (1024, 6), "{name}");
        device.write(&part, 2, &[1, 2, 3, 4]).unwrap();
        let beyond = Error::OutsideBuffer { offset: 2, bytes: 5, buffer_bytes: 6 };
        assert_eq!(device.write(&part, 2, &[0; 5]).unwrap_err(), beyond, "{name}");
        assert_eq!(device.read(&part, 2, &mut [0; 5]).unwrap_err(), beyond, "{name}");
        let mut bytes = [9; 12];
        device.read(&last, 250, &mut bytes).unwrap();
        assert_eq!(bytes, [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4], "{name}");
        // A handle says what its owner likes.
        let liar = Buffer { bytes: 1 << 30, ..all.clone() };
        let far = Buffer { offset: u64::MAX - 255, ..all.clone() };
        for wrong in [&liar, &far] {
            assert!(matches!(device.fill(wrong, &[1]), Err(Error::OutsideBuffer { .. })), "{name}");
            assert!(matches!(device.copy(wrong, wrong), Err(Error::OutsideBuffer { .. })), "{name}");
            assert!(device.write(wrong, 0, &[0; 2000]).is_err(), "{name}");
            let sizes = [1024, wrong.bytes, 16];
            let steps = vec![add([range(0, 0, 1024), range(1, 0, 512), range(2, 0, 16)])];
            if let Ok(loaded) = device.load(schedule(&sizes, &[], steps)) {
                let [x, p] = [1024, 16].map(|bytes| device.alloc(bytes).unwrap());
                let io = Io { hosts: vec![], residents: vec![&x, wrong, &p] };
                assert!(loaded.run(io, &Control::default()).is_err(), "{name}");
            }
        }
    }
}

/// A copy of random size from here to there against a vector: apart, beside one another,
/// overlapping to either side.
#[test]
fn copies_and_fills() {
    for (name, device) in seawall_tests::devices() {
        let rng = &mut Rng::new(5);
        let (bytes, other) = (64 << 10, device.alloc(64 << 10).unwrap());
        let all = device.alloc(bytes).unwrap();
        let mut model: Vec<u8> = (0..bytes).map(|_| rng.bits() as u8).collect();
        device.write(&all, 0, &model).unwrap();
        for round in 0..60 {
            let mut start = || 256 * rng.below(200) as u64;
            let (from, to) = (start(), start());
            let most = (bytes - from.max(to)) / 4;
            let size = 4 * rng.below(most as usize + 1) as u64;
            let [source, target] = [from, to].map(|start| all.part(start, size).unwrap());
            if round % 3 == 0 {
                let pattern: Vec<u8> = (0..=rng.below(9)).map(|_| rng.bits() as u8 & 3).collect();
                device.fill(&target, &pattern).unwrap();
                let repeated = pattern.iter().copied().cycle();
                model[to as usize..][..size as usize].iter_mut().zip(repeated).for_each(|(byte, new)| *byte = new);
            } else {
                device.copy(&source, &target).unwrap();
                model.copy_within(from as usize..(from + size) as usize, to as usize);
            }
            device.copy(&all, &other).unwrap();
            let mut got = vec![0; bytes as usize];
            device.read(&other, 0, &mut got).unwrap();
            let same = got.iter().zip(&model).position(|(got, model)| got != model);
            assert_eq!(same, None, "{name}, round {round}: {from} to {to}, {size} bytes");
        }
        let short = all.part(0, 1024).unwrap();
        let sizes = Error::CopySize { from_bytes: bytes, to_bytes: 1024 };
        assert_eq!(device.copy(&all, &short).unwrap_err(), sizes, "{name}");
        let odd = device.alloc(7).unwrap();
        device.fill(&odd, &[1, 2, 3]).unwrap();
        let mut got = [0; 7];
        device.read(&odd, 0, &mut got).unwrap();
        assert_eq!(got, [1, 2, 3, 1, 2, 3, 1], "{name}");
    }
}
