//! out b = u32[0, 7, 9, 3]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let items = array(id.x, id.x * id.x, 7u, 9u);
    b[id.x] = items[(id.x + 1) % 4];
}
