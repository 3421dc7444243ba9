//! out b = u32[50, 31, 12, 43]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var items = array(5u, 4u, 3u, 2u, 1u);
    let at = (id.x * 2) % 5;
    items[at] *= 10;
    items[(at + 1) % 5] = 0;
    b[id.x] = items[at] + id.x;
}
