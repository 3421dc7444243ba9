//! in s = (u32[1] f32[2] u32[3, 4]) x 2 u32[5] f32[6] u32[7, 8] u32[9] f32[10] u32[11, 12]
//! out t = u32[9] f32[10] u32[11, 112] u32[5] f32[6] u32[7, 108] u32[1] f32[2] u32[3, 104] u32[1] f32[2]
//!     u32[3, 104]
struct Item {
    a: u32,
    b: f32,
    c: vec2u,
}
@group(0) @binding(0) var<storage> s: array<Item>;
@group(0) @binding(1) var<storage, read_write> t: array<Item>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var copy = s[id.x];
    let before = copy;
    copy.c.y += 100;
    copy.a += before.a - before.a;
    t[3 - id.x] = copy;
}
