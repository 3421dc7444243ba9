//! grid 2
//! out b = u32[0, 1, 2, 3, 4, 5, 6, 7]
@group(0) @binding(0) var<storage, read_write> b: array<array<u32, 4>, 2>;

@compute @workgroup_size(4)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) i: u32) {
    b[group.x][i] = 4 * group.x + i;
}
