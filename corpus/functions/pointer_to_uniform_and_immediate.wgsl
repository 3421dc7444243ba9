//! in u = u32[1, 2, 3, 4, 5, 6, 7, 8]
//! in m = u32[10, 20, 30, 40]
//! out b = u32[26, 23]
@group(0) @binding(0) var<uniform> u: array<vec4u, 2>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;
var<immediate> m: vec4u;

fn sum(v: ptr<uniform, vec4u>) -> u32 { return v.x + (*v).y + v[2] + (*v)[3]; }
fn middle(v: ptr<immediate, vec4u>) -> u32 { return (v.x + v.y + v.z + v.w) / 4; }

@compute @workgroup_size(1)
fn main() {
    b[0] = sum(&u[1]);
    b[1] = middle(&m) - 2;
}
