//! ours
//! grid 1
//! in x = f32[inf, -inf, nan, -0.0, -0.5, -0.25, 1e-45, -1e-45]
//! out down = f32[(inf, -inf, nan, -0.0) x 3, (-1, -1, 0, -1) x 3]
//! out up = f32[(inf, -inf, nan, -0.0) x 3, (-0.0, -0.0, 1, -0.0) x 3]
//! out inward = f32[(inf, -inf, nan, -0.0) x 3, (-0.0, -0.0, 0, -0.0) x 3]
//! out nearest = f32[(inf, -inf, nan, -0.0) x 3, (-0.0, -0.0, 0, -0.0) x 3]
//! out fraction = f32[(nan, nan, nan, 0) x 3, (0.5, 0.75, 1e-45, 1) x 3]
//! out absolute = f32[(inf, inf, nan, 0) x 3, (0.5, 0.25, 1e-45, 1e-45) x 3]
@group(0) @binding(0) var<storage> x: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> down: array<array<vec4f, 3>>;
@group(0) @binding(2) var<storage, read_write> up: array<array<vec4f, 3>>;
@group(0) @binding(3) var<storage, read_write> inward: array<array<vec4f, 3>>;
@group(0) @binding(4) var<storage, read_write> nearest: array<array<vec4f, 3>>;
@group(0) @binding(5) var<storage, read_write> fraction: array<array<vec4f, 3>>;
@group(0) @binding(6) var<storage, read_write> absolute: array<array<vec4f, 3>>;

// The sign of a zero is kept; a tiny negative number has the fraction 1.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    down[i][0] = floor(v);
    down[i][1] = vec4f(floor(v.xyz), floor(v.w));
    down[i][2] = vec4f(floor(v.xy), floor(v.zw));
    up[i][0] = ceil(v);
    up[i][1] = vec4f(ceil(v.xyz), ceil(v.w));
    up[i][2] = vec4f(ceil(v.xy), ceil(v.zw));
    inward[i][0] = trunc(v);
    inward[i][1] = vec4f(trunc(v.xyz), trunc(v.w));
    inward[i][2] = vec4f(trunc(v.xy), trunc(v.zw));
    nearest[i][0] = round(v);
    nearest[i][1] = vec4f(round(v.xyz), round(v.w));
    nearest[i][2] = vec4f(round(v.xy), round(v.zw));
    fraction[i][0] = fract(v);
    fraction[i][1] = vec4f(fract(v.xyz), fract(v.w));
    fraction[i][2] = vec4f(fract(v.xy), fract(v.zw));
    absolute[i][0] = abs(v);
    absolute[i][1] = vec4f(abs(v.xyz), abs(v.w));
    absolute[i][2] = vec4f(abs(v.xy), abs(v.zw));
}
