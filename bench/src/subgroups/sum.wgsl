enable subgroups;

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;

var<workgroup> parts: array<f32, 64>;

@compute @workgroup_size(256)
fn main(
    @builtin(local_invocation_index) i: u32,
    @builtin(workgroup_id) group: vec3u,
    @builtin(subgroup_invocation_id) lane: u32,
    @builtin(subgroup_id) sub: u32,
    @builtin(num_subgroups) count: u32,
) {
    var sum = 0.0;
    for (var k = 0u; k < 4u; k++) {
        sum += x[group.x * 1024u + k * 256u + i];
    }
    let part = subgroupAdd(sum);
    if lane == 0u {
        parts[sub] = part;
    }
    workgroupBarrier();
    if i == 0u {
        var all = 0.0;
        for (var k = 0u; k < count; k++) {
            all += parts[k];
        }
        y[group.x] = all;
    }
}
