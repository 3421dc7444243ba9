// The twin of empty.wgsl.

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void empty(__global uint *x) {
    x[0] = 1;
}
