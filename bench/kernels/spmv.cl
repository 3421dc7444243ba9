// The twin of spmv.wgsl.

struct Params {
    uint rows;
};

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void spmv(__constant struct Params *params, __global const uint *starts, __global const uint *columns,
          __global const float *values, __global const float *x, __global float *y) {
    uint row = get_global_id(0);
    if (row >= params->rows) {
        return;
    }
    float sum = 0.0f;
    uint end = starts[row + 1];
    for (uint i = starts[row]; i < end; i++) {
        sum += values[i] * x[columns[i]];
    }
    y[row] = sum;
}
