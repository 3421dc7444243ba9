//! grid 2
//! in a = u32[0..8]
//! out b = u32[2, 8, 50, 200, 578, 1352, 2738, 5000]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

fn square(x: u32) -> u32 {
    return x * x;
}

fn twice(x: u32) -> u32 {
    return x * 2;
}

fn chain(x: u32) -> u32 {
    return twice(square(square(x) + 1));
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    b[id.x] = chain(a[id.x]);
}
