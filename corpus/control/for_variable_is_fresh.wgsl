//! grid 2
//! in a = u32[0, 1, 2, 3, 4, 5, 6, 7]
//! out b = u32[40, 40, 42, 46, 52, 60, 70, 82]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let k = 40u;
    var r = 0u;
    for (var k = 0u; k < a[id.x]; k += 1) {
        r += k;
    }
    for (var k = 0u; k < a[id.x]; k += 1) {
        r += k;
    }
    b[id.x] = r + k;
}
