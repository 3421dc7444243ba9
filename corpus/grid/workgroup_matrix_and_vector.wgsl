//! grid 3
//! out b = f32[2, 10, 24, 6, 6, 6]
@group(0) @binding(0) var<storage, read_write> b: array<f32>;
var<workgroup> m: mat3x3f;
var<workgroup> v: vec3f;

@compute @workgroup_size(2)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
    let x = f32(group.x);
    if local == 1 {
        m[2] = vec3f(x, x + 1, x * x);
        v.y = 2 * x;
        b[group.x] = x + 1;
    }
    gridBarrier();
    if local == 0 {
        b[3 + group.x] = b[0] + b[1] + b[2];
    }
    gridBarrier();
    if local == 1 {
        b[group.x] = dot(m[2], vec3f(1, 2, 3)) + v.y + m[0].x + v.x;
    }
}
