//! ours
//! threads 9
//! in a = u32[100, 101, 102]
//! out b = u32[3400304387, 4184340409, 673409135, 1457445157, 2241481179, 3025517201, 3809553223, 298621949,
//!     1082657971]
//! finds out-of-bounds
// A loop of six turns over arrays of three and four.
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32, 9>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let x = id.x;
    var given = array<u32, 4>(10u + x, 20u + x, 30u + x, 40u + x);
    var made: array<u32, 4>;
    var acc = 0u;
    for (var k = 0u; k < 6u; k++) {
        made[k] = given[k] * (k + 1u);
        acc = acc * 31u + made[k];
        acc = acc * 31u + a[k];
    }
    if x < 9u {
        b[x] = acc;
    }
}
