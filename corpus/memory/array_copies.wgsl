//! in a = u32[1, 2, 3] u32[4, 5, 6] u32[7, 8, 9] u32[10, 11, 12]
//! out b = u32[1, 20, 3, 4, 50, 6, 7, 80, 9, 10, 110, 12]
//! out c = u32[1 x 3, 4 x 3, 7 x 3, 10 x 3]
@group(0) @binding(0) var<storage> a: array<array<u32, 3>>;
@group(0) @binding(1) var<storage, read_write> b: array<array<u32, 3>>;
@group(0) @binding(2) var<storage, read_write> c: array<array<u32, 3>>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var items = a[id.x];
    var other = items;
    items[1] *= 10;
    b[id.x] = items;
    other[1] = other[0];
    other[2] = other[0];
    c[id.x] = other;
}
