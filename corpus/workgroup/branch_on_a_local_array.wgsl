// The array is the same in all invocations of a workgroup, so the barrier stands in uniform control.
//! grid 3
//! in pick = u32[0, 1]
//! out b = u32[0, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]
//! finds out-of-bounds
@group(0) @binding(0) var<storage> pick: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

var<workgroup> shared_: array<u32, 9>;

@compute @workgroup_size(9)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(workgroup_id) group: vec3u,
    @builtin(local_invocation_index) at: u32,
) {
    var rotate: array<bool, 3>;
    rotate[pick[group.x]] = pick[group.x] == 1u;
    var mine = at;
    if rotate[pick[1]] {
        shared_[at] = at;
        workgroupBarrier();
        mine = shared_[(at + 1u) % 9u];
    }
    b[id.x] = mine;
}
