//! grid 5
//! out count = u32[20]
//! out turns = u32[20]
@group(0) @binding(0) var<storage, read_write> count: atomic<u32>;
@group(0) @binding(1) var<storage, read_write> turns: u32;

// One more invocation in each turn, until all are counted.
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    for (var turn = 0u; turn < 100; turn++) {
        if id.x <= turn {
            atomicMax(&count, id.x + 1);
        }
        gridBarrier();
        if id.x == 7 {
            turns = turn + 1;
        }
        if atomicLoad(&count) == 20 {
            return;
        }
        gridBarrier();
    }
}
