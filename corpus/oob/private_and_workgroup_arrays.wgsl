//! ours
//! grid 2
//! in at = u32[0, 2, 3, 4294967295]
//! out b = u32[51, 51, 0, 0, 51, 51, 0, 0]
//! out total = u32[102, 102]
//! finds out-of-bounds
@group(0) @binding(0) var<storage> at: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;
@group(0) @binding(2) var<storage, read_write> total: array<u32>;
var<private> mine: array<u32, 3>;
var<workgroup> ours: array<u32, 3>;

@compute @workgroup_size(4)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
) {
    mine[at[local]] = 50;
    ours[at[local]] = 51;
    workgroupBarrier();
    b[id.x] = select(0u, ours[at[local]], mine[at[local]] == 50);
    if local == 0 {
        total[group.x] = ours[0] + ours[1] + ours[2];
    }
}
