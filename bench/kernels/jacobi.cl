// The twin of jacobi.wgsl.

struct Params {
    uint width;
    uint height;
};

__kernel __attribute__((reqd_work_group_size(64, 4, 1)))
void jacobi(__constant struct Params *params, __global const float *old, __global float *next) {
    uint x = get_global_id(0) + 1;
    uint y = get_global_id(1) + 1;
    if (x >= params->width - 1 || y >= params->height - 1) {
        return;
    }
    uint at = y * params->width + x;
    next[at] = 0.25f * (old[at - params->width] + old[at - 1] + old[at + 1] + old[at + params->width]);
}
