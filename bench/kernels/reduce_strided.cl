// The twin of reduce_strided.wgsl.

#define SIZE 256

struct Params {
    uint n;
};

__kernel __attribute__((reqd_work_group_size(SIZE, 1, 1)))
void reduce_strided(__constant struct Params *params, __global const uint *x, volatile __global uint *total) {
    __local uint partial[SIZE];
    uint local_id = get_local_id(0);
    uint sum = 0;
    for (uint i = get_global_id(0); i < params->n; i += get_global_size(0)) {
        sum += x[i];
    }
    partial[local_id] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint half_size = SIZE / 2; half_size > 0; half_size >>= 1) {
        if (local_id < half_size) {
            partial[local_id] += partial[local_id + half_size];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (local_id == 0) {
        atomic_add(total, partial[0]);
    }
}
