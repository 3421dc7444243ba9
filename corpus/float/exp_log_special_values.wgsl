//! ours
//! grid 1
//! in x = f32[0, -0.0, inf, -inf, nan, -1, 1, 1e-45]
//! out power = f32[(1, 1, inf, 0) x 3, (nan, 0.36787945, 2.7182817, 1) x 3] ~ 2ulp
//! out power_of_two = f32[(1, 1, inf, 0) x 3, (nan, 0.5, 2, 1) x 3] ~ 2ulp
//! out natural = f32[(-inf, -inf, inf, nan) x 3, (nan, nan, 0, -103.27893) x 3] ~ 2ulp
//! out binary = f32[(-inf, -inf, inf, nan) x 3, (nan, nan, 0, -149) x 3] ~ 2ulp
@group(0) @binding(0) var<storage> x: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> power: array<array<vec4f, 3>>;
@group(0) @binding(2) var<storage, read_write> power_of_two: array<array<vec4f, 3>>;
@group(0) @binding(3) var<storage, read_write> natural: array<array<vec4f, 3>>;
@group(0) @binding(4) var<storage, read_write> binary: array<array<vec4f, 3>>;

// Where the exponential and the logarithm leave the finite numbers.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    power[i][0] = exp(v);
    power[i][1] = vec4f(exp(v.xyz), exp(v.w));
    power[i][2] = vec4f(exp(v.xy), exp(v.zw));
    power_of_two[i][0] = exp2(v);
    power_of_two[i][1] = vec4f(exp2(v.xyz), exp2(v.w));
    power_of_two[i][2] = vec4f(exp2(v.xy), exp2(v.zw));
    natural[i][0] = log(v);
    natural[i][1] = vec4f(log(v.xyz), log(v.w));
    natural[i][2] = vec4f(log(v.xy), log(v.zw));
    binary[i][0] = log2(v);
    binary[i][1] = vec4f(log2(v.xyz), log2(v.w));
    binary[i][2] = vec4f(log2(v.xy), log2(v.zw));
}
