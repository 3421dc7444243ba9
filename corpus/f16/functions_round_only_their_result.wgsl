//! ours
//! in a = f16[300, 400, 60000, 60000, 2048, 1]
//! out long = f16[500, inf, 2048]
//! out twist = f16[-inf, 0, inf]
enable f16;

@group(0) @binding(0) var<storage> a: array<vec2h>;
@group(0) @binding(1) var<storage, read_write> long: array<f16>;
@group(0) @binding(2) var<storage, read_write> twist: array<f16>;

// 300² is no f16, yet the length is 500. (300² - 400² is too large for an f16, 60000² - 60000² is not.)
@compute @workgroup_size(3)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let v = a[id.x];
    long[id.x] = length(v);
    twist[id.x] = dot(v, vec2h(v.x, -v.y));
}
