//! out b = u32[3, 4, 2]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
const N = vec2u(1, 2).y;

@compute @workgroup_size(1)
fn main() {
    var a: array<u32, max(2, 3)>;
    a[2] = 3;
    b[0] = a[2];
    var c: array<u32, u32(sqrt(16.0))>;
    c[3] = 4;
    b[1] = c[3];
    var d: array<u32, N>;
    d[1] = 2;
    b[2] = d[1];
}
