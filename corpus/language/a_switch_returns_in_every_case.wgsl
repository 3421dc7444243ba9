//! out b = u32[2]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
fn f(x: u32) -> u32 { switch x { case 1 { if x == 1 { return 2; } else { return 3; } } default { return 4; } } }

@compute @workgroup_size(1)
fn main() {
    b[0] = f(1);
}
