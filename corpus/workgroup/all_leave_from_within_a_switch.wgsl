// Workgroup 1 returns as a whole, from a loop in a switch and before a barrier; workgroup 2 leaves the outer loop.
//! grid 3
//! out b = u32[9, 9, 9, 9, 9, 9, 9, 9, 9, 0 x 9, 109, 109, 109, 109, 109, 109, 109, 109, 109]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

var<workgroup> count: atomic<u32>;

@compute @workgroup_size(9)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(workgroup_id) group: vec3u) {
    var base = 0u;
    for (var turn = 0u; turn < 3u; turn++) {
        switch group.x {
            case 1u: {
                for (var i = 0u; i < 4u; i++) {
                    if i == 2u {
                        return;
                    }
                }
            }
            case 2u: {
                base = 100u;
                if turn == 1u {
                    continue;
                }
            }
            default: {}
        }
        if turn == 0u {
            atomicAdd(&count, 1u);
        }
        workgroupBarrier(); // orders atomics
    }
    b[id.x] = base + atomicLoad(&count);
}
