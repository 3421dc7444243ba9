//! out b = u32[7, 8, 9, 10]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    b[id.x] = later(id.x);
}

fn later(x: u32) -> u32 {
    return x + OFFSET;
}

const OFFSET = 7u;
