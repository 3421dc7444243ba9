@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;

var<workgroup> parts: array<f32, 256>;

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) group: vec3u) {
    var sum = 0.0;
    for (var k = 0u; k < 4u; k++) {
        sum += x[group.x * 1024u + k * 256u + i];
    }
    parts[i] = sum;
    workgroupBarrier();
    for (var by = 128u; by > 0u; by /= 2u) {
        if i < by {
            parts[i] += parts[i + by];
        }
        workgroupBarrier();
    }
    if i == 0u {
        y[group.x] = parts[0];
    }
}
