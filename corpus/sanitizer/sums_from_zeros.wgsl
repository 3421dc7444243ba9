//! grid 2
//! out b = u32[0, 1, 2, 3, 0, 1, 2, 3]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

var<workgroup> sums: array<u32, 4>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) i: u32) {
    sums[i] = 0;
    sums[i] += i;
    b[id.x] = sums[i];
}
