//! steps 100000
//! grid 2
//! out b = u32[10000, 10000]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

// Close to the limit that the directive sets, but within it.
@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) group: vec3u) {
    var n = 0u;
    while n < 10000 {
        n++;
    }
    b[group.x] = n;
}
