//! out b = f32[3.5, 0.5, 1, 7, 2]
//! out c = i32[-5, 1000000, -2147483648]
@group(0) @binding(0) var<storage, read_write> b: array<f32>;
@group(0) @binding(1) var<storage, read_write> c: array<i32>;

const BIG = 4000000000000;
const FINE = 0.1 + 0.4;

@compute @workgroup_size(1)
fn main() {
    b[0] = 3 + 0.5;
    b[1] = FINE;
    b[2] = 1;
    var x: f32 = 7;
    b[3] = x;
    b[4] = f32(5 / 2);
    c[0] = -5;
    c[1] = BIG / 4000000;
    c[2] = -2147483648;
}
