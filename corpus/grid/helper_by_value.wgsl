//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! out a = u32[30, 107, 184, 261, 28, 74, 151, 228, 305, 41, 118, 195, 272, 39, 83, 160, 237, 314]
@group(0) @binding(0) var<storage, read_write> a: array<u32>;

fn shifted(i: u32, by: u32) -> u32 {
    let n = arrayLength(&a);
    let other = a[(i + by) % n];
    gridBarrier();
    return other;
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let mine = a[min(id.x, arrayLength(&a) - 1)];
    let other = shifted(id.x, 4);
    if id.x < arrayLength(&a) {
        a[id.x] = mine * 10 + other;
    }
}
