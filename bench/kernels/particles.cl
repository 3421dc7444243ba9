// The twin of particles.wgsl.

struct Params {
    uint n;
    float dt;
    float pull;
};

struct Particle {
    float4 position;
    float4 velocity;
};

__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void particles(__constant struct Params *params, __global struct Particle *particles) {
    uint i = get_global_id(0);
    if (i >= params->n) {
        return;
    }
    struct Particle old = particles[i];
    float4 velocity = old.velocity - old.position * (params->pull * params->dt);
    particles[i].position = old.position + velocity * params->dt;
    particles[i].velocity = velocity;
}
