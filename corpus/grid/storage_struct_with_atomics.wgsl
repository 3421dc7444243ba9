//! grid 4
//! in s = u32[3, 0] u32[0 x 4]
//! out s = u32[3, 36] u32[36, 36, 36, 36]
struct State {
    each: u32,
    total: atomic<u32>,
    seen: array<u32>,
}
@group(0) @binding(0) var<storage, read_write> s: State;

@compute @workgroup_size(3)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
    atomicAdd(&s.total, s.each);
    gridBarrier(); // orders atomics
    if local == 0 {
        s.seen[group.x] = atomicLoad(&s.total);
    }
}
