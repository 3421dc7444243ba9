//! grid 2
//! in v = u32[1..385 by 3]
//! out v = u32[191 x 64, 575 x 64]
// Between two barriers nothing happens, for no index is below zero.
override half = 0u;
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
var<workgroup> held: array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32, @builtin(global_invocation_id) id: vec3u) {
    held[i] = v[id.x];
    workgroupBarrier(); // redundant, as the next one is, but one of them is not
    if i < half {
        v[id.x] = held[i + 1u];
    }
    workgroupBarrier(); // redundant
    v[id.x] += held[63u - i];
}
