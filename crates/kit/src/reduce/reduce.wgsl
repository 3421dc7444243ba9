// The sum (or another combination) of all elements: each workgroup has a tile, and each of its invocations every
// LANES-th element of it, in order; then they are combined by halves.

@group(0) @binding(0) var<storage, read> x: array<T>;
@group(0) @binding(1) var<storage, read_write> sums: array<T>;

fn reduce(start: u32, end: u32, lane: u32) -> T {
    var own = identity();
    for (var i = start + lane; i < end; i += LANES) { own = combine(own, x[i]); }
    return row_reduce(own, lane);
}

// Of each tile.
@compute @workgroup_size(LANES)
fn tiles(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let start = group.x * TILE;
    let all = reduce(start, min(start + TILE, arrayLength(&x)), lane);
    if lane == 0u { sums[group.x] = all; }
}

// Of everything, by one workgroup.
@compute @workgroup_size(LANES)
fn whole(@builtin(local_invocation_index) lane: u32) {
    let all = reduce(0u, arrayLength(&x), lane);
    if lane == 0u { sums[0] = all; }
}
