//! grid 3
//! in a = f32[5.5, -5.5, 5.5, -5.5, 7.25, 0.75, -0.75, 100.5, 31, -10, 1, 9.5]
//! in b = f32[2, 2, -2, -2, 3, 2, 5, 7, 4, 4, 4, -4]
//! out rest = f32[(1.5, -1.5, 1.5, -1.5) x 3, (1.25, 0.75, -0.75, 2.5) x 3, (3, -2, 1, 1.5) x 3] ~ 1ulp
@group(0) @binding(0) var<storage> a: array<vec4f>;
@group(0) @binding(1) var<storage> b: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> rest: array<array<vec4f, 3>>;

// The sign is that of the dividend.
@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let p = a[i];
    let q = b[i];
    rest[i][0] = p % q;
    rest[i][1] = vec4f(p.xyz % q.xyz, p.w % q.w);
    rest[i][2] = vec4f(p.xy % q.xy, p.zw % q.zw);
}
