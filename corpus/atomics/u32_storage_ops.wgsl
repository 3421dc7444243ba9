//! grid 4
//! in a = u32[100, 5000, 0, 1000, 4294967295, 0, 43690]
//! out a = u32[472, 4628, 31, 1, 240, 7936, 43690]
@group(0) @binding(0) var<storage, read_write> a: array<atomic<u32>, 7>;

@compute @workgroup_size(6)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let v = (id.x * 7 + 3) % 32;
    atomicAdd(&a[0], v);
    atomicSub(&a[1], v);
    atomicMax(&a[2], v);
    atomicMin(&a[3], v);
    atomicAnd(&a[4], v | 0xf0);
    atomicOr(&a[5], v << 8);
    atomicXor(&a[6], v);
}
