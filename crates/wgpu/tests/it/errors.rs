//! What is wrong is told by wgpu's own errors, and what a device lacks is refused before it is used.

use crate::gpu;
use wgpu::ErrorFilter::{Internal, Validation};

fn told(error: Option<wgpu::Error>) -> String {
    let mut source: Option<&dyn std::error::Error> = error.as_ref().map(|error| error as _);
    let mut text = String::new();
    while let Some(error) = source {
        text = format!("{text}{error}\n");
        source = error.source();
    }
    text
}

#[test]
fn wgpu_validates() {
    let gpu = gpu::open();
    let error = gpu.error(Validation, || {
        gpu.pipeline("@compute @workgroup_size(1) fn main() { let x: u32 = 1.5; }");
    });
    assert!(matches!(error, Some(wgpu::Error::Validation { .. })), "{error:?}");
    let pipeline = gpu.pipeline(
        "@group(0) @binding(0) var<storage, read_write> v: array<u32, 8>;
         @compute @workgroup_size(1) fn main() { v[0] = 1u; }",
    );
    let small = gpu.storage(&[0u32]);
    let error = gpu.error(Validation, || gpu.run(&pipeline, &[&small], [1, 1, 1]));
    assert!(matches!(error, Some(wgpu::Error::Validation { .. })), "{error:?}");
    assert!(gpu.error(Validation, || gpu.run(&pipeline, &[&gpu.storage(&[0u32; 8])], [1, 1, 1])).is_none());
}

/// WGSL forbids it, and wgpu lets it through.
#[test]
fn a_barrier_that_some_miss_is_told_in_our_words() {
    let gpu = gpu::open();
    let error = gpu.error(Internal, || {
        gpu.pipeline(
            "@group(0) @binding(0) var<storage, read_write> v: array<u32>;
             @compute @workgroup_size(4)
             fn main(@builtin(local_invocation_index) at: u32) {
                 if at == v[at] { workgroupBarrier(); }
             }",
        );
    });
    assert!(matches!(error, Some(wgpu::Error::Internal { .. })), "{error:?}");
    let text = told(error);
    assert!(text.contains("workgroupBarrier") && text.contains("v[at]"), "{text}");
}

#[test]
fn nothing_is_drawn() {
    let gpu = gpu::open();
    let text = "@vertex fn vertex() -> @builtin(position) vec4<f32> { return vec4(0.0); }";
    let source = wgpu::ShaderSource::Wgsl(text.into());
    let module = gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source });
    let draw = || {
        let _pipeline = gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: None,
            layout: None,
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: None,
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: Some(wgpu::DepthStencilState {
                format: wgpu::TextureFormat::Depth32Float,
                depth_write_enabled: None,
                depth_compare: None,
                stencil: wgpu::StencilState::default(),
                bias: wgpu::DepthBiasState::default(),
            }),
            multisample: wgpu::MultisampleState::default(),
            fragment: None,
            multiview_mask: None,
            cache: None,
        });
    };
    let error = gpu.error(Validation, draw);
    assert!(error.is_some());
}

#[test]
fn limits_are_those_of_the_device() {
    let adapter = pollster::block_on(seawall_wgpu::instance().request_adapter(&Default::default())).unwrap();
    let limits = adapter.limits();
    assert!(wgpu::Limits::default().check_limits(&limits), "whoever asks for the defaults gets a device");
    assert_eq!(limits.min_storage_buffer_offset_alignment, 256);
    assert_eq!(limits.max_compute_invocations_per_workgroup, 1 << 14);
    assert_eq!(adapter.get_info().device_type, wgpu::DeviceType::Cpu);
    assert!(adapter.features().contains(wgpu::Features::SUBGROUP));
    assert!(!adapter.features().contains(wgpu::Features::BUFFER_BINDING_ARRAY));
}

/// As wgpu's own example `big_compute_buffers` does.
#[test]
fn a_device_with_arrays_of_bindings_is_not_given() {
    let adapter = pollster::block_on(seawall_wgpu::instance().request_adapter(&Default::default())).unwrap();
    let asked = wgpu::DeviceDescriptor {
        required_features: wgpu::Features::BUFFER_BINDING_ARRAY | wgpu::Features::STORAGE_RESOURCE_BINDING_ARRAY,
        ..Default::default()
    };
    let refused = pollster::block_on(adapter.request_device(&asked)).unwrap_err().to_string();
    assert!(refused.contains("BUFFER_BINDING_ARRAY | STORAGE_RESOURCE_BINDING_ARRAY"), "{refused}");
    let gpu = gpu::open();
    let error = gpu.error(Validation, || {
        gpu.pipeline(
            "struct Part { v: array<f32> }
             @group(0) @binding(0) var<storage, read_write> parts: binding_array<Part, 2>;
             @compute @workgroup_size(1) fn main(@builtin(workgroup_id) id: vec3u) { parts[id.x].v[0] += 1.0; }",
        );
    });
    assert!(matches!(error, Some(wgpu::Error::Validation { .. })), "{error:?}");
}
