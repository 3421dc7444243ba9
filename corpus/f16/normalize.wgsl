//! grid 2
//! in a = f16[1.5, -2, 3.25, 0.5, 4, 0.25, -1, 2, -0.75, 6, 1, -3, 0.1, 0.2, 0.3, 0.4]
//! out y = f16[0.6, -0.8] ~ 12ulp pad[4] f16[0.3657, -0.4878, 0.7925] ~ 15ulp pad[2]
//!     f16[0.363, -0.4841, 0.7866, 0.12103] ~ 17ulp f16[0.998, 0.06238] ~ 15ulp pad[4]
//!     f16[0.9683, 0.06052, -0.2421] ~ 16ulp pad[2] f16[0.8716, 0.05447, -0.2179, 0.4358] ~ 16ulp
//!     f16[-0.124, 0.992] ~ 14ulp pad[4] f16[-0.1224, 0.979, 0.1632] ~ 15ulp pad[2]
//!     f16[-0.1099, 0.8794, 0.1466, -0.4397] ~ 15ulp f16[0.4473, 0.8945] ~ 12ulp pad[4]
//!     f16[0.267, 0.534, 0.802] ~ 12ulp pad[2] f16[0.1825, 0.365, 0.548, 0.73] ~ 12ulp
enable f16;

struct Row { two: vec2h, three: vec3h, four: vec4h }
@group(0) @binding(0) var<storage> a: array<vec4h>;
@group(0) @binding(1) var<storage, read_write> y: array<Row>;

// The same direction, length 1.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let p = a[id.x];
    y[id.x] = Row(normalize(p.xy), normalize(p.xyz), normalize(p));
}
