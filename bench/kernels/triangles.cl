// The twin of triangles.wgsl.

struct Params {
    uint vertices;
};

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void triangles(__constant struct Params *params, __global const uint *starts, __global const uint *edges,
               __global uint *counts) {
    uint vertex = get_global_id(0);
    if (vertex >= params->vertices) {
        return;
    }
    uint first = starts[vertex];
    uint end = starts[vertex + 1];
    uint count = 0;
    for (uint e = first; e < end; e++) {
        uint other = edges[e];
        uint a = first;
        uint b = starts[other];
        uint b_end = starts[other + 1];
        while (a < e && b < b_end) {
            uint u = edges[a];
            uint v = edges[b];
            count += u == v;
            a += u <= v;
            b += v <= u;
        }
    }
    counts[vertex] = count;
}
