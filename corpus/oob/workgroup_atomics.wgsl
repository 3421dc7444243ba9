//! ours
//! grid 3
//! in at = u32[0, 1, 2, 4294967295]
//! out b = u32[(1, 1) x 3]
//! out c = u32[0 x 6]
//! finds out-of-bounds
@group(0) @binding(0) var<storage> at: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;
@group(0) @binding(2) var<storage, read_write> c: array<u32>;
var<workgroup> a: array<atomic<u32>, 2>;

@compute @workgroup_size(4)
fn main(@builtin(local_invocation_index) local: u32, @builtin(workgroup_id) group: vec3u) {
    let old = atomicAdd(&a[at[local]], 1);
    workgroupBarrier(); // orders atomics
    if local < 2 {
        b[2 * group.x + local] = atomicLoad(&a[1 - local]);
    } else {
        c[2 * group.x + local - 2] = old + atomicLoad(&a[at[local]]);
    }
}
