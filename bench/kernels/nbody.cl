// The twin of nbody.wgsl.

#define TILE 64

struct Params {
    uint n;
    float dt;
    float softening;
};

__kernel __attribute__((reqd_work_group_size(TILE, 1, 1)))
void nbody(__constant struct Params *params, __global const float4 *bodies, __global float4 *velocities,
           __global float4 *moved) {
    __local float4 tile[TILE];
    uint i = get_global_id(0);
    uint local_id = get_local_id(0);
    float4 body = bodies[i];
    float3 force = (float3)(0.0f);
    for (uint start = 0; start < params->n; start += TILE) {
        tile[local_id] = bodies[start + local_id];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint j = 0; j < TILE; j++) {
            float4 other = tile[j];
            float3 apart = other.xyz - body.xyz;
            float near = rsqrt(dot(apart, apart) + params->softening);
            force += apart * (other.w * near * near * near);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float3 velocity = velocities[i].xyz + force * params->dt;
    velocities[i] = (float4)(velocity, 0.0f);
    moved[i] = (float4)(body.xyz + velocity * params->dt, body.w);
}
