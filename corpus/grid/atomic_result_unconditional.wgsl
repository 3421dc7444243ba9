//! grid 5
//! out tickets = u32[20]
//! out taken = u32[1 x 20]
//! out all = u32[20 x 20]
@group(0) @binding(0) var<storage, read_write> tickets: atomic<u32>;
@group(0) @binding(1) var<storage, read_write> taken: array<u32>;
@group(0) @binding(2) var<storage, read_write> all: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let ticket = atomicAdd(&tickets, 1);
    gridBarrier(); // orders atomics
    let after = atomicLoad(&tickets);
    taken[ticket] += 1;
    all[id.x] = after;
}
