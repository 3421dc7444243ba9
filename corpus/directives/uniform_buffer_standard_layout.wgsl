//! grid 2
//! in u = u32[1, 2, 3, 4, 5, 6, 7, 8]
//! in v = f32[10]
//! out b = u32[16, 18, 20, 22]
requires uniform_buffer_standard_layout;
struct Pair { x: u32, y: u32 }
struct Params { table: array<u32, 4>, one: u32, pair: Pair, last: u32 } // four bytes apart
@group(0) @binding(0) var<uniform> u: Params;
@group(0) @binding(1) var<uniform> v: f32;
@group(0) @binding(2) var<storage, read_write> b: array<u32>;

fn element(p: ptr<uniform, array<u32, 4>>, i: u32) -> u32 { return p[i]; }

@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    b[id.x] = element(&u.table, id.x) + u32(v) + u.one + u.pair.y - u.pair.x + u.last - 9 + id.x;
}
