// The twin of histogram.wgsl.

struct Params {
    uint n;
};

__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void histogram(__constant struct Params *params, __global const uint *keys, volatile __global uint *bins) {
    volatile __local uint counts[256];
    uint local_id = get_local_id(0);
    counts[local_id] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < params->n; i += get_global_size(0)) {
        atomic_inc(&counts[keys[i] & 255]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&bins[local_id], counts[local_id]);
}
