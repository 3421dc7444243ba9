//! set 12 = 40
//! set 0 = 2
//! out b = u32[42, 43, 44, 45]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
@id(12) override N = 7u;
@id(0) override K: u32;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    b[id.x] = N + K + id.x;
}
