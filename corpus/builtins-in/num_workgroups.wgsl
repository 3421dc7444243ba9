//! grid 2,3,2
//! out b = u32[232 x 144]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn at(id: vec3u) -> u32 {
    return id.x + 6 * (id.y + 6 * id.z);
}

@compute @workgroup_size(3, 2, 2)
fn main(@builtin(num_workgroups) count: vec3u, @builtin(global_invocation_id) id: vec3u) {
    b[at(id)] = 100 * count.x + 10 * count.y + count.z;
}
