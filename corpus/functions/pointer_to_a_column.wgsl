//! out b = u32[5]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
var<workgroup> m: mat2x2f;
fn f(p: ptr<workgroup, vec2f>) { p.y = 5; }

@compute @workgroup_size(1)
fn main() {
    f(&m[1]);
    b[0] = u32(m[1].y);
}
