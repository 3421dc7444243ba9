//! grid 2
//! out b = u32[3, 0, 1, 2, 7, 4, 5, 6]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

struct Slot {
    flag: bool,
    v: vec3u,
    n: array<u32, 2>,
}
var<workgroup> slots: array<Slot, 4>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    slots[local] = Slot(local % 2 == 0, vec3u(id.x), array(id.x, 9u));
    workgroupBarrier();
    let source = &slots[(local + 3) % 4];
    b[id.x] = select((*source).v.z, (*source).n[0], (*source).flag);
}
