// The twin of saxpy.wgsl.

struct Params {
    float a;
    uint n;
};

__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void saxpy(__constant struct Params *params, __global const float *x, __global float *y) {
    uint i = get_global_id(0);
    if (i >= params->n) {
        return;
    }
    y[i] = params->a * x[i] + y[i];
}
