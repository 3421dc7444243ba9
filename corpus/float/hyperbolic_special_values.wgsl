//! ours
//! grid 1
//! in x = f32[0, -0.0, inf, -inf, nan, 1000, -1000, 0.5]
//! out sine = f32[(0, -0.0, inf, -inf) x 3, (nan, inf, -inf, 0.5210953) x 3] ~ 3ulp
//! out cosine = f32[(1, 1, inf, inf) x 3, (nan, inf, inf, 1.127626) x 3] ~ 3ulp
//! out tangent = f32[(0, -0.0, 1, -1) x 3, (nan, 1, -1, 0.46211717) x 3] ~ 3ulp
//! out area_sine = f32[(0, -0.0, inf, -inf) x 3, (nan, 7.6009026, -7.6009026, 0.4812118) x 3] ~ 3ulp
//! out area_cosine = f32[(nan, nan, inf, nan) x 3, (nan, 7.600902, nan, nan) x 3] ~ 3ulp
//! out area_tangent = f32[(0, -0.0, nan, nan) x 3, (nan, nan, nan, 0.54930615) x 3] ~ 3ulp
@group(0) @binding(0) var<storage> x: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> sine: array<array<vec4f, 3>>;
@group(0) @binding(2) var<storage, read_write> cosine: array<array<vec4f, 3>>;
@group(0) @binding(3) var<storage, read_write> tangent: array<array<vec4f, 3>>;
@group(0) @binding(4) var<storage, read_write> area_sine: array<array<vec4f, 3>>;
@group(0) @binding(5) var<storage, read_write> area_cosine: array<array<vec4f, 3>>;
@group(0) @binding(6) var<storage, read_write> area_tangent: array<array<vec4f, 3>>;

// Overflow, and arguments outside the domain.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    sine[i][0] = sinh(v);
    sine[i][1] = vec4f(sinh(v.xyz), sinh(v.w));
    sine[i][2] = vec4f(sinh(v.xy), sinh(v.zw));
    cosine[i][0] = cosh(v);
    cosine[i][1] = vec4f(cosh(v.xyz), cosh(v.w));
    cosine[i][2] = vec4f(cosh(v.xy), cosh(v.zw));
    tangent[i][0] = tanh(v);
    tangent[i][1] = vec4f(tanh(v.xyz), tanh(v.w));
    tangent[i][2] = vec4f(tanh(v.xy), tanh(v.zw));
    area_sine[i][0] = asinh(v);
    area_sine[i][1] = vec4f(asinh(v.xyz), asinh(v.w));
    area_sine[i][2] = vec4f(asinh(v.xy), asinh(v.zw));
    area_cosine[i][0] = acosh(v);
    area_cosine[i][1] = vec4f(acosh(v.xyz), acosh(v.w));
    area_cosine[i][2] = vec4f(acosh(v.xy), acosh(v.zw));
    area_tangent[i][0] = atanh(v);
    area_tangent[i][1] = vec4f(atanh(v.xyz), atanh(v.w));
    area_tangent[i][2] = vec4f(atanh(v.xy), atanh(v.zw));
}
