//! grid 3
//! in a = u32[0..12]
//! out b = u32[66]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<atomic<u32>, 1>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    atomicAdd(&b[0], a[id.x]);
}
