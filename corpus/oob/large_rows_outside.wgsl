//! ours
//! grid 2
//! in a = u32[0..3000]
//! out b = u32[1500..3000] u32[0 x 1500] u32[0 x 1500] u32[0..1500] u32[0 x 1500]
//! finds out-of-bounds
// A row outside is zeros when it is read whole, and nothing when it is written whole.
@group(0) @binding(0) var<storage> a: array<array<u32, 1500>>;
@group(0) @binding(1) var<storage, read_write> b: array<array<u32, 1500>, 5>;

@compute @workgroup_size(3)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let row = a[1u - id.x * 0x20000001u];
    b[id.x] = row;
    if id.x == 3u {
        b[3] = a[0];
    }
    b[id.x + 0x40000000u] = row;
}
