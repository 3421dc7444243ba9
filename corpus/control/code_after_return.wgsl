//! out b = u32[1, 0, 1, 0]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn one() -> u32 {
    return 1;
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x % 2 == 0 {
        b[id.x] = one();
        return;
        b[id.x] = 88;
    }
}
