// Each case is a way of its own; those of two values share one.
//! subgroup 8
//! grid 2
//! out b = u32[100, 214, 214, 302, 100, 214, 214, 302, 108, 246, 246, 302, 108, 246, 246, 302, 116, 278, 278, 302, 116, 278, 278, 302, 124, 310, 310, 302, 124, 310, 310, 302]
enable subgroups;
diagnostic(off, subgroup_uniformity);

@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(subgroup_invocation_id) lane: u32) {
    var r = 0u;
    switch id.x % 4u {
        case 0u: { r = subgroupBroadcastFirst(id.x) + 100u; }
        case 1u, 2u: { r = subgroupAdd(id.x) + 200u; }
        default: { r = subgroupAdd(1u) + 300u; }
    }
    b[id.x] = r;
}
