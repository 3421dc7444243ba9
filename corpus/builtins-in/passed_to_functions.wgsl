//! grid 3
//! out b = u32[0, 2, 4, 6, 8, 10, 12, 14, 16]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn double(id: vec3u) -> u32 {
    var copy = id;
    copy.x += id.x;
    return copy.x;
}

@compute @workgroup_size(3)
fn main(@builtin(global_invocation_id) id: vec3u) {
    b[id.x] = double(id);
}
