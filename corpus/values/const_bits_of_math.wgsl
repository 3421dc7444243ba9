//! ours
//! in x = f32[-0.99999994, 0.99999994, 1.0000001, 0.1, 2.5, -7.5]
//! out b = u32[1 x 12]
// A constant has the bits that the same call has at run time, special cases among them.
@group(0) @binding(0) var<storage> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

const A = atanh(-0.99999994f);
const B = acosh(1.0000001f);
const C = asinh(0.1f);

fn same(a: f32, b: f32) -> u32 {
    return u32(bitcast<u32>(a) == bitcast<u32>(b));
}

@compute @workgroup_size(1)
fn main() {
    b[0] = same(A, atanh(x[0]));
    b[1] = same(atanh(0.99999994f), atanh(x[1]));
    b[2] = same(B, acosh(x[2]));
    b[3] = same(C, asinh(x[3]));
    b[4] = same(tanh(0.1f), tanh(x[3]));
    b[5] = same(pow(2.5f, 0.1f), pow(x[4], x[3]));
    b[6] = same(-7.5f % 2.5f, x[5] % x[4]);
    b[7] = same(round(2.5f), round(x[4]));
    b[8] = same(sinh(2.5f), sinh(x[4]));
    let argument = 0.1f;
    b[9] = same(tan(argument), tan(x[3]));
    b[10] = same(length(vec3(0.1f, 2.5f, -7.5f)), length(vec3(x[3], x[4], x[5])));
    b[11] = same(normalize(vec2(0.1f, 2.5f)).y, normalize(vec2(x[3], x[4])).y);
}
