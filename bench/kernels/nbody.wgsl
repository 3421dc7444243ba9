// One step of gravity between all pairs of bodies, which pass through workgroup memory in
// tiles. A body is a position and a mass.

struct Params {
    n: u32,
    dt: f32,
    softening: f32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> bodies: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> velocities: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> moved: array<vec4<f32>>;

const TILE = 64u;
var<workgroup> tile: array<vec4<f32>, TILE>;

@compute @workgroup_size(TILE)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let body = bodies[id.x];
    var force = vec3(0.0);
    for (var start = 0u; start < params.n; start += TILE) {
        tile[local] = bodies[start + local];
        workgroupBarrier();
        for (var j = 0u; j < TILE; j++) {
            let other = tile[j];
            let apart = other.xyz - body.xyz;
            let near = inverseSqrt(dot(apart, apart) + params.softening);
            force += apart * (other.w * near * near * near);
        }
        workgroupBarrier();
    }
    let velocity = velocities[id.x].xyz + force * params.dt;
    velocities[id.x] = vec4(velocity, 0.0);
    moved[id.x] = vec4(body.xyz + velocity * params.dt, body.w);
}
