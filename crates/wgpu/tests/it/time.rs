//! Timestamps, and deadlines.

use std::time::Duration;

use crate::gpu;

#[test]
fn timestamps_tell_how_long_a_pass_took() {
    let gpu = gpu::open();
    let work = gpu.pipeline(
        "@group(0) @binding(0) var<storage, read_write> v: array<u32>;
         @compute @workgroup_size(1)
         fn main() { for (var i = 0u; i < 100000u; i++) { v[0] = v[0] * 3u + i; } }",
    );
    let v = gpu.storage(&[1u32]);
    let group = gpu.group(&work, &[&v]);
    let query_set = gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
        label: None,
        ty: wgpu::QueryType::Timestamp,
        count: 4,
    });
    let times = gpu.buffer(&[9u64; 4], wgpu::BufferUsages::QUERY_RESOLVE);
    let mut encoder = gpu.encoder();
    encoder.write_timestamp(&query_set, 0);
    let writes = wgpu::ComputePassTimestampWrites {
        query_set: &query_set,
        beginning_of_pass_write_index: Some(1),
        end_of_pass_write_index: Some(2),
    };
    let descriptor = wgpu::ComputePassDescriptor { label: None, timestamp_writes: Some(writes) };
    let mut pass = encoder.begin_compute_pass(&descriptor);
    pass.set_pipeline(&work);
    pass.set_bind_group(0, &group, &[]);
    pass.dispatch_workgroups(1, 1, 1);
    drop(pass);
    encoder.write_timestamp(&query_set, 3);
    encoder.resolve_query_set(&query_set, 0..4, &times, 0);
    gpu.queue.submit([encoder.finish()]);
    let times = gpu.read::<u64>(&times);
    assert!(times.is_sorted(), "{times:?}");
    // A hundred thousand turns, each waiting for the one before, take longer than ten thousand nanoseconds.
    assert!(times[2] - times[1] > 10_000, "{times:?}");
    assert_eq!(gpu.queue.get_timestamp_period(), 1.0);
}

/// A kernel that does not end is ended at the deadline, and the device is lost with it.
#[test]
fn an_endless_kernel_loses_the_device() {
    let config = seawall_wgpu::Config { deadline: Some(Duration::from_millis(50)), ..Default::default() };
    let gpu = gpu::open_in(&seawall_wgpu::instance_with(config).unwrap());
    let (tell, told) = std::sync::mpsc::channel();
    gpu.device.set_device_lost_callback(move |reason, _| tell.send(reason).unwrap());
    let endless = gpu.pipeline(
        "@group(0) @binding(0) var<storage, read_write> v: array<u32>;
         @compute @workgroup_size(1) fn main() { while v[0] != 2u { v[0] = 1u; } }",
    );
    let v = gpu.storage(&[0u32]);
    gpu.run(&endless, &[&v], [1, 1, 1]);
    // wgpu panics where a lost device is waited for.
    let poll = || gpu.device.poll(wgpu::PollType::wait_indefinitely());
    let polled = std::panic::catch_unwind(std::panic::AssertUnwindSafe(poll));
    assert!(!matches!(polled, Ok(Ok(_))));
    assert_eq!(told.recv_timeout(Duration::from_secs(10)), Ok(wgpu::DeviceLostReason::Unknown));
}
