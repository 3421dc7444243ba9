//! out b = u32[5, 15, 25, 35]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn bump(p: ptr<function, u32>) {
    *p += 5;
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var items = array(0u, 10u, 20u, 30u);
    bump(&items[id.x]);
    b[id.x] = items[id.x];
}
