//! in s = u32[5] (u32[0] f32[1.5]) x 3
//! out s = u32[5] u32[3] f32[1.5] u32[4] f32[2.5] u32[5] f32[3.5]
struct Item {
    n: u32,
    f: f32,
}
struct List {
    head: u32,
    items: array<Item>,
}
@group(0) @binding(0) var<storage, read_write> s: List;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x < arrayLength(&s.items) {
        s.items[id.x].n = id.x + 3;
        s.items[id.x].f += f32(id.x);
    }
}
