// Those that continue wait for the next turn, and those that break for the end of the loop.
//! subgroup 8
//! grid 2
//! out b = u32[95, 120, 89, 95, 120, 89, 95, 120, 125, 128, 115, 125, 128, 115, 125, 128, 117, 117, 117, 117, 117, 117, 117, 117, 162, 139, 139, 162, 139, 139, 162, 139]
enable subgroups;
diagnostic(off, subgroup_uniformity);

@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(subgroup_invocation_id) lane: u32) {
    var s = 0u;
    for (var t = 0u; t < 8u; t++) {
        if (id.x + t) % 3u == 0u {
            continue;
        }
        s += subgroupAdd(id.x);
        if s > 100u {
            break;
        }
    }
    b[id.x] = s;
}
