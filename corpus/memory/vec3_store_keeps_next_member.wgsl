//! in s = (f32[0, 0, 0] u32[7]) x 4
//! out s = (f32[1, 2, 3] u32[7]) x 2 (f32[1, 2, 3] u32[8]) x 2
struct Item {
    v: vec3f,
    // Sits in what would be the padding of `v`.
    n: u32,
}
@group(0) @binding(0) var<storage, read_write> s: array<Item>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    s[id.x].v = vec3f(1, 2, 3);
    if id.x >= 2 {
        s[id.x].n += 1;
    }
}
