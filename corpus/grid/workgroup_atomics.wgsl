//! grid 4
//! out b = u32[15, 18, 21, 24]
//! out c = i32[-6 x 4]
//! out all = u32[30]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
@group(0) @binding(1) var<storage, read_write> c: array<i32>;
@group(0) @binding(2) var<storage, read_write> all: u32;
var<workgroup> count: atomic<u32>;
var<workgroup> counts: array<atomic<i32>, 2>;

// Each workgroup counts on where it stopped.
@compute @workgroup_size(3)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
    atomicAdd(&count, group.x + 1);
    atomicSub(&counts[1], 1);
    workgroupBarrier(); // orders atomics
    if local == 0 {
        b[group.x] = atomicLoad(&count);
    }
    gridBarrier();
    atomicAdd(&count, 4);
    atomicSub(&counts[1], 1);
    if local == 1 && group.x == 3 {
        all = b[0] + b[1] + b[2] + b[3];
    }
    gridBarrier();
    if local == 2 {
        b[group.x] = atomicLoad(&count);
        c[group.x] = atomicLoad(&counts[1]);
    }
}
