//! grid 2
//! in x = f32[1, 2, 0.5, 0.75, 1.25, 1.001, 0.999, 1.5, 3, 10, 100, 1000, 1e+10, 1e-10, 1e+30, 1e-30]
//! out y = f32[(0, 0.6931472, -0.6931472, -0.2876821) x 3] ~ 17ulp abs 4.82e-07
//!     f32[(0.22314355, 0.000999547, -0.0010004875, 0.4054651) x 3] ~ 33ulp abs 4.82e-07
//!     f32[(1.0986123, 2.3025851, 4.6051702, 6.9077554) x 3, (23.02585, -23.02585, 69.07755, -69.07755) x 3] ~ 4ulp
@group(0) @binding(0) var<storage> x: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4f, 3>>;

// Within 2^-21 from 0.5 to 2, within 3 units in the last place elsewhere.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = log(v);
    y[i][1] = vec4f(log(v.xyz), log(v.w));
    y[i][2] = vec4f(log(v.xy), log(v.zw));
}
