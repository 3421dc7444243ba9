//! grid 2
//! in x = f16[0, 0.25, 1.75, -0.25, -1.75, 2.5, 100.1, -100.1, 3, -4, 0.5, -0.5, 7.875, 31.06, -31.06, 1]
//! out absolute = f16[(0, 0.25, 1.75, 0.25) x 3, (1.75, 2.5, 100.1, 100.1) x 3, (3, 4, 0.5, 0.5) x 3,
//!     (7.875, 31.06, 31.06, 1) x 3] ~ 1ulp
//! out signs = f16[(0, 1, 1, -1) x 3, (-1, 1, 1, -1) x 3, (1, -1, 1, -1) x 3, (1, 1, -1, 1) x 3] ~ 1ulp
//! out negated = f16[(0, -0.25, -1.75, 0.25) x 3, (1.75, -2.5, -100.1, 100.1) x 3, (-3, 4, -0.5, 0.5) x 3,
//!     (-7.875, -31.06, 31.06, -1) x 3] ~ 1ulp
enable f16;

@group(0) @binding(0) var<storage> x: array<vec4h>;
@group(0) @binding(1) var<storage, read_write> absolute: array<array<vec4h, 3>>;
@group(0) @binding(2) var<storage, read_write> signs: array<array<vec4h, 3>>;
@group(0) @binding(3) var<storage, read_write> negated: array<array<vec4h, 3>>;

// Signs, and numbers without them.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    absolute[i][0] = abs(v);
    absolute[i][1] = vec4h(abs(v.xyz), abs(v.w));
    absolute[i][2] = vec4h(abs(v.xy), abs(v.zw));
    signs[i][0] = sign(v);
    signs[i][1] = vec4h(sign(v.xyz), sign(v.w));
    signs[i][2] = vec4h(sign(v.xy), sign(v.zw));
    negated[i][0] = -v;
    negated[i][1] = vec4h(-v.xyz, -v.w);
    negated[i][2] = vec4h(-v.xy, -v.zw);
}
