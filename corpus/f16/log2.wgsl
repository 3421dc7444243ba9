//! grid 2
//! in x = f16[1, 2, 0.5, 0.75, 1.25, 1.001, 0.999, 1.5, 3, 10, 100, 1e+03, 5e+04, 0.01, 0.001, 7.5]
//! out y = f16[(0, 1, -1, -0.415) x 3, (0.322, 0.001409, -0.00141, 0.585) x 3] ~ 33ulp abs 0.00789
//!     f16[(1.585, 3.322, 6.645, 9.97) x 3, (15.61, -6.645, -9.97, 2.906) x 3] ~ 4ulp
enable f16;

@group(0) @binding(0) var<storage> x: array<vec4h>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4h, 3>>;

// Within 2^-7 from 0.5 to 2, within 3 units in the last place elsewhere.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = log2(v);
    y[i][1] = vec4h(log2(v.xyz), log2(v.w));
    y[i][2] = vec4h(log2(v.xy), log2(v.zw));
}
