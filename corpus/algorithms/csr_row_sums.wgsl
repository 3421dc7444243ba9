//! threads 7
//! in rows = u32[0, 3, 3, 4, 9, 10, 10, 14]
//! in values = f32[11.5, 4.0, 2.0, 2.75, 4.25, 1.0, 3.0, 3.25, 5.0, 10.25, 5.0, 8.5, 12.25, 3.5]
//! out b = f32[17.5, 0.0, 2.75, 16.5, 10.25, 0.0, 29.25]
@group(0) @binding(0) var<storage> rows: array<u32>;
@group(0) @binding(1) var<storage> values: array<f32>;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= arrayLength(&b) {
        return;
    }
    var sum = 0.0;
    for (var k = rows[id.x]; k < rows[id.x + 1]; k++) {
        sum += values[k];
    }
    b[id.x] = sum;
}
