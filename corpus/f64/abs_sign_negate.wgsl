//! grid 1
//! in x = f64[1.5, -2.5, 0, 1e+300, -1e+300, 3, -0.125, 7]
//! out absolute = f64[(1.5, 2.5, 0, 1e+300) x 3, (1e+300, 3, 0.125, 7) x 3]
//! out signs = f64[(1, -1, 0, 1) x 3, (-1, 1, -1, 1) x 3]
//! out negated = f64[(-1.5, 2.5, 0, -1e+300) x 3, (1e+300, -3, 0.125, -7) x 3] ~ 1ulp
@group(0) @binding(0) var<storage> x: array<vec4<f64>>;
@group(0) @binding(1) var<storage, read_write> absolute: array<array<vec4<f64>, 3>>;
@group(0) @binding(2) var<storage, read_write> signs: array<array<vec4<f64>, 3>>;
@group(0) @binding(3) var<storage, read_write> negated: array<array<vec4<f64>, 3>>;

// Signs, and numbers without them.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    absolute[i][0] = abs(v);
    absolute[i][1] = vec4<f64>(abs(v.xyz), abs(v.w));
    absolute[i][2] = vec4<f64>(abs(v.xy), abs(v.zw));
    signs[i][0] = sign(v);
    signs[i][1] = vec4<f64>(sign(v.xyz), sign(v.w));
    signs[i][2] = vec4<f64>(sign(v.xy), sign(v.zw));
    negated[i][0] = -v;
    negated[i][1] = vec4<f64>(-v.xyz, -v.w);
    negated[i][2] = vec4<f64>(-v.xy, -v.zw);
}
