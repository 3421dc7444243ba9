//! grid 2
//! in s = (f32[1, 2, 3] pad[4] u32[1] pad[12]) x 4 (f32[4, 5, 6] pad[4] u32[2] pad[12]) x 4
//! out b = f32[7 x 4, 17 x 4]
struct Item {
    @size(16) v: vec3f,
    n: u32,
}
@group(0) @binding(0) var<storage> s: array<Item>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let item = s[id.x];
    b[id.x] = item.v.x + item.v.y + item.v.z + f32(item.n);
}
