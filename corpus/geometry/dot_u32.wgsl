//! grid 2
//! in a = u32[1, 2, 3, 4, 4294967295, 2, 0, 1, 4219466551, 3746962816, 1242556253, 4129516530, 879521323,
//!     2966284567, 3838591282, 1283288560]
//! in b = u32[5, 6, 7, 8, 2, 4294967295, 3, 1, 1551298954, 625784932, 279772928, 1451255993, 1331259175,
//!     3515508378, 1356321087, 2066817247]
//! out y = u32[17, 38, 70, 4294967292, 4294967292, 4294967293, 1260480678, 1695746982, 3985005960, 49182563,
//!     1936348337, 492509377]
@group(0) @binding(0) var<storage> a: array<vec4u>;
@group(0) @binding(1) var<storage> b: array<vec4u>;
@group(0) @binding(2) var<storage, read_write> y: array<array<u32, 3>>;

// Products and sums wrap around.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let p = a[id.x];
    let q = b[id.x];
    y[id.x] = array(dot(p.xy, q.xy), dot(p.xyz, q.xyz), dot(p, q));
}
