//! grid 3
//! in b = u32[7 x 12]
//! out b = u32[0 x 12]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

struct Mixed {
    n: u32,
    v: vec3f,
    m: mat3x3f,
    a: array<i32, 4>,
}
var<workgroup> words: array<u32, 4>;
var<workgroup> mixed: Mixed;
var<workgroup> flag: bool;
var<workgroup> count: atomic<u32>;

@compute @workgroup_size(4)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
) {
    var all = words[local] + mixed.n + u32(mixed.v[local % 3]) + u32(mixed.m[2][local % 3]) + u32(mixed.a[local]);
    all += u32(flag) + atomicLoad(&count);
    workgroupBarrier(); // orders atomics
    // Dirt for the next workgroup to stumble over.
    words[local] = 99;
    mixed.a[local] = 99;
    atomicAdd(&count, 1);
    b[id.x] = all;
}
