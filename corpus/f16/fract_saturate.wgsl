//! grid 2
//! in x = f16[0, 0.25, 1.75, -0.25, -1.75, 2.5, 100.1, -100.1, 3, -4, 0.5, -0.5, 7.875, 31.06, -31.06, 1]
//! out fraction = f16[(0, 0.25, 0.75, 0.75) x 3, (0.25, 0.5, 0.125, 0.875) x 3, (0, 0, 0.5, 0.5) x 3,
//!     (0.875, 0.0625, 0.9375, 0) x 3] ~ 1ulp
//! out held = f16[(0, 0.25, 1, 0) x 3, (0, 1, 1, 0) x 3, (1, 0, 0.5, 0) x 3, (1, 1, 0, 1) x 3] ~ 1ulp
enable f16;

@group(0) @binding(0) var<storage> x: array<vec4h>;
@group(0) @binding(1) var<storage, read_write> fraction: array<array<vec4h, 3>>;
@group(0) @binding(2) var<storage, read_write> held: array<array<vec4h, 3>>;

// fract(x) is x - floor(x), never negative; saturate(x) holds x between 0 and 1.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    fraction[i][0] = fract(v);
    fraction[i][1] = vec4h(fract(v.xyz), fract(v.w));
    fraction[i][2] = vec4h(fract(v.xy), fract(v.zw));
    held[i][0] = saturate(v);
    held[i][1] = vec4h(saturate(v.xyz), saturate(v.w));
    held[i][2] = vec4h(saturate(v.xy), saturate(v.zw));
}
