// All bits of a wide integer are as many as a compiler can count.
//! grid 2
//! in a = i64[1, -2, 3, -4, 5, -6, 7, -8]
//! out a = i64[1, -2, 3, -4, 5, -6, 7, -8]
@group(0) @binding(0) var<storage, read_write> a: array<i64>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    a[id.x] = a[id.x] & -1li;
}
