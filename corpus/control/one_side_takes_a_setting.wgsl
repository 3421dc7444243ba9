//! threads 20
//! in x = u32[0, 9, 2, 7, 4, 1, 3, 8, 5, 5, 0, 6, 1, 2, 9, 3, 4, 4, 0, 7]
//! in settings = u32[50, 60, 70, 80]
//! out y = u32[0, 69, 0, 67, 64, 0, 0, 68, 65, 65, 0, 66, 0, 0, 69, 0, 64, 64, 0, 67]
//! finds out-of-bounds
// Where lanes go on, they have a value that is the same for all; the others have left.
@group(0) @binding(0) var<storage> x: array<u32>;
@group(0) @binding(1) var<storage> settings: array<u32, 4>;
@group(0) @binding(2) var<storage, read_write> y: array<u32>;

@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var base = x[id.x];
    if base > 3u {
        base = settings[1];
    } else {
        return;
    }
    for (var i = 0u; i < x[id.x]; i++) {
        base += 1u;
    }
    y[id.x] = base;
}
