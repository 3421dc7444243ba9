// What subgroups give in a loop's body is needed in its `continuing`, also by those that continue.
//! subgroup 8
//! grid 2
//! out b = u32[113, 2314, 2410, 2565, 1113, 1314, 2410, 3565, 1185, 1442, 2578, 3757, 185, 2442, 2578, 2757, 1257, 1570, 2746, 3949, 1257, 1570, 2746, 3949, 329, 2698, 2914, 3141, 1329, 1698, 2914, 4141]
enable subgroups;
diagnostic(off, subgroup_uniformity);

@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var s = 0u;
    var t = 0u;
    loop {
        let x = subgroupAdd(id.x + t);
        let y = subgroupBallot(id.x % 2u == t % 2u);
        let z = subgroupBroadcastFirst(id.x);
        if (id.x + t) % 3u == 0u {
            continue;
        }
        s += 1000u;
        continuing {
            s += x + y.x + z;
            t += 1u;
            break if t >= id.x % 4u + 1u;
        }
    }
    b[id.x] = s;
}
