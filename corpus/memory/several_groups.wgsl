//! in p = u32[1000]
//! in a = u32[1, 2, 3, 4]
//! in c = u32[10, 20, 30, 40]
//! out b = u32[1011, 1022, 1033, 1044]
//! out d = u32[9, 18, 27, 36]
// Names, groups and bindings deliberately in different orders.
@group(3) @binding(0) var<storage, read_write> b: array<u32>;
@group(0) @binding(7) var<storage> a: array<u32>;
@group(1) @binding(2) var<uniform> p: u32;
@group(1) @binding(0) var<storage, read_write> d: array<u32>;
@group(2) @binding(5) var<storage> c: array<u32>;
// Declared but not used, so nothing is bound to it.
@group(0) @binding(0) var<storage> unused: array<f32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    b[id.x] = p + a[id.x] + c[id.x];
    d[id.x] = c[id.x] - a[id.x];
}
