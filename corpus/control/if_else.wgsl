//! in a = i32[-2, 0, 5, 12]
//! out b = i32[-1, 0, 1, 2]
@group(0) @binding(0) var<storage> a: array<i32>;
@group(0) @binding(1) var<storage, read_write> b: array<i32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let x = a[id.x];
    if x < 0 {
        b[id.x] = -1;
    } else if x == 0 {
        b[id.x] = 0;
    } else if x < 10 {
        b[id.x] = 1;
    } else {
        b[id.x] = 2;
    }
}
