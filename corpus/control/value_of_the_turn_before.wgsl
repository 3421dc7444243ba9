//! threads 20
//! in n = u32[3]
//! out y = u32[0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150, 160, 170, 180, 190, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12]
// At first it goes up along the lanes, later it is the same for all.
@group(0) @binding(0) var<storage> n: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;

@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= 20u { return; }
    var before = id.x;
    for (var k = 0u; k < n[0]; k++) {
        y[id.x + 20u * k] = before * 10u + k;
        before = k;
    }
}
