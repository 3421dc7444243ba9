// How many elements are of each bin. Workgroups that stride through all elements count in memory of their own, and
// add it up at the end; where there are too many bins for that, all count in one place.

alias V = u32;
const LANES = 256u;
const BINS = 256u;

@group(0) @binding(0) var<storage, read> x: array<V>;
@group(0) @binding(1) var<storage, read_write> counts: array<atomic<u32>>;

var<workgroup> own: array<atomic<u32>, BINS>;

fn bin(value: V) -> u32 { return value; }

@compute @workgroup_size(LANES)
fn count(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    for (var b = lane; b < BINS; b += LANES) { atomicStore(&own[b], 0u); }
    workgroupBarrier();
    for (var i = id.x; i < arrayLength(&x); i += groups.x * LANES) {
        let b = bin(x[i]);
        if b < BINS { atomicAdd(&own[b], 1u); }
    }
    workgroupBarrier();
    for (var b = lane; b < BINS; b += LANES) { atomicAdd(&counts[b], atomicLoad(&own[b])); }
}

@compute @workgroup_size(LANES)
fn count_in_place(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&x) { return; }
    let b = bin(x[id.x]);
    if b < arrayLength(&counts) { atomicAdd(&counts[b], 1u); }
}

@compute @workgroup_size(LANES)
fn zero(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&counts) { atomicStore(&counts[id.x], 0u); }
}
