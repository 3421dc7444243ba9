//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! out b = u32[1856, 3347, 4838, 3198, 1217, 2708, 4199, 5690, 4050, 2069, 3560, 5051, 3411, 1430, 2921,
//!     4412, 5903, 4061]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;
var<private> count: u32 = 5;
var<private> list: array<u32, 3>;

fn add(x: u32) {
    count += x;
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&b);
    let mine = a[min(id.x, n - 1)];
    add(mine);
    list[0] = mine;
    list[2] = count;
    if id.x < n {
        b[id.x] = mine;
    }
    gridBarrier();
    add(b[(id.x + 1) % n]);
    gridBarrier();
    list[1] = count;
    if id.x < n {
        b[id.x] = count + list[0] * 10 + list[1] * 100 + list[2];
    }
}
