//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! out b = u32[3, 13, 30, 54, 54, 61, 75, 96, 124, 128, 139, 157, 182, 183, 191, 206, 228, 257]
//! out sums = u32[54, 96, 157, 206, 257]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;
@group(0) @binding(2) var<storage, read_write> sums: array<u32>;
var<workgroup> tile: array<u32, 4>;

// A scan in one kernel: of each workgroup, of their sums, and both together.
@compute @workgroup_size(4)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
) {
    let n = arrayLength(&b);
    if id.x < n {
        tile[local] = a[id.x];
    }
    workgroupBarrier();
    for (var by = 1u; by < 4; by *= 2) {
        var x = tile[local];
        if local >= by {
            x += tile[local - by];
        }
        workgroupBarrier();
        tile[local] = x;
        workgroupBarrier();
    }
    if local == 3 {
        sums[group.x] = tile[3];
    }
    gridBarrier();
    if id.x == 0 {
        for (var g = 1u; g < groups.x; g++) {
            sums[g] += sums[g - 1];
        }
    }
    gridBarrier();
    if id.x < n {
        var before = 0u;
        if group.x > 0 {
            before = sums[group.x - 1];
        }
        b[id.x] = tile[local] + before;
    }
}
