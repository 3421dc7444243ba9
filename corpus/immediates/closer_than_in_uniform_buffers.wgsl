//! grid 2
//! in p = u32[5, 6, 7, 8] u32[100] f32[0.5, 1.5] u32[1000]
//! out b = u32[1105, 1106, 1108, 1109]
struct Pair { a: f32, b: f32 }
struct Params {
    table: array<u32, 4>, // four bytes apart: uniform buffers have sixteen
    base: u32,            // 16
    pair: Pair,           // 20: uniform buffers have structs at sixteen
    last: u32,            // 28
}
var<immediate> p: Params;
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let pair = array(p.pair.a, p.pair.b);
    b[id.x] = p.table[id.x] + p.base + p.last + u32(pair[id.x / 2]);
}
