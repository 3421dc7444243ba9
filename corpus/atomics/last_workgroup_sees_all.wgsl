//! ours
//! grid 6
//! in a = u32[1..25]
//! out done = u32[6]
//! out part = u32[_ x 6]
//! out b = u32[300]
// The workgroup that finishes last adds up the parts of all others. WGSL orders atomics on one
// place only; Seawall orders them all.
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> part: array<atomic<u32>, 6>;
@group(0) @binding(2) var<storage, read_write> done: atomic<u32>;
@group(0) @binding(3) var<storage, read_write> b: array<u32, 1>;
var<workgroup> sum: atomic<u32>;

@compute @workgroup_size(4)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
) {
    atomicAdd(&sum, a[id.x]);
    workgroupBarrier(); // orders atomics
    if local == 0 {
        atomicStore(&part[group.x], atomicLoad(&sum));
        if atomicAdd(&done, 1) == 5 {
            for (var k = 0; k < 6; k++) {
                b[0] += atomicLoad(&part[k]);
            }
        }
    }
}
