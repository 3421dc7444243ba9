//! grid 2
//! in n = u32[1, 3]
//! out o = u32[7, 5, 5, 5, 7, 5, 5, 5, 7, 5, 5, 5, 7, 5, 5, 5, 7, 5, 5, 5, 7, 6, 6, 6, 7, 6, 6, 6, 7, 6, 6, 6, 7, 6, 6, 6, 7, 6, 6, 6]
// Some invocations leave, the first among them, before the others fill their arrays alike.
@group(0) @binding(0) var<storage> n: array<u32>;
@group(0) @binding(1) var<storage, read_write> o: array<u32>;

@compute @workgroup_size(20)
fn main(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) group: vec3u) {
    var a: array<u32, 3>;
    for (var k = 0u; k < 3u; k++) { a[(k + n[0]) % 3u] = 9u; }
    if i % 4u == 0u {
        o[group.x * 20u + i] = 7u;
        return;
    }
    for (var k = 0u; k < 3u; k++) { a[(k + n[0]) % 3u] = n[1] + k; }
    o[group.x * 20u + i] = a[n[0] - 1u] + group.x;
}
