//! threads 6
//! out b = u32[0, 1, 2, 10, 11, 12]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
override WIDTH = 3u;

@compute @workgroup_size(WIDTH)
fn main(@builtin(local_invocation_index) local: u32, @builtin(workgroup_id) group: vec3u) {
    b[group.x * WIDTH + local] = 10 * group.x + local;
}
