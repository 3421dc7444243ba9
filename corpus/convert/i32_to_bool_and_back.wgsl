//! grid 1
//! in x = i32[0, 1, -1, 2, -2147483648, 0, 256, 65536]
//! out y = i32[(0, 1, 1, 1) x 3, (1, 0, 1, 1) x 3]
//! out signed = i32[(0, 1, 1, 1) x 3, (1, 0, 1, 1) x 3]
//! out floats = f32[(0, 1, 1, 1) x 3, (1, 0, 1, 1) x 3]
@group(0) @binding(0) var<storage> x: array<vec4i>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4i, 3>>;
@group(0) @binding(2) var<storage, read_write> signed: array<array<vec4i, 3>>;
@group(0) @binding(3) var<storage, read_write> floats: array<array<vec4f, 3>>;

// Everything but zero is true; true is 1.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = vec4i(vec4<bool>(v));
    y[i][1] = vec4i(vec3i(vec3<bool>(v.xyz)), i32(bool(v.w)));
    y[i][2] = vec4i(vec2i(vec2<bool>(v.xy)), vec2i(vec2<bool>(v.zw)));
    signed[i][0] = vec4i(vec4<bool>(v));
    signed[i][1] = vec4i(vec3i(vec3<bool>(v.xyz)), i32(bool(v.w)));
    signed[i][2] = vec4i(vec2i(vec2<bool>(v.xy)), vec2i(vec2<bool>(v.zw)));
    floats[i][0] = vec4f(vec4<bool>(v));
    floats[i][1] = vec4f(vec3f(vec3<bool>(v.xyz)), f32(bool(v.w)));
    floats[i][2] = vec4f(vec2f(vec2<bool>(v.xy)), vec2f(vec2<bool>(v.zw)));
}
