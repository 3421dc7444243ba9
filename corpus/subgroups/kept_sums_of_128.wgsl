// What each subgroup has found is kept for itself across a barrier, however wide it is.
//! subgroup 128
//! grid 2
//! in data = u32[0..1024]
//! out out = u32[57288128 x 128, 40920512 x 128, 24552896 x 128, 8185280 x 128, 122889664 x 128, 106522048 x 128, 90154432 x 128, 73786816 x 128]
enable subgroups;

@group(0) @binding(0) var<storage> data: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;

var<workgroup> sums: array<u32, 512>;

@compute @workgroup_size(512)
fn main(@builtin(local_invocation_index) local: u32, @builtin(global_invocation_id) id: vec3u) {
    let sum = subgroupAdd(data[id.x]);
    sums[local] = sum;
    workgroupBarrier();
    out[id.x] = sum + sums[511u - local] * 1000u;
}
