//! grid 2
//! in x = f32[0, 0.25, 0.75, 1.5, 2.5, -1.25, -2.75, 3, -4, 7.5, -7.5, 100.5, 1e+10, -1e+10, 8.3886075e+06,
//!     -1.0485762e+06]
//! out down = f32[(0, 0, 0, 1) x 3, (2, -2, -3, 3) x 3, (-4, 7, -8, 100) x 3,
//!     (1e+10, -1e+10, 8.388607e+06, -1.048577e+06) x 3] ~ 1ulp
//! out up = f32[(0, 1, 1, 2) x 3, (3, -1, -2, 3) x 3, (-4, 8, -7, 101) x 3,
//!     (1e+10, -1e+10, 8.388608e+06, -1.048576e+06) x 3] ~ 1ulp
//! out inward = f32[(0, 0, 0, 1) x 3, (2, -1, -2, 3) x 3, (-4, 7, -7, 100) x 3,
//!     (1e+10, -1e+10, 8.388607e+06, -1.048576e+06) x 3] ~ 1ulp
//! out nearest = f32[(0, 0, 1, 2) x 3, (2, -1, -3, 3) x 3, (-4, 8, -8, 100) x 3,
//!     (1e+10, -1e+10, 8.388608e+06, -1.048576e+06) x 3] ~ 1ulp
@group(0) @binding(0) var<storage> x: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> down: array<array<vec4f, 3>>;
@group(0) @binding(2) var<storage, read_write> up: array<array<vec4f, 3>>;
@group(0) @binding(3) var<storage, read_write> inward: array<array<vec4f, 3>>;
@group(0) @binding(4) var<storage, read_write> nearest: array<array<vec4f, 3>>;

// Four ways to a whole number; round takes the even one of two equally near.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    down[i][0] = floor(v);
    down[i][1] = vec4f(floor(v.xyz), floor(v.w));
    down[i][2] = vec4f(floor(v.xy), floor(v.zw));
    up[i][0] = ceil(v);
    up[i][1] = vec4f(ceil(v.xyz), ceil(v.w));
    up[i][2] = vec4f(ceil(v.xy), ceil(v.zw));
    inward[i][0] = trunc(v);
    inward[i][1] = vec4f(trunc(v.xyz), trunc(v.w));
    inward[i][2] = vec4f(trunc(v.xy), trunc(v.zw));
    nearest[i][0] = round(v);
    nearest[i][1] = vec4f(round(v.xyz), round(v.w));
    nearest[i][2] = vec4f(round(v.xy), round(v.zw));
}
