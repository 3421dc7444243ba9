//! grid 2
//! out b = u32[0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15]
const WIDTH = 3;
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(WIDTH, WIDTH - 1u)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) index: u32) {
    b[6 * group.x + index] = 10 * group.x + index;
}
