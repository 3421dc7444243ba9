// The twin of blocked.wgsl.

#define TILE 64
#define DEPTH 16
#define SIDE 16
#define EACH 4

struct Params {
    uint n;
};

__kernel __attribute__((reqd_work_group_size(SIDE, SIDE, 1)))
void blocked(__constant struct Params *params, __global const float *a, __global const float *b, __global float *c) {
    __local float tile_a[TILE][DEPTH];
    __local float tile_b[DEPTH][TILE];
    uint n = params->n;
    uint group_x = get_group_id(0) * TILE;
    uint group_y = get_group_id(1) * TILE;
    uint x = get_local_id(0);
    uint y = get_local_id(1);
    float sums[EACH][EACH] = {{0.0f}};
    for (uint t = 0; t < n; t += DEPTH) {
        for (uint i = 0; i < EACH; i++) {
            tile_a[y + i * SIDE][x] = a[(group_y + y + i * SIDE) * n + t + x];
            tile_b[y][x + i * SIDE] = b[(t + y) * n + group_x + x + i * SIDE];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < DEPTH; k++) {
            for (uint i = 0; i < EACH; i++) {
                for (uint j = 0; j < EACH; j++) {
                    sums[i][j] += tile_a[y + i * SIDE][k] * tile_b[k][x + j * SIDE];
                }
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint i = 0; i < EACH; i++) {
        for (uint j = 0; j < EACH; j++) {
            c[(group_y + y + i * SIDE) * n + group_x + x + j * SIDE] = sums[i][j];
        }
    }
}
