//! grid 2
//! in data = u32[3, 9, 0, 7, 6, 12, 1, 5]
//! out data = u32[3, 9, 0, 7, 6, 12, 1, 5]
//! out left = u32[6, 109, 0, 107, 12, 112, 2, 10]
// One side of the branch leaves, the other brings what was loaded before: so nothing is left to do
// on it, and what it brings is the only value that arrives behind it.
@group(0) @binding(0) var<storage, read_write> data: array<u32>;
@group(0) @binding(1) var<storage, read_write> left: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let x = data[id.x];
    var y = 50u;
    if x > 6 {
        left[id.x] = x + 100;
        return;
    } else {
        y = data[id.x];
    }
    left[id.x] = x + y;
}
