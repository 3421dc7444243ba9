//! grid 2
//! in x = f32[0, 0.25, 1.75, -0.25, -1.75, 2.5, 100.125, -100.125, 3, -4, 0.5, -0.5, 7.875, 31.0625, -31.0625, 1]
//! out absolute = f32[(0, 0.25, 1.75, 0.25) x 3, (1.75, 2.5, 100.125, 100.125) x 3, (3, 4, 0.5, 0.5) x 3,
//!     (7.875, 31.0625, 31.0625, 1) x 3] ~ 1ulp
//! out signs = f32[(0, 1, 1, -1) x 3, (-1, 1, 1, -1) x 3, (1, -1, 1, -1) x 3, (1, 1, -1, 1) x 3] ~ 1ulp
//! out negated = f32[(0, -0.25, -1.75, 0.25) x 3, (1.75, -2.5, -100.125, 100.125) x 3, (-3, 4, -0.5, 0.5) x 3,
//!     (-7.875, -31.0625, 31.0625, -1) x 3] ~ 1ulp
@group(0) @binding(0) var<storage> x: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> absolute: array<array<vec4f, 3>>;
@group(0) @binding(2) var<storage, read_write> signs: array<array<vec4f, 3>>;
@group(0) @binding(3) var<storage, read_write> negated: array<array<vec4f, 3>>;

// Signs, and numbers without them.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    absolute[i][0] = abs(v);
    absolute[i][1] = vec4f(abs(v.xyz), abs(v.w));
    absolute[i][2] = vec4f(abs(v.xy), abs(v.zw));
    signs[i][0] = sign(v);
    signs[i][1] = vec4f(sign(v.xyz), sign(v.w));
    signs[i][2] = vec4f(sign(v.xy), sign(v.zw));
    negated[i][0] = -v;
    negated[i][1] = vec4f(-v.xyz, -v.w);
    negated[i][2] = vec4f(-v.xy, -v.zw);
}
