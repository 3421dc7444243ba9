//! in s = u32[3, 100] pad[8] (u32[1, 2, 3] pad[4]) x 2 u32[4, 5, 6] pad[4] u32[7, 8, 9] pad[4]
//! out b = u32[106, 106, 115, 4]
struct List {
    live: u32,
    more: u32,
    items: array<vec3u>,
}
@group(0) @binding(0) var<storage> s: List;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x < s.live {
        let v = s.items[id.x];
        b[id.x] = v.x + v.y + v.z + s.more;
    } else {
        b[id.x] = arrayLength(&s.items);
    }
}
