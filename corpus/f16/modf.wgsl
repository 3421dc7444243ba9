//! grid 1
//! in x = f16[0, 1.25, -1.25, 3, 100.5, -100.5, 0.75, -0.5]
//! out fraction = f16[(0, 0.25, -0.25, 0) x 3, (0.5, -0.5, 0.75, -0.5) x 3] ~ 1ulp
//! out whole = f16[(0, 1, -1, 3) x 3, (100, -100, 0, 0) x 3] ~ 1ulp
enable f16;

@group(0) @binding(0) var<storage> x: array<vec4h>;
@group(0) @binding(1) var<storage, read_write> fraction: array<array<vec4h, 3>>;
@group(0) @binding(2) var<storage, read_write> whole: array<array<vec4h, 3>>;

// The fraction and the whole part, each with the sign of x.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    fraction[i][0] = modf(v).fract;
    fraction[i][1] = vec4h(modf(v.xyz).fract, modf(v.w).fract);
    fraction[i][2] = vec4h(modf(v.xy).fract, modf(v.zw).fract);
    whole[i][0] = modf(v).whole;
    whole[i][1] = vec4h(modf(v.xyz).whole, modf(v.w).whole);
    whole[i][2] = vec4h(modf(v.xy).whole, modf(v.zw).whole);
}
