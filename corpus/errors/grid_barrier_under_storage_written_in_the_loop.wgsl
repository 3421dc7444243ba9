@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    // The next turn's load and this turn's store have no barrier between them.
    for (var r = 0u; r < 4; r++) {
        if b[0] > r {
            gridBarrier(); //~ error[barrier-divergence]
        }
        b[id.x] += 1;
    }
}
