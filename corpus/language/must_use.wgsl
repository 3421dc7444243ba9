//! out b = u32[6]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
@must_use fn f(x: u32) -> u32 { return 2 * x; }

@compute @workgroup_size(1)
fn main() {
    b[0] = f(3);
}
