//! grid 2
//! in a = f32[1.5, -2, 3.25, 0.5, 4, 0.25, -1, 2, -0.75, 6, 1, -3, 0.1, 0.2, 0.3, 0.4]
//! out y = f32[0.6, -0.8] ~ 12ulp pad[8] f32[0.36582646, -0.48776862, 0.792624] ~ 15ulp pad[4]
//!     f32[0.36313653, -0.48418203, 0.7867958, 0.12104551] ~ 16ulp f32[0.9980526, 0.062378287] ~ 15ulp pad[8]
//!     f32[0.96836406, 0.060522754, -0.24209101] ~ 16ulp pad[4]
//!     f32[0.87157553, 0.05447347, -0.21789388, 0.43578777] ~ 16ulp f32[-0.12403473, 0.99227786] ~ 14ulp pad[8]
//!     f32[-0.12237255, 0.9789804, 0.16316341] ~ 15ulp pad[4]
//!     f32[-0.109911494, 0.87929195, 0.14654866, -0.43964598] ~ 15ulp f32[0.4472136, 0.8944272] ~ 12ulp pad[8]
//!     f32[0.26726124, 0.5345225, 0.80178374] ~ 12ulp pad[4]
//!     f32[0.18257418, 0.36514837, 0.5477226, 0.73029673] ~ 12ulp
struct Row { two: vec2f, three: vec3f, four: vec4f }
@group(0) @binding(0) var<storage> a: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> y: array<Row>;

// The same direction, length 1.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let p = a[id.x];
    y[id.x] = Row(normalize(p.xy), normalize(p.xyz), normalize(p));
}
