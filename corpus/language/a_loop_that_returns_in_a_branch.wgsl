//! out b = u32[3]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
fn f(x: bool) -> u32 { if x { return 1; } else { loop { return 3; } } }

@compute @workgroup_size(1)
fn main() {
    b[0] = f(false);
}
