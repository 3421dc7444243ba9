// The twin of gemv.wgsl.

struct Params {
    uint words;
};

static int dot4(uint a, uint b) {
    char4 p = as_char4(a);
    char4 q = as_char4(b);
    return (int)p.x * q.x + (int)p.y * q.y + (int)p.z * q.z + (int)p.w * q.w;
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void gemv(__constant struct Params *params, __global const uint *matrix, __global const uint *x, __global int *y) {
    __local int sums[64];
    uint lane = get_local_id(0);
    uint row = get_group_id(0);
    int sum = 0;
    for (uint i = lane; i < params->words; i += 64) {
        sum += dot4(matrix[row * params->words + i], x[i]);
    }
    sums[lane] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint half_size = 32; half_size > 0; half_size /= 2) {
        if (lane < half_size) {
            sums[lane] += sums[lane + half_size];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lane == 0) {
        y[row] = sums[0];
    }
}
