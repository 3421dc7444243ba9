//! out b = u32[1]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
fn f(x: u32) -> u32 { return 2 * x; }

@compute @workgroup_size(1)
fn main() {
    _ = f(3);
    _ = b[0];
    b[0] = 1;
    _ = &b;
    _ = 1;
}
