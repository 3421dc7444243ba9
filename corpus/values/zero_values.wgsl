//! in b = u32[9 x 14]
//! out b = u32[0 x 14]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

struct Mixed {
    n: u32,
    v: vec3f,
    m: mat2x3f,
    a: array<i32, 3>,
    t: bool,
}

@compute @workgroup_size(1)
fn main() {
    var whole: Mixed;
    let made = Mixed();
    b[0] = whole.n;
    b[1] = u32(whole.v.y);
    b[2] = u32(whole.m[1].z);
    b[3] = u32(whole.a[2]);
    b[4] = u32(whole.t);
    b[5] = made.n;
    b[6] = u32(made.v.y);
    b[7] = u32(made.m[1].z);
    b[8] = u32(made.a[2]);
    b[9] = u32(made.t);
    b[10] = u32();
    b[11] = vec2u().y;
    b[12] = array<u32, 4>()[3];
    b[13] = u32(f32() + f32(i32()) + f32(bool()));
}
