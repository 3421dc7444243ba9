//! threads 18
//! out tickets = u32[18]
//! out taken = u32[1 x 18]
//! out sum = u32[153]
@group(0) @binding(0) var<storage, read_write> tickets: atomic<u32>;
@group(0) @binding(1) var<storage, read_write> taken: array<u32>;
@group(0) @binding(2) var<storage, read_write> sum: atomic<u32>;

// Taken once: again it would be another one.
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&taken);
    var ticket = n;
    if id.x < n {
        ticket = atomicAdd(&tickets, 1);
    }
    gridBarrier(); // redundant
    if ticket < n {
        taken[ticket] += 1;
        atomicAdd(&sum, ticket);
    }
}
