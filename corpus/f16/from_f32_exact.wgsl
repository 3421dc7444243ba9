//! grid 1
//! in x = f32[0, 1, -2.5, 65504, 0.099975586, 1024.5, -6.1035156e-05, 3.140625]
//! out y = f16[(0, 1, -2.5, 6.55e+04) x 3, (0.1, 1.024e+03, -6.104e-05, 3.14) x 3]
enable f16;

@group(0) @binding(0) var<storage> x: array<vec4f>;
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
