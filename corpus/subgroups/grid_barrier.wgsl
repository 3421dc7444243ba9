// A value of a subgroup is kept across a barrier of the grid.
//! subgroup 8
//! grid 2
//! out b = u32[496, 496, 497, 499, 502, 506, 511, 517, 496, 504, 513, 523, 534, 546, 559, 573, 496, 512, 529, 547, 566, 586, 607, 629, 496, 520, 545, 571, 598, 626, 655, 685]
//! in sums = u32[0, 0, 0, 0]
//! out sums = u32[28, 92, 156, 220]
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<u32>;
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let before = subgroupExclusiveAdd(id.x);
    let sum = subgroupAdd(id.x);
    if id.x % 8u == 0u {
        sums[id.x / 8u] = sum;
    }
    gridBarrier();
    b[id.x] = sums[0] + sums[1] + sums[2] + sums[3] + before;
}
