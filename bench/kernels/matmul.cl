// The twin of matmul.wgsl.

#define TILE 16

struct Params {
    uint n;
};

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void matmul(__constant struct Params *params, __global const float *a, __global const float *b, __global float *c) {
    __local float tile_a[TILE][TILE];
    __local float tile_b[TILE][TILE];
    uint n = params->n;
    uint x = get_global_id(0);
    uint y = get_global_id(1);
    uint local_x = get_local_id(0);
    uint local_y = get_local_id(1);
    float sum = 0.0f;
    for (uint t = 0; t < n; t += TILE) {
        tile_a[local_y][local_x] = a[y * n + t + local_x];
        tile_b[local_y][local_x] = b[(t + local_y) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < TILE; k++) {
            sum += tile_a[local_y][k] * tile_b[k][local_x];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * n + x] = sum;
}
