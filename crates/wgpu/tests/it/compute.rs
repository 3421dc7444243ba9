//! Kernels over buffers.

use crate::gpu::{self, Gpu};

const DOUBLE: &str = "
    @group(0) @binding(0) var<storage, read_write> v: array<u32>;
    @compute @workgroup_size(64)
    fn main(@builtin(global_invocation_id) id: vec3<u32>) {
        if id.x < arrayLength(&v) { v[id.x] *= 2u; }
    }";

#[test]
fn a_plain_program_doubles_its_numbers() {
    let gpu = gpu::open();
    let double = gpu.pipeline(DOUBLE);
    let v = gpu.storage(&(0..1000).collect::<Vec<u32>>());
    gpu.run(&double, &[&v], [16, 1, 1]);
    assert_eq!(gpu.read::<u32>(&v), (0..1000).map(|i| 2 * i).collect::<Vec<u32>>());
}

#[test]
fn workgroups_meet_at_barriers_and_share_memory() {
    let gpu = gpu::open();
    let sum = gpu.pipeline(
        "@group(0) @binding(0) var<storage, read> v: array<u32>;
         @group(0) @binding(1) var<storage, read_write> sums: array<u32>;
         var<workgroup> part: array<u32, 128>;
         @compute @workgroup_size(128)
         fn main(@builtin(local_invocation_index) at: u32, @builtin(workgroup_id) group: vec3<u32>) {
             part[at] = v[group.x * 128u + at];
             for (var step = 64u; step > 0u; step /= 2u) {
                 workgroupBarrier();
                 if at < step { part[at] += part[at + step]; }
             }
             if at == 0u { sums[group.x] = part[0]; }
         }",
    );
    let v = gpu.storage(&(0..128 * 37).collect::<Vec<u32>>());
    let sums = gpu.storage(&[0u32; 37]);
    gpu.run(&sum, &[&v, &sums], [37, 1, 1]);
    // Of 128 numbers from `128 g` on: their mean is `128 g + 63.5`.
    let expected: Vec<u32> = (0..37).map(|g| 128 * 128 * g + 64 * 127).collect();
    assert_eq!(gpu.read::<u32>(&sums), expected);
}

#[test]
fn atomics_count_over_all_workgroups() {
    let gpu = gpu::open();
    let count = gpu.pipeline(
        "@group(0) @binding(0) var<storage, read_write> bins: array<atomic<u32>, 7>;
         @compute @workgroup_size(32)
         fn main(@builtin(global_invocation_id) id: vec3<u32>) { atomicAdd(&bins[id.x % 7u], id.x); }",
    );
    let bins = gpu.storage(&[0u32; 7]);
    gpu.run(&count, &[&bins], [70, 1, 1]);
    let expected = (0..7).map(|bin| (0..32 * 70).filter(|i| i % 7 == bin).sum::<u32>());
    assert_eq!(gpu.read::<u32>(&bins), expected.collect::<Vec<_>>());
}

#[test]
fn half_floats_are_packed_in_words() {
    let gpu = gpu::open();
    let turn = gpu.pipeline(
        "@group(0) @binding(0) var<storage, read_write> v: array<u32>;
         @compute @workgroup_size(4)
         fn main(@builtin(global_invocation_id) id: vec3<u32>) {
             v[id.x] = pack2x16float(2.0 * unpack2x16float(v[id.x]).yx);
         }",
    );
    // 1 and -2, 0 and a half.
    let v = gpu.storage(&[0xc000_3c00_u32, 0x3800_0000]);
    gpu.run(&turn, &[&v], [1, 1, 1]);
    assert_eq!(gpu.read::<u32>(&v), [0x4000_c400, 0x0000_3c00]);
}

#[test]
fn overrides_are_decided_with_the_pipeline() {
    let gpu = gpu::open();
    let text = "
        override size: u32 = 4;
        @id(7) override factor: f32;
        override other: u32 = 1;
        @group(0) @binding(0) var<storage, read_write> v: array<f32>;
        var<workgroup> shared_: array<f32, size>;
        @compute @workgroup_size(size)
        fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) at: u32) {
            shared_[at] = v[id.x] * factor;
            workgroupBarrier();
            v[id.x] = shared_[size - 1u - at];
        }
        @compute @workgroup_size(1) fn unused() { v[0] = f32(other); }";
    let v = gpu.storage(&[1f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
    let by_two = gpu.pipeline_with(text, &[("size", 8.0), ("7", 0.5), ("other", 3.0)]);
    gpu.run(&by_two, &[&v], [1, 1, 1]);
    assert_eq!(gpu.read::<f32>(&v), [4.0, 3.5, 3.0, 2.5, 2.0, 1.5, 1.0, 0.5]);
    let as_declared = gpu.pipeline_with(text, &[("7", 2.0)]);
    gpu.run(&as_declared, &[&v], [2, 1, 1]);
    assert_eq!(gpu.read::<f32>(&v), [5.0, 6.0, 7.0, 8.0, 1.0, 2.0, 3.0, 4.0]);
}

/// Two bindings of one buffer with dynamic offsets, and a second group.
#[test]
fn bind_groups_have_dynamic_offsets() {
    let gpu = gpu::open();
    let dynamic = |binding, ty| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset: true, min_binding_size: None },
        count: None,
    };
    let uniform = dynamic(3, wgpu::BufferBindingType::Uniform);
    let storage = dynamic(1, wgpu::BufferBindingType::Storage { read_only: false });
    let layout = |entries: &[wgpu::BindGroupLayoutEntry]| {
        gpu.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: None, entries })
    };
    // Offsets follow the numbers of the bindings, not the order of the entries.
    let layouts = [layout(&[]), layout(&[uniform, storage])];
    let text = "
        struct Add { value: u32 }
        @group(1) @binding(1) var<storage, read_write> v: array<u32, 4>;
        @group(1) @binding(3) var<uniform> add: Add;
        @compute @workgroup_size(4)
        fn main(@builtin(local_invocation_index) at: u32) { v[at] += add.value; }";
    let source = wgpu::ShaderSource::Wgsl(text.into());
    let pipeline = gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: None,
        layout: Some(&gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: &[Some(&layouts[0]), Some(&layouts[1])],
            immediate_size: 0,
        })),
        module: &gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source }),
        entry_point: None,
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    let mut adds = [0u32; 128];
    (adds[0], adds[64]) = (1, 100);
    let add = gpu.buffer(&adds, wgpu::BufferUsages::UNIFORM);
    let v = gpu.storage(&[0u32; 256]);
    let bound = |buffer, size| {
        wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer, offset: 0, size: wgpu::BufferSize::new(size) })
    };
    let entries = [(1, bound(&v, 16)), (3, bound(&add, 4))];
    let entries = entries.map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource });
    let descriptor = wgpu::BindGroupDescriptor { label: None, layout: &layouts[1], entries: &entries };
    let group = gpu.device.create_bind_group(&descriptor);
    gpu.pass(|pass| {
        pass.set_pipeline(&pipeline);
        for offsets in [[256, 0], [768, 256], [768, 0]] {
            pass.set_bind_group(1, &group, &offsets);
            pass.dispatch_workgroups(1, 1, 1);
        }
    });
    let mut expected = [0u32; 256];
    expected[64..68].fill(1);
    expected[192..196].fill(101);
    assert_eq!(gpu.read::<u32>(&v), expected);
}

const COUNT: &str = "
    @group(0) @binding(0) var<storage, read_write> count: atomic<u32>;
    @compute @workgroup_size(2, 3) fn main() { atomicAdd(&count, 1u); }";

fn indirect(gpu: &Gpu, grid: &[u32], offset: u64) -> u32 {
    let (count, grid) = (gpu.storage(&[0u32]), gpu.storage(grid));
    let pipeline = gpu.pipeline(COUNT);
    let group = gpu.group(&pipeline, &[&count]);
    gpu.pass(|pass| {
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups_indirect(&grid, offset);
    });
    gpu.read::<u32>(&count)[0]
}

#[test]
fn a_grid_is_found_in_a_buffer() {
    let gpu = gpu::open();
    assert_eq!(indirect(&gpu, &[5, 2, 3], 0), 6 * 30);
    assert_eq!(indirect(&gpu, &[9, 9, 5, 2, 3, 9], 8), 6 * 30);
    assert_eq!(indirect(&gpu, &[5, 0, 3], 0), 0);
    // Beyond the limit of the device nothing is run, which is no error.
    assert_eq!(indirect(&gpu, &[1 << 16, 1, 1], 0), 0);
}

#[test]
fn immediates_are_of_their_dispatch() {
    let gpu = gpu::open();
    let text = "
        struct Place { at: u32, values: vec2<f32>, third: f32 }
        var<immediate> place: Place;
        @group(0) @binding(0) var<storage, read_write> v: array<f32>;
        fn first() -> f32 { let p = &place.values; return (*p).x; }
        @compute @workgroup_size(1)
        fn main() { v[place.at] += first() + place.values.y * place.third; }";
    let source = wgpu::ShaderSource::Wgsl(text.into());
    let module = gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source });
    let pipeline = gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: None,
        layout: None,
        module: &module,
        entry_point: None,
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    let v = gpu.storage(&[0f32; 4]);
    let group = gpu.group(&pipeline, &[&v]);
    let bytes = |at: u32, [x, y, z]: [f32; 3]| {
        [at.to_le_bytes(), [0; 4], x.to_le_bytes(), y.to_le_bytes(), z.to_le_bytes(), [0; 4]].concat()
    };
    gpu.pass(|pass| {
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.set_immediates(0, &bytes(1, [1.0, 2.0, 3.0]));
        pass.dispatch_workgroups(1, 1, 1);
        pass.dispatch_workgroups(1, 1, 1);
        // Only a part changes.
        pass.set_immediates(0, &3u32.to_le_bytes());
        pass.dispatch_workgroups(1, 1, 1);
        pass.set_immediates(0, &bytes(0, [0.5, 0.0, 0.0]));
        pass.dispatch_workgroups(1, 1, 1);
    });
    assert_eq!(gpu.read::<f32>(&v), [0.5, 14.0, 0.0, 7.0]);
}

#[test]
fn numbers_of_16_and_64_bits() {
    let gpu = gpu::open();
    let wide = gpu.pipeline(
        "enable f16;
         @group(0) @binding(0) var<storage, read_write> v: array<u64>;
         @group(0) @binding(1) var<storage, read_write> h: array<f16>;
         @compute @workgroup_size(2)
         fn main(@builtin(local_invocation_index) at: u32) { v[at] *= 3lu; h[at] /= 2.0h; }",
    );
    let v = gpu.storage(&[1u64 << 40, 5]);
    let h = gpu.storage(&[0x3c00u16, 0x4400]);
    gpu.run(&wide, &[&v, &h], [1, 1, 1]);
    assert_eq!(gpu.read::<u64>(&v), [3 << 40, 15]);
    assert_eq!(gpu.read::<u16>(&h), [0x3800, 0x4000], "1 and 4, halved");
}

#[test]
fn subgroups_have_the_size_that_the_adapter_tells() {
    let gpu = gpu::open();
    let size = gpu.device.adapter_info().subgroup_min_size;
    let sum = gpu.pipeline(
        "@group(0) @binding(0) var<storage, read_write> v: array<u32>;
         @compute @workgroup_size(256)
         fn main(@builtin(local_invocation_index) at: u32) { v[at] = subgroupAdd(at); }",
    );
    let v = gpu.storage(&[0u32; 256]);
    gpu.run(&sum, &[&v], [1, 1, 1]);
    let expected = (0..256).map(|at| (at / size * size..(at / size + 1) * size).sum::<u32>());
    assert_eq!(gpu.read::<u32>(&v), expected.collect::<Vec<_>>());
}

/// WGSL has a rule against it that GPUs do not need and wgpu does not know.
#[test]
fn subgroups_may_be_split() {
    let gpu = gpu::open();
    let sum = gpu.pipeline(
        "@group(0) @binding(0) var<storage, read_write> v: array<u32>;
         @compute @workgroup_size(32)
         fn main(@builtin(local_invocation_index) at: u32) {
             if v[at] != 0u { v[at] = subgroupAdd(at); } else { v[at] = 100u + subgroupMin(at); }
         }",
    );
    let size = gpu.device.adapter_info().subgroup_min_size;
    assert_eq!(size, 32);
    let v = gpu.storage(&(0..32).map(|at| at % 2).collect::<Vec<u32>>());
    gpu.run(&sum, &[&v], [1, 1, 1]);
    let expected = (0..32).map(|at| if at % 2 == 1 { 16 * 16 } else { 100 });
    assert_eq!(gpu.read::<u32>(&v), expected.collect::<Vec<u32>>());
}
