//! out b = u32[3]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
fn f() -> u32 { for (var i = 0u;; i++) { if i == 3 { return i; } } }

@compute @workgroup_size(1)
fn main() {
    b[0] = f();
}
