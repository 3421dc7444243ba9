//! grid 2
//! in x = f16[0, 1, -1, 0.5, -0.5, 2, -2, 5, -5, 0.1, 3.25, -7.5, 10, -3, 0.001, 7]
//! out y = f16[(1, 2.719, 0.368, 1.648) x 3] ~ 4ulp f16[(0.6064, 7.39, 0.1354, 148.4) x 3] ~ 12ulp
//!     f16[(0.006737, 1.105, 25.8, 0.000553) x 3] ~ 17ulp f16[(2.203e+04, 0.04977, 1.001, 1.097e+03) x 3] ~ 22ulp
enable f16;

@group(0) @binding(0) var<storage> x: array<vec4h>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4h, 3>>;

// Within 1 + 2|x| units in the last place.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = exp(v);
    y[i][1] = vec4h(exp(v.xyz), exp(v.w));
    y[i][2] = vec4h(exp(v.xy), exp(v.zw));
}
