// The twin of softmax.wgsl.

struct Params {
    uint columns;
};

__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void softmax(__constant struct Params *params, __global const float *x, __global float *y) {
    __local float tile[256];
    uint local_index = get_local_id(0);
    uint row = get_group_id(0) * params->columns;
    float most = x[row + local_index];
    for (uint i = local_index + 256; i < params->columns; i += 256) {
        most = fmax(most, x[row + i]);
    }
    tile[local_index] = most;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint half_size = 128; half_size > 0; half_size >>= 1) {
        if (local_index < half_size) {
            tile[local_index] = fmax(tile[local_index], tile[local_index + half_size]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    most = tile[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0.0f;
    for (uint i = local_index; i < params->columns; i += 256) {
        float power = exp(x[row + i] - most);
        y[row + i] = power;
        sum += power;
    }
    tile[local_index] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint half_size = 128; half_size > 0; half_size >>= 1) {
        if (local_index < half_size) {
            tile[local_index] += tile[local_index + half_size];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float scale = 1.0f / tile[0];
    for (uint i = local_index; i < params->columns; i += 256) {
        y[row + i] *= scale;
    }
}
