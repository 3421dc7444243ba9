//! grid 3
//! in p = f32[1.5, 2.5] u32[2]  pad[4]
//! out b = f32[9.25, 10.25, 11.25]
struct P {
    scale: vec2f,
    n: u32,
}
const TABLE = array<f32, 3>(0.25, 1.25, 2.25);
@group(0) @binding(0) var<uniform> p: P;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) group: vec3u) {
    let scale = p.scale;
    const four = 4.0;
    gridBarrier(); // redundant
    for (var r = 0u; r < p.n; r++) {
        gridBarrier(); // redundant
        b[group.x] += scale.x + p.scale.y * 0.5 - 1.25;
    }
    b[group.x] += TABLE[group.x] + four + 2;
}
