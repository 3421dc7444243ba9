//! grid 4
//! in a = i32[-100, -7, -2147483648, 2147483647, -1, -16, 21]
//! out a = i32[-99, -8, 6, -6, 0, -13, -22]
@group(0) @binding(0) var<storage, read_write> a: array<atomic<i32>, 7>;

@compute @workgroup_size(6)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let v = i32(id.x * 5 % 13) - 6;
    atomicAdd(&a[0], v);
    atomicSub(&a[1], v);
    atomicMax(&a[2], v);
    atomicMin(&a[3], v);
    atomicAnd(&a[4], v);
    atomicOr(&a[5], v & 3);
    atomicXor(&a[6], v);
}
