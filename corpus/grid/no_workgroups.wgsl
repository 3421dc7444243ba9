//! grid 0
//! in b = u32[1, 2, 3]
//! out b = u32[1, 2, 3]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    for (var r = 0u; r < 3; r++) {
        b[id.x] += 1;
        gridBarrier(); // redundant
    }
    b[2] = id.x;
}
