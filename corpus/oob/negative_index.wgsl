//! ours
//! in at = i32[-1, -4, 2, -2147483648]
//! in a = u32[11, 22, 33, 44]
//! in c = u32[1, 2, 3, 4]
//! out b = u32[0, 0, 33, 0]
//! out c = u32[1, 2, 102, 4]
//! finds out-of-bounds
@group(0) @binding(0) var<storage> at: array<i32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;
@group(0) @binding(2) var<storage> a: array<u32>;
@group(0) @binding(3) var<storage, read_write> c: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    b[id.x] = a[at[id.x]];
    c[at[id.x]] = 100 + id.x;
}
