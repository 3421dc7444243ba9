//! grid 4
//! out i = i32[1, 2, 3, 4, -1, 2, 3, 4, 1, -2, 3, 4, -1, -2, 3, 4, 1, 2, -3, 4, -1, 2, -3, 4, 1, -2, -3, 4, -1, -2,
//!     -3, 4, 1, 2, 3, -4, -1, 2, 3, -4, 1, -2, 3, -4, -1, -2, 3, -4, 1, 2, -3, -4, -1, 2, -3, -4, 1, -2, -3, -4,
//!     -1, -2, -3, -4]
//! out f = f32[-0.5, -1, 0.5, -1, -0.5, 1, 0.5, 1, -0.5, -1, 0.5, -1, -0.5, 1, 0.5, 1, -0.5, -1, 0.5, -1, -0.5, 1,
//!     0.5, 1, -0.5, -1, 0.5, -1, -0.5, 1, 0.5, 1]
@group(0) @binding(0) var<storage, read_write> i: array<vec4i>;
@group(0) @binding(1) var<storage, read_write> f: array<vec2f>;

// A condition for each component.
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let k = id.x;
    let c = (vec4u(k) & vec4u(1, 2, 4, 8)) != vec4u(0);
    let p = vec4i(1, 2, 3, 4);
    let q = -p;
    i[k] = select(p, q, c);
    f[k] = select(-0.5 * vec2f(p.xy), -0.5 * vec2f(q.xy), c.xy);
}
