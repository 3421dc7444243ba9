//! grid 2
//! in a = u32[1, 2, 3, 4, 5, 6, 7, 8]
//! out b = u32[10, 26]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;
var<workgroup> tile: array<u32, 4>;

fn reduce(t: ptr<workgroup, array<u32, 4>>, i: u32) -> u32 {
    for (var half = 2u; half > 0; half /= 2) {
        workgroupBarrier();
        if i < half { t[i] += t[i + half]; }
    }
    return workgroupUniformLoad(&t[0]);
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) i: u32) {
    tile[i] = a[id.x];
    let sum = reduce(&tile, i);
    if i == 0 { b[id.x / 4] = sum; }
}
