enable subgroups;

@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;

var<workgroup> parts: array<u32, 64>;

@compute @workgroup_size(256)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(subgroup_invocation_id) lane: u32,
    @builtin(subgroup_id) sub: u32,
    @builtin(subgroup_size) size: u32,
) {
    let sum = subgroupInclusiveAdd(x[id.x]);
    if lane == size - 1u {
        parts[sub] = sum;
    }
    workgroupBarrier();
    var before = 0u;
    for (var k = 0u; k < sub; k++) {
        before += parts[k];
    }
    y[id.x] = before + sum;
}
