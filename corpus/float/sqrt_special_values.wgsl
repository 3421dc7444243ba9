//! ours
//! grid 1
//! in x = f32[0, -0.0, inf, -1, nan, 1e-45, -inf, 4]
//! out root = f32[(0, -0.0, inf, nan) x 3, (nan, 3.743392e-23, nan, 2) x 3]
//! out inverse = f32[(inf, -inf, 0, nan) x 3, (nan, 2.6713738e+22, nan, 0.5) x 3] ~ 1ulp
@group(0) @binding(0) var<storage> x: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> root: array<array<vec4f, 3>>;
@group(0) @binding(2) var<storage, read_write> inverse: array<array<vec4f, 3>>;

// Of negative numbers, zeros, infinity and subnormal numbers.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    root[i][0] = sqrt(v);
    root[i][1] = vec4f(sqrt(v.xyz), sqrt(v.w));
    root[i][2] = vec4f(sqrt(v.xy), sqrt(v.zw));
    inverse[i][0] = inverseSqrt(v);
    inverse[i][1] = vec4f(inverseSqrt(v.xyz), inverseSqrt(v.w));
    inverse[i][2] = vec4f(inverseSqrt(v.xy), inverseSqrt(v.zw));
}
