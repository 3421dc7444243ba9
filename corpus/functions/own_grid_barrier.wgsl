//! grid 2
//! out b = u32[3, 4, 5, 6, 7, 8, 9, 10]
// With arguments or a result it is a function like any other.
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn gridBarrier(i: u32) -> u32 {
    return i + 3;
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    b[id.x] = gridBarrier(id.x);
}
