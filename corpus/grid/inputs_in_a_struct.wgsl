//! grid 2,3
//! out b = u32[500000, 501101, 510002, 511103, 502210, 503311, 512212, 513313, 510020, 511121, 520022,
//!     521123, 512230, 513331, 522232, 523333, 520040, 521141, 530042, 531143, 522250, 523351, 532252,
//!     533353]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

struct Inputs {
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_id) local: vec3u,
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
}

@compute @workgroup_size(2, 2)
fn main(inputs: Inputs, @builtin(local_invocation_index) index: u32) {
    gridBarrier(); // redundant
    var x = inputs.id.x + 10 * inputs.id.y;
    gridBarrier(); // redundant
    x += 100 * index + 1000 * inputs.local.x + 2000 * inputs.local.y;
    gridBarrier(); // redundant
    x += 10000 * (inputs.group.x + inputs.group.y) + 100000 * (inputs.groups.x + inputs.groups.y);
    b[inputs.id.x + 4 * inputs.id.y] = x;
}
