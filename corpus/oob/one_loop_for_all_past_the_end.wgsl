//! ours
//! grid 2
//! in n = u32[30, 12]
//! in v = u32[0, 1, 4, 9, 16, 8, 2, 15, 13, 13, 15, 2, 8, 16, 9, 4, 1, 0, 1, 4]
//! out b = u32[1391, 2782, 4173, 5564, 6955, 8346, 9737, 11128, 6732, 7480, 8228, 8976, 9724, 10472, 11220,
//!     11968]
//! finds out-of-bounds
// The same turns for a whole workgroup, over an array that ends before the loop in one of them.
@group(0) @binding(0) var<storage> n: array<u32>;
@group(0) @binding(1) var<storage> v: array<u32>;
@group(0) @binding(2) var<storage, read_write> b: array<u32, 16>;

@compute @workgroup_size(8)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(global_invocation_id) id: vec3u) {
    let end = n[group.x];
    var sum = 0u;
    for (var k = 0u; k < end; k++) {
        sum += v[k] * (k + 1u) * (id.x + 1u);
    }
    b[id.x] = sum;
}
