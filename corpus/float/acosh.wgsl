//! grid 2
//! in x = f32[1.5, 1.25, 2, 3, 1.75, 5, 10, 100, 4, 50, 7.5, 1.375, 2.5, 20, 6, 1.625]
//! out y = f32[(0.9624236, 0.6931472, 1.316958, 1.7627472) x 3] ~ 16ulp
//!     f32[(1.1588104, 2.2924316, 2.993223, 5.298292) x 3] ~ 7ulp
//!     f32[(2.063437, 4.60507, 2.7035758, 0.84101933) x 3] ~ 10ulp
//!     f32[(1.5667993, 3.6882539, 2.4778888, 1.0667324) x 3] ~ 8ulp
@group(0) @binding(0) var<storage> x: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4f, 3>>;

// From 1 on.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = acosh(v);
    y[i][1] = vec4f(acosh(v.xyz), acosh(v.w));
    y[i][2] = vec4f(acosh(v.xy), acosh(v.zw));
}
