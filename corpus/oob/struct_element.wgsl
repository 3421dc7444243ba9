//! ours
//! in at = u32[0, 1, 2, 4294967295]
//! in s = u32[1] f32[2, 3] u32[4] f32[5, 6]
//! out b = f32[6, 15, 0, 0]
//! out s = u32[7] f32[2, 9] u32[7] f32[5, 9]
//! finds out-of-bounds
struct Item {
    n: u32,
    f: array<f32, 2>,
}
@group(0) @binding(0) var<storage> at: array<u32>;
@group(0) @binding(1) var<storage, read_write> s: array<Item>;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let item = s[at[id.x]];
    b[id.x] = f32(item.n) + item.f[0] + item.f[1];
    s[at[id.x]].n = 7;
    s[at[id.x]].f[1] = 9;
}
