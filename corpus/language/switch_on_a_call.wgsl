//! out b = u32[1]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
fn f() -> i32 { return 3; }

@compute @workgroup_size(1)
fn main() {
    switch f() + 1 { case 4: { b[0] = 1; } default: {} }
}
