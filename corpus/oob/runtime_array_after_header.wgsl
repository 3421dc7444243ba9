//! ours
//! in at = u32[0, 1, 2, 4294967295]
//! in s = u32[100] pad[12] (u32[1, 2, 3] pad[4]) x 2
//! out b = u32[6, 6, 0, 0]
//! out s = u32[100] pad[12] u32[1, 9, 3] pad[4] u32[1, 9, 3] pad[4]
//! finds out-of-bounds
struct List {
    head: u32,
    items: array<vec3u>,
}
@group(0) @binding(0) var<storage> at: array<u32>;
@group(0) @binding(1) var<storage, read_write> s: List;
@group(0) @binding(2) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let v = s.items[at[id.x]];
    b[id.x] = v.x + v.y + v.z;
    s.items[at[id.x]].y = 9;
}
