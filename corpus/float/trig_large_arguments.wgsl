//! ours
//! grid 1
//! in x = f32[100, -1000, 10000, 100000, 1e+06, 1e+07, -1e+10, 1e+20]
//! out sine = f32[(-0.50636566, -0.82687956, -0.30561438, 0.0357488) x 3,
//!     (-0.3499935, 0.42054778, 0.48750603, 0.6565767) x 3] ~ 2ulp
//! out cosine = f32[(0.8623189, 0.56237906, -0.95215535, -0.9993608) x 3,
//!     (0.93675214, -0.9072704, 0.87311965, 0.7542593) x 3] ~ 2ulp
//! out tangent = f32[(-0.58721393, -1.4703242, 0.32097113, -0.035771664) x 3,
//!     (-0.37362444, -0.46353084, 0.5583496, 0.870492) x 3] ~ 3ulp
@group(0) @binding(0) var<storage> x: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> sine: array<array<vec4f, 3>>;
@group(0) @binding(2) var<storage, read_write> cosine: array<array<vec4f, 3>>;
@group(0) @binding(3) var<storage, read_write> tangent: array<array<vec4f, 3>>;

// Exact reduction, however many turns.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    sine[i][0] = sin(v);
    sine[i][1] = vec4f(sin(v.xyz), sin(v.w));
    sine[i][2] = vec4f(sin(v.xy), sin(v.zw));
    cosine[i][0] = cos(v);
    cosine[i][1] = vec4f(cos(v.xyz), cos(v.w));
    cosine[i][2] = vec4f(cos(v.xy), cos(v.zw));
    tangent[i][0] = tan(v);
    tangent[i][1] = vec4f(tan(v.xyz), tan(v.w));
    tangent[i][2] = vec4f(tan(v.xy), tan(v.zw));
}
