// One step of particles that are drawn to the middle, in place. A particle is two vectors.

struct Params {
    n: u32,
    dt: f32,
    pull: f32,
}

struct Particle {
    position: vec4<f32>,
    velocity: vec4<f32>,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> particles: array<Particle>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if i >= params.n {
        return;
    }
    let old = particles[i];
    let velocity = old.velocity - old.position * (params.pull * params.dt);
    particles[i] = Particle(old.position + velocity * params.dt, velocity);
}
