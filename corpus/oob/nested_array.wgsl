//! ours
//! in at = u32[0, 2, 3, 5]
//! in a = u32[1..7]
//! in c = u32[1..7]
//! out b = u32[4, 6, 0, 0]
//! out c = u32[1, 2, 3, 100, 5, 101]
//! finds out-of-bounds
@group(0) @binding(0) var<storage> at: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;
@group(0) @binding(2) var<storage> a: array<array<u32, 3>, 2>;
@group(0) @binding(3) var<storage, read_write> c: array<array<u32, 3>, 2>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    b[id.x] = a[1][at[id.x]];
    c[1][at[id.x]] = 100 + id.x;
    // The outer index is out, the inner one is not.
    c[at[id.x] + 2][0] = 99;
    b[id.x] += a[at[id.x] + 2][1];
}
