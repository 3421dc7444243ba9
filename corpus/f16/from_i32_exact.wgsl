//! grid 1
//! in x = i32[0, 1, -1, 2048, -2048, 60000, -60000, 1000]
//! out y = f16[(0, 1, -1, 2.048e+03) x 3, (-2.048e+03, 6e+04, -6e+04, 1e+03) x 3]
enable f16;

@group(0) @binding(0) var<storage> x: array<vec4i>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4h, 3>>;

// Numbers that f16 holds.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = vec4h(v);
    y[i][1] = vec4h(vec3h(v.xyz), f16(v.w));
    y[i][2] = vec4h(vec2h(v.xy), vec2h(v.zw));
}
