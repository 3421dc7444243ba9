//! grid 1
//! in a = u32[5, 8, 11, 14, 17, 20, 23, 26, 29, 32, 35, 38]
//! in size = u32[3, 4]
//! out b = u32[5, 17, 29, 8, 20, 32, 11, 23, 35, 14, 26, 38]
// A matrix is transposed by one invocation: both loops count along rows that begin where the other loop is.
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage> size: array<u32>;
@group(0) @binding(2) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) group: vec3u) {
    let rows = size[0];
    let columns = size[1];
    for (var r = 0u; r < rows; r++) {
        for (var c = 0u; c < columns; c++) {
            b[c * rows + r] = a[r * columns + c];
        }
    }
}
