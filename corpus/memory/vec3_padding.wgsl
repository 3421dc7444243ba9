//! in a = (u32[1, 2, 3] pad[4]) x 2 u32[4, 5, 6] pad[4] u32[7, 8, 9] pad[4]
//! out b = u32[6, 6, 15, 24]
@group(0) @binding(0) var<storage> a: array<vec3u>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let v = a[id.x];
    b[id.x] = v.x + v.y + v.z;
}
