//! out b = u32[4]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
fn f() -> u32 { var i = 0u; loop { i++; switch i { case 4 { return i; } default {} } } }

@compute @workgroup_size(1)
fn main() {
    b[0] = f();
}
