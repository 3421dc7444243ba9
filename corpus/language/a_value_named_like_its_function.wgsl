//! out b = u32[3]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
fn f(x: u32) -> u32 { return x + 1; }

@compute @workgroup_size(1)
fn main() {
    let f = f(2);
    b[0] = f;
}
