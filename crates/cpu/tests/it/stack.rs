//! Frames of compiled code, whatever their size.

use seawall_core::device::Control;
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
