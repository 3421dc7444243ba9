//! out b = u32[7, 4, 9]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
fn min(a: u32, b: u32) -> u32 { return a + b; }
fn dot(x: u32) -> u32 { return x; }

@compute @workgroup_size(1)
fn main() {
    b[0] = min(3, 4);
    let max = 4u;
    b[1] = max;
    b[2] = dot(9);
}
