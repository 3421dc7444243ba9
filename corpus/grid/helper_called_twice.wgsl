//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! out a = u32[67, 78, 89, 69, 49, 91, 102, 113, 93, 73, 84, 95, 75, 55, 97, 106, 115, 91]
@group(0) @binding(0) var<storage, read_write> a: array<u32>;

fn shifted(i: u32, by: u32) -> u32 {
    gridBarrier();
    let other = a[(i + by) % arrayLength(&a)];
    gridBarrier();
    return other;
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&a);
    let first = shifted(id.x, 1);
    if id.x < n {
        a[id.x] += first;
    }
    let second = shifted(id.x, 2);
    if id.x < n {
        a[id.x] = a[id.x] * 2 + second;
    }
}
