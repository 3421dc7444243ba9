//! grid 7
//! out b = u32[60, 51, 42, 33, 24, 15, 6]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    b[id.x] = id.x;
    gridBarrier();
    let x = b[6 - id.x];
    gridBarrier();
    b[id.x] = x * 10 + id.x;
}
