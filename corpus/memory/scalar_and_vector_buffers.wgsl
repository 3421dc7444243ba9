//! in x = f32[1.5]
//! in v = f32[1, 2, 3]
//! out y = f32[9]
//! out w = f32[3, 6, 9]
@group(0) @binding(0) var<uniform> x: f32;
@group(0) @binding(1) var<storage> v: vec3f;
@group(0) @binding(2) var<storage, read_write> y: f32;
@group(0) @binding(3) var<storage, read_write> w: vec3f;

@compute @workgroup_size(1)
fn main() {
    y = x * (v.x + v.y + v.z);
    w = 3 * v;
}
