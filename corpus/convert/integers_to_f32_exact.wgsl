//! grid 1
//! in x = i32[0, 1, -1, 16777216, -16777216, 2147483520, -2147483648, 65535]
//! out y = f32[(0, 1, -1, 1.6777216e+07) x 3, (-1.6777216e+07, 2.1474835e+09, -2.1474836e+09, 65535) x 3]
@group(0) @binding(0) var<storage> x: array<vec4i>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4f, 3>>;

// Numbers that f32 holds.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = vec4f(v);
    y[i][1] = vec4f(vec3f(v.xyz), f32(v.w));
    y[i][2] = vec4f(vec2f(v.xy), vec2f(v.zw));
}
