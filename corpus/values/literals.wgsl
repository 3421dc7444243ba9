//! out b = u32[255, 255, 0xdeadbeef, 7, 1000000, 0x80000000]
//! out f = f32[1, 0.5, 1500, 0.015625, 3, 16, 0x7f7fffff]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
@group(0) @binding(1) var<storage, read_write> f: array<f32>;

@compute @workgroup_size(1)
fn main() {
    b[0] = 255;
    b[1] = 0xFFu;
    b[2] = 0xdeadbeef;
    b[3] = u32(7i);
    b[4] = 1000000u;
    b[5] = bitcast<u32>(-0x7fffffff - 1);
    f[0] = 1f;
    f[1] = .5;
    f[2] = 1.5e3;
    f[3] = 0x1p-6f;
    f[4] = 3.;
    f[5] = 0x1P+4;
    f[6] = 3.40282346638528859811704183484516925e+38f;
}
