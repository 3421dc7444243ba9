//! threads 5,3
//! out b = u32[6, 1, 8, 4, 48]
// 5 by 3 threads in workgroups of 4 by 2 are 2 by 2 workgroups.
@group(0) @binding(0) var<storage, read_write> b: array<u32, 5>;

@compute @workgroup_size(4, 2)
fn main(@builtin(num_workgroups) count: vec3u, @builtin(global_invocation_id) id: vec3u) {
    if id.x == 7 && id.y == 3 {
        b[0] = count.x + count.y + 2;
        b[1] = count.z;
        b[2] = id.x + 1;
        b[3] = id.y + 1;
        b[4] = (id.x + 1) * (id.y + 1) + 16;
    }
}
