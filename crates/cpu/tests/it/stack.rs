//! Frames of compiled code, whatever their size.

use std::sync::Arc;

use seawall_core::check::check;
use seawall_core::device::{Control, Device as _, Error};
use seawall_core::program::{Overrides, Program};
use seawall_core::schedule::{Binding, Buffer, BufferId, KernelId, Life, Schedule, Step};
use seawall_cpu::{Config, Device, Edge};

use super::{device, run, words};

/// Every invocation has a whole element at hand, of so many words.
fn copies(words: usize) -> String {
    format!(
        "@group(0) @binding(0) var<storage, read_write> v: array<array<u32, {words}>>;
        @compute @workgroup_size(16)
        fn main(@builtin(local_invocation_index) i: u32) {{
            let all = v[i];
            v[i + 16u] = all;
        }}"
    )
}

fn copied(device: &Device, count: usize) {
    let mut v: Vec<u8> = (0..16 * count as u32).flat_map(u32::to_le_bytes).collect();
    v.resize(2 * v.len(), 0);
    run(device, &copies(count), 1, &mut v, &Control::default()).unwrap();
    let all: Vec<u32> = (0..16 * count as u32).collect();
    assert_eq!(words(&v), [&all[..], &all[..]].concat(), "{count} words");
}

/// Less than a page, more than that, and more than a thread's stack is lent.
#[test]
fn values_take_more_than_a_stack() {
    let device = device(2);
    for count in [1 << 4, 1 << 8, 2200] {
        copied(&device, count);
    }
}

/// The frame lies in scratch memory, and stays in it.
#[test]
#[cfg(target_os = "linux")]
fn large_frames_stay_in_their_memory() {
    let device = Device::open(Config { edge: Some(Edge::Start), ..Config::default() }).unwrap();
    copied(&device, 2200);
}

/// A thread whose stack is smaller than the frame calls a kernel that is compiled.
#[test]
#[cfg(all(target_arch = "x86_64", unix))]
fn a_caller_with_little_stack() {
    let device = std::sync::Arc::new(device(1));
    copied(&device, 2200);
    let thread = std::thread::Builder::new().stack_size(192 << 10);
    thread.spawn(move || copied(&device, 2200)).unwrap().join().unwrap();
}

/// What does not fit on a stack counts in the budget, for each worker.
#[test]
fn large_frames_count_in_the_budget() {
    let program = Program::wgsl(&copies(2200)).unwrap();
    let kernel = program.kernel("main", &Overrides::new()).unwrap();
    let bytes = 2 * 16 * 2200 * 4;
    let v = Binding { buffer: BufferId(0), offset: 0, bytes };
    let load = |budget_bytes: u64| {
        let schedule = Schedule {
            kernels: vec![kernel.clone()],
            buffers: vec![Buffer { name: "v".to_owned(), bytes, life: Life::Transient }],
            steps: vec![Step::Dispatch { kernel: KernelId(0), grid: [1, 1, 1], bindings: vec![v] }],
            budget_bytes: Some(budget_bytes),
            ..Schedule::default()
        };
        device(2).load(Arc::new(check(schedule).unwrap())).map(drop)
    };
    let Err(Error::OverBudget { bytes: scratch_bytes, used_bytes, budget_bytes, .. }) = load(bytes) else {
        panic!("there is room for the buffer alone")
    };
    assert_eq!((used_bytes, budget_bytes), (bytes, bytes));
    assert!(scratch_bytes >= 2 * 2200 * 4, "{scratch_bytes} bytes for two workers");
    load(bytes + scratch_bytes).unwrap();
    assert!(load(bytes + scratch_bytes - 1).is_err());
}
