//! ours
//! grid 1
//! in x = f32[0, -0.0, inf, -inf, nan, 1e-45, 1.5, -2]
//! out sine = f32[(0, -0.0, nan, nan) x 3, (nan, 1e-45, 0.997495, -0.9092974) x 3] ~ 2ulp
//! out cosine = f32[(1, 1, nan, nan) x 3, (nan, 1, 0.0707372, -0.41614684) x 3] ~ 2ulp
//! out arc = f32[(0, -0.0, nan, nan) x 3, (nan, 1e-45, nan, nan) x 3] ~ 2ulp
//! out arc_cosine = f32[(1.5707964, 1.5707964, nan, nan) x 3, (nan, 1.5707964, nan, nan) x 3] ~ 2ulp
//! out arc_tangent = f32[(0, -0.0, 1.5707964, -1.5707964) x 3, (nan, 1e-45, 0.98279375, -1.1071488) x 3] ~ 2ulp
@group(0) @binding(0) var<storage> x: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> sine: array<array<vec4f, 3>>;
@group(0) @binding(2) var<storage, read_write> cosine: array<array<vec4f, 3>>;
@group(0) @binding(3) var<storage, read_write> arc: array<array<vec4f, 3>>;
@group(0) @binding(4) var<storage, read_write> arc_cosine: array<array<vec4f, 3>>;
@group(0) @binding(5) var<storage, read_write> arc_tangent: array<array<vec4f, 3>>;

// No angle is infinite.
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
    arc[i][0] = asin(v);
    arc[i][1] = vec4f(asin(v.xyz), asin(v.w));
    arc[i][2] = vec4f(asin(v.xy), asin(v.zw));
    arc_cosine[i][0] = acos(v);
    arc_cosine[i][1] = vec4f(acos(v.xyz), acos(v.w));
    arc_cosine[i][2] = vec4f(acos(v.xy), acos(v.zw));
    arc_tangent[i][0] = atan(v);
    arc_tangent[i][1] = vec4f(atan(v.xyz), atan(v.w));
    arc_tangent[i][2] = vec4f(atan(v.xy), atan(v.zw));
}
