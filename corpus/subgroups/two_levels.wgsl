// A workgroup's sum: of subgroups first, then of their sums by way of workgroup memory.
//! subgroup 8
//! grid 2
//! out b = u32[1528, 1703]
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<u32>;

var<workgroup> sums: array<u32, 8>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(subgroup_invocation_id) lane: u32, @builtin(subgroup_id) sub: u32, @builtin(num_subgroups) count: u32) {
    let sum = subgroupAdd(id.x * id.x % 101u);
    if lane == 0u {
        sums[sub] = sum;
    }
    workgroupBarrier();
    var all = 0u;
    for (var i = 0u; i < count; i++) {
        all += sums[i];
    }
    if id.x % 32u == 0u {
        b[id.x / 32u] = all;
    }
}
