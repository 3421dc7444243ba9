//! out b = u32[41, 52, 63, 44]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

struct Pair {
    first: u32,
    items: array<u32, 3>,
}

fn triple() -> vec3u {
    return vec3u(4, 5, 6);
}

fn pair(x: u32) -> Pair {
    return Pair(x, array(x + 1, x + 2, x + 3));
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    b[id.x] = triple()[id.x % 3] * 10 + pair(id.x).items[0];
}
