//! set BASE = 9
//! out b = u32[18, 19, 20, 21]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
override BASE = 1u;
var<private> start = BASE;

fn shifted(x: u32) -> u32 {
    return x + BASE;
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    b[id.x] = shifted(start + id.x);
}
