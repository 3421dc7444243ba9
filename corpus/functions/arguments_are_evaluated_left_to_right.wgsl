//! out b = u32[123, 234, 345, 456]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

var<private> n: u32;

fn tick() -> u32 {
    n++;
    return n;
}

fn digits(p: u32, q: u32, r: u32) -> u32 {
    return p * 100 + q * 10 + r;
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    n = id.x;
    b[id.x] = digits(tick(), tick(), tick());
}
