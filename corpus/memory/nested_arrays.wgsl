//! in a = u32[0..24]
//! out b = u32[0, 6, 12, 18, 3, 9, 15, 21, 1, 7, 13, 19, 4, 10, 16, 22, 2, 8, 14, 20, 5, 11, 17, 23]
@group(0) @binding(0) var<storage> a: array<array<array<u32, 3>, 2>, 4>;
@group(0) @binding(1) var<storage, read_write> b: array<array<array<u32, 4>, 2>, 3>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    for (var c = 0; c < 2; c++) {
        for (var k = 0; k < 3; k++) {
            b[k][c][id.x] = a[id.x][c][k];
        }
    }
}
