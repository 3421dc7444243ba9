//! What comes before what: dispatches, command buffers, submissions, devices.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::gpu;

const STEP: &str = "
    @group(0) @binding(0) var<storage, read> source: array<u32>;
    @group(0) @binding(1) var<storage, read_write> to: array<u32>;
    @compute @workgroup_size(64)
    fn main(@builtin(global_invocation_id) id: vec3<u32>) {
        let n = arrayLength(&source);
        if id.x < n { to[id.x] = source[(id.x + 1u) % n] + 1u; }
    }";

/// Each turn moves all numbers by one place, and adds one.
#[test]
fn dispatches_of_a_pass_follow_one_another() {
    let gpu = gpu::open();
    let step = gpu.pipeline(STEP);
    let (a, b) = (gpu.storage(&(0..300).collect::<Vec<u32>>()), gpu.storage(&[0u32; 300]));
    let groups = [gpu.group(&step, &[&a, &b]), gpu.group(&step, &[&b, &a])];
    let turns = 100;
    gpu.pass(|pass| {
        pass.set_pipeline(&step);
        for turn in 0..turns {
            pass.set_bind_group(0, &groups[turn % 2], &[]);
            pass.dispatch_workgroups(5, 1, 1);
        }
    });
    let expected: Vec<u32> = (0..300).map(|i| (i + turns as u32) % 300 + turns as u32).collect();
    assert_eq!(gpu.read::<u32>(&a), expected);
}

#[test]
fn command_buffers_and_submissions_follow_one_another() {
    let gpu = gpu::open();
    let step = gpu.pipeline(STEP);
    let (a, b) = (gpu.storage(&(0..300).collect::<Vec<u32>>()), gpu.storage(&[0u32; 300]));
    let groups = [gpu.group(&step, &[&a, &b]), gpu.group(&step, &[&b, &a])];
    let recorded = |turns: std::ops::Range<usize>| {
        turns.map(|turn| {
            let mut encoder = gpu.encoder();
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pass.set_pipeline(&step);
            pass.set_bind_group(0, &groups[turn % 2], &[]);
            pass.dispatch_workgroups(5, 1, 1);
            drop(pass);
            encoder.finish()
        })
    };
    for first in (0..40).step_by(4) {
        gpu.queue.submit(recorded(first..first + 4));
    }
    let expected: Vec<u32> = (0..300).map(|i| (i + 40) % 300 + 40).collect();
    assert_eq!(gpu.read::<u32>(&a), expected);
}

#[test]
fn submitting_does_not_wait_and_polling_does() {
    let gpu = gpu::open();
    let slow = gpu.pipeline(
        "@group(0) @binding(0) var<storage, read_write> v: array<u32>;
         @compute @workgroup_size(1)
         fn main() { for (var i = 0u; i < 50000000u; i++) { v[0] = v[0] * 3u + i; } }",
    );
    let v = gpu.storage(&[1u32]);
    let done = Arc::new(AtomicU32::new(0));
    let tell = done.clone();
    gpu.run(&slow, &[&v], [1, 1, 1]);
    gpu.queue.on_submitted_work_done(move || {
        tell.fetch_add(1, Ordering::SeqCst);
    });
    let timeout = Some(std::time::Duration::from_millis(1));
    let late = gpu.device.poll(wgpu::PollType::Wait { submission_index: None, timeout });
    assert!(matches!(late, Err(wgpu::PollError::Timeout)), "{late:?}");
    assert_eq!(done.load(Ordering::SeqCst), 0);
    gpu.wait();
    assert_eq!(done.load(Ordering::SeqCst), 1);
}

#[test]
fn two_devices_work_side_by_side() {
    let gpus = [gpu::open(), gpu::open()];
    let results = std::thread::scope(|scope| {
        let threads = gpus.each_ref().map(|gpu| {
            scope.spawn(move || {
                let step = gpu.pipeline(STEP);
                let (a, b) = (gpu.storage(&[5u32; 100]), gpu.storage(&[0u32; 100]));
                for _ in 0..50 {
                    gpu.run(&step, &[&a, &b], [2, 1, 1]);
                    gpu.run(&step, &[&b, &a], [2, 1, 1]);
                }
                gpu.read::<u32>(&a)
            })
        });
        threads.map(|thread| thread.join().unwrap())
    });
    assert_eq!(results, [vec![105; 100], vec![105; 100]]);
}
