//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! out a = u32[249, 237, 256, 275, 294, 313, 301, 289, 277, 265, 253, 272, 289, 304, 317, 297, 279, 263]
@group(0) @binding(0) var<storage, read_write> a: array<u32>;

fn meet() {
    gridBarrier();
}

fn add(i: u32, by: u32) {
    let x = a[(i + by) % arrayLength(&a)];
    meet();
    if i < arrayLength(&a) {
        a[i] += x;
    }
    meet();
}

fn twice(i: u32, by: u32) -> u32 {
    add(i, by);
    add(i, by);
    return by + 9;
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    for (var k = 0u; k < 2; k++) {
        let more = twice(id.x, k + 1);
        if id.x < arrayLength(&a) {
            a[id.x] += more;
        }
        meet();
    }
}
