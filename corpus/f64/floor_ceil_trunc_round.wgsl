//! grid 3
//! in x = f64[0, 0.25, 0.75, 1.5, 2.5, -1.25, -2.75, 4503599627370496, -0.5, 7.5, 1000000000000000.5,
//!     -1000000000000000.5]
//! out down = f64[(0, 0, 0, 1) x 3, (2, -2, -3, 4503599627370496) x 3,
//!     (-1, 7, 1000000000000000, -1000000000000001) x 3] ~ 1ulp
//! out up = f64[(0, 1, 1, 2) x 3, (3, -1, -2, 4503599627370496) x 3,
//!     (0, 8, 1000000000000001, -1000000000000000) x 3] ~ 1ulp
//! out inward = f64[(0, 0, 0, 1) x 3, (2, -1, -2, 4503599627370496) x 3,
//!     (0, 7, 1000000000000000, -1000000000000000) x 3] ~ 1ulp
//! out nearest = f64[(0, 0, 1, 2) x 3, (2, -1, -3, 4503599627370496) x 3,
//!     (0, 8, 1000000000000000, -1000000000000000) x 3] ~ 1ulp
//! out fraction = f64[(0, 0.25, 0.75, 0.5) x 3, (0.5, 0.75, 0.25, 0) x 3, (0.5, 0.5, 0.5, 0.5) x 3] ~ 1ulp
@group(0) @binding(0) var<storage> x: array<vec4<f64>>;
@group(0) @binding(1) var<storage, read_write> down: array<array<vec4<f64>, 3>>;
@group(0) @binding(2) var<storage, read_write> up: array<array<vec4<f64>, 3>>;
@group(0) @binding(3) var<storage, read_write> inward: array<array<vec4<f64>, 3>>;
@group(0) @binding(4) var<storage, read_write> nearest: array<array<vec4<f64>, 3>>;
@group(0) @binding(5) var<storage, read_write> fraction: array<array<vec4<f64>, 3>>;

// Four ways to a whole number; round takes the even one of two equally near.
@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    down[i][0] = floor(v);
    down[i][1] = vec4<f64>(floor(v.xyz), floor(v.w));
    down[i][2] = vec4<f64>(floor(v.xy), floor(v.zw));
    up[i][0] = ceil(v);
    up[i][1] = vec4<f64>(ceil(v.xyz), ceil(v.w));
    up[i][2] = vec4<f64>(ceil(v.xy), ceil(v.zw));
    inward[i][0] = trunc(v);
    inward[i][1] = vec4<f64>(trunc(v.xyz), trunc(v.w));
    inward[i][2] = vec4<f64>(trunc(v.xy), trunc(v.zw));
    nearest[i][0] = round(v);
    nearest[i][1] = vec4<f64>(round(v.xyz), round(v.w));
    nearest[i][2] = vec4<f64>(round(v.xy), round(v.zw));
    fraction[i][0] = fract(v);
    fraction[i][1] = vec4<f64>(fract(v.xyz), fract(v.w));
    fraction[i][2] = vec4<f64>(fract(v.xy), fract(v.zw));
}
