//! ours
//! threads 13
//! in starts = u32[0, 3, 3, 7, 14, 10, 40, 2, 9, 9, 1, 10, 12, 30]
//! in a = u32[5, 1, 4, 9, 2, 6, 5, 3, 5, 8]
//! in columns = u32[3, 0, 7, 2, 4, 1, 6, 2, 5]
//! in x = u32[11, 22, 33, 44, 55]
//! in y = u32[7 x 16]
//! out y = u32[2026, 1, 9607, 86953, 4, 3034159097, 6, 101344, 8, 9, 533756, 103, 547788816, 7 x 3]
//! finds out-of-bounds
// Compressed rows, some of which are empty, upside down or longer than what there is.
@group(0) @binding(0) var<storage> starts: array<u32>;
@group(0) @binding(1) var<storage> a: array<u32>;
@group(0) @binding(2) var<storage> columns: array<u32>;
@group(0) @binding(3) var<storage> x: array<u32>;
@group(0) @binding(4) var<storage, read_write> y: array<u32>;

@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let row = id.x;
    if row >= 13u {
        return;
    }
    var sum = row;
    let end = starts[row + 1u];
    for (var i = starts[row]; i < end; i++) {
        sum = sum * 3u + a[i] * x[columns[i]] + 1u;
    }
    y[row] = sum;
}
