//! grid 19
//! in n = u32[4990]
//! in a = u32[1..15001 by 3]
//! in all = u32[7, 0]
//! out all = u32[37347662, 1216]
// Workgroups that stride over a buffer side by side, and count in the same place.
@group(0) @binding(0) var<uniform> n: u32;
@group(0) @binding(1) var<storage> a: array<u32>;
@group(0) @binding(2) var<storage, read_write> all: array<atomic<u32>, 2>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    var sum = 0u;
    for (var i = id.x; i < n; i += groups.x * 64u) {
        sum += a[i];
    }
    atomicAdd(&all[0], sum);
    atomicAdd(&all[1], 1u);
}
