//! Buffers: how they begin, and how bytes come and go.

use crate::gpu;
use wgpu::BufferUsages as Usages;

fn bytes(gpu: &gpu::Gpu, size: u64, usage: Usages, mapped_at_creation: bool) -> wgpu::Buffer {
    gpu.device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation })
}

#[test]
fn memory_begins_as_zeros() {
    let gpu = gpu::open();
    let buffer = bytes(&gpu, 4096, Usages::COPY_SRC, false);
    assert_eq!(gpu.read::<u32>(&buffer), [0; 1024]);
}

/// Also where it was used before.
#[test]
fn memory_that_was_used_begins_as_zeros() {
    let gpu = gpu::open();
    let size = 4 << 20;
    let usage = Usages::STORAGE | Usages::COPY_SRC | Usages::COPY_DST;
    let used = || {
        let buffers: Vec<_> = (0..4).map(|_| gpu.storage(&vec![u32::MAX; size / 4])).collect();
        gpu.wait();
        drop(buffers);
    };
    used();
    assert!(gpu.read::<u32>(&bytes(&gpu, size as u64, usage, false)).iter().all(|word| *word == 0));
    used();
    let pipeline = gpu.pipeline(
        "@group(0) @binding(0) var<storage, read_write> v: array<u32>;
         @compute @workgroup_size(64)
         fn main(@builtin(global_invocation_id) id: vec3<u32>) { v[2u * id.x] += 1u; }",
    );
    let half = bytes(&gpu, size as u64, usage, false);
    gpu.run(&pipeline, &[&half], [128, 1, 1]);
    let expected = |at: usize| u32::from(at.is_multiple_of(2) && at < 2 * 128 * 64);
    assert!((0..).zip(gpu.read::<u32>(&half)).all(|(at, word)| word == expected(at)));
    used();
    let mapped = bytes(&gpu, size as u64, usage, true);
    mapped.slice(0..4).get_mapped_range_mut().unwrap().copy_from_slice(&[1; 4]);
    mapped.unmap();
    assert!(gpu.read::<u8>(&mapped)[4..].iter().all(|byte| *byte == 0));
    used();
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: 1024, height: 1024, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::R32Uint,
        usage: wgpu::TextureUsages::STORAGE_BINDING | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    let all = gpu.storage(&vec![7u32; size / 4]);
    let mut encoder = gpu.encoder();
    let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(4096), rows_per_image: None };
    let to = wgpu::TexelCopyBufferInfo { buffer: &all, layout };
    encoder.copy_texture_to_buffer(texture.as_image_copy(), to, texture.size());
    gpu.queue.submit([encoder.finish()]);
    assert!(gpu.read::<u32>(&all).iter().all(|word| *word == 0));
}

#[test]
fn a_buffer_is_mapped_at_its_creation() {
    let gpu = gpu::open();
    let buffer = bytes(&gpu, 20, Usages::COPY_SRC, true);
    buffer.slice(8..16).get_mapped_range_mut().unwrap().copy_from_slice(&[1, 2, 3, 4, 5, 6, 7, 8]);
    buffer.unmap();
    assert_eq!(gpu.read::<u8>(&buffer), [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0]);
}

#[test]
fn a_buffer_is_mapped_to_be_written_and_read() {
    let gpu = gpu::open();
    let buffer = bytes(&gpu, 64, Usages::MAP_WRITE | Usages::COPY_SRC, false);
    buffer.map_async(wgpu::MapMode::Write, 8..16, Result::unwrap);
    gpu.wait();
    buffer.slice(8..16).get_mapped_range_mut().unwrap().copy_from_slice(&[7; 8]);
    buffer.unmap();
    let mut expected = [0; 64];
    expected[8..16].fill(7);
    assert_eq!(gpu.read::<u8>(&buffer), expected);
}

#[test]
fn storage_is_read_where_it_is() {
    let gpu = gpu::open();
    let pipeline = gpu.pipeline(
        "@group(0) @binding(0) var<storage, read_write> v: array<u32, 8>;
         @compute @workgroup_size(8) fn main(@builtin(local_invocation_index) at: u32) { v[at] = at * at; }",
    );
    let v = bytes(&gpu, 32, Usages::STORAGE | Usages::MAP_READ, false);
    gpu.run(&pipeline, &[&v], [1, 1, 1]);
    assert_eq!(gpu.mapped::<u32>(&v), [0, 1, 4, 9, 16, 25, 36, 49]);
    gpu.run(&pipeline, &[&v], [1, 1, 1]);
    assert_eq!(gpu.mapped::<u32>(&v), [0, 1, 4, 9, 16, 25, 36, 49]);
}

#[test]
fn clears_copies_and_writes_in_order() {
    let gpu = gpu::open();
    let (a, b) = (gpu.storage(&[1u32; 8]), gpu.storage(&[2u32; 8]));
    let mut encoder = gpu.encoder();
    encoder.clear_buffer(&a, 8, Some(8));
    encoder.copy_buffer_to_buffer(&a, 4, &b, 16, 12);
    encoder.clear_buffer(&a, 16, None);
    gpu.queue.write_buffer(&a, 0, &9u32.to_le_bytes());
    gpu.queue.write_buffer(&a, 4, &8u32.to_le_bytes());
    gpu.queue.submit([encoder.finish()]);
    gpu.queue.write_buffer(&b, 28, &7u32.to_le_bytes());
    assert_eq!(gpu.read::<u32>(&a), [9, 8, 0, 0, 0, 0, 0, 0], "writes come before what is submitted after them");
    assert_eq!(gpu.read::<u32>(&b), [2, 2, 2, 2, 8, 0, 0, 7]);
}

/// wgpu lets a buffer be bound twice to be written: what goes in by one name is there by the other.
#[test]
fn one_buffer_has_two_names() {
    let gpu = gpu::open();
    let pipeline = gpu.pipeline(
        "@group(0) @binding(0) var<storage, read_write> a: array<u32>;
         @group(0) @binding(1) var<storage, read_write> b: array<vec2u>;
         @group(0) @binding(2) var<storage, read_write> out: array<u32>;
         @compute @workgroup_size(64)
         fn main(@builtin(global_invocation_id) id: vec3<u32>) {
             let at = id.x;
             let before = a[64u + 2u * at];
             b[at] = vec2u(before + 1u, at);
             out[at] = a[64u + 2u * at] * 1000u + a[65u + 2u * at];
             a[64u + 2u * at] = 7u;
             out[at] += b[at].x * 1000000u + before * 100000000u;
         }",
    );
    let numbers: Vec<u32> = (0..192).map(|at| if at < 64 { 9 } else { 1 + at % 3 }).collect();
    let (v, out) = (gpu.storage(&numbers), gpu.storage(&[0u32; 64]));
    let part = wgpu::BufferBinding { buffer: &v, offset: 256, size: None };
    let bound = vec![v.as_entire_binding(), wgpu::BindingResource::Buffer(part), out.as_entire_binding()];
    // Twice, so that code that was made for it is used again.
    for turn in 0..2 {
        gpu.run_with(&pipeline, bound.clone(), [1, 1, 1]);
        let before = |at: u32| if turn == 0 { numbers[64 + 2 * at as usize] } else { 7 };
        let expected = (0..64).map(|at| (before(at) + 1) * 1000 + at + 7_000_000 + before(at) * 100_000_000);
        assert_eq!(gpu.read::<u32>(&out), expected.collect::<Vec<_>>());
    }
    let expected = (0..64).map(|_| 9).chain((0..64).flat_map(|at| [7, at]));
    assert_eq!(gpu.read::<u32>(&v), expected.collect::<Vec<_>>());
    // Where nothing overlaps, the same pipeline has its own code again.
    let apart = [gpu.storage(&[5u32; 192]), gpu.storage(&[6u32; 128])];
    gpu.run(&pipeline, &[&apart[0], &apart[1], &out], [1, 1, 1]);
    assert_eq!(gpu.read::<u32>(&out), [5 * 1000 + 5 + 6_000_000 + 500_000_000; 64]);
}

#[test]
fn what_is_dropped_in_flight_is_still_used() {
    let gpu = gpu::open();
    let out = gpu.storage(&[0u32; 1 << 12]);
    {
        let add = gpu.pipeline(
            "@group(0) @binding(0) var<storage, read> source: array<u32>;
             @group(0) @binding(1) var<storage, read_write> to: array<u32>;
             @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) { to[id.x] += source[id.x]; }",
        );
        for turn in 0..20 {
            let from = gpu.storage(&vec![turn; 1 << 12]);
            gpu.run(&add, &[&from, &out], [64, 1, 1]);
            from.destroy();
        }
    }
    assert_eq!(gpu.read::<u32>(&out), [190; 1 << 12]);
}
