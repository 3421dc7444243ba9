//! grid 2
//! in n = u32[2, 10]
//! out o = u32[0, 38, 39, 3, 41, 42, 6, 44, 45, 9, 47, 48, 0, 38, 39, 3, 41, 42, 6, 44, 45, 9, 47, 48]
// A helper fills an array with the same for whoever calls it, which are not all: the first invocation is not there.
@group(0) @binding(0) var<storage> n: array<u32>;
@group(0) @binding(1) var<storage, read_write> o: array<u32>;

fn pick(k: u32) -> u32 {
    var table = array<u32, 4>(5u, 6u, 7u, 8u);
    for (var j = 0u; j < 4u; j++) { table[j] += n[1] * (j + 1u); }
    return table[k];
}

@compute @workgroup_size(12)
fn main(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) group: vec3u) {
    var x = i;
    if i % 3u != 0u { x += pick(n[0]); }
    o[group.x * 12u + i] = x;
}
