//! grid 2
//! out b = u32[0..4] u32[7 x 4]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    b[id.x] = id.x;
    gridBarrier();
    if id.x >= 4 {
        b[id.x] += b[7 - id.x];
    }
}
