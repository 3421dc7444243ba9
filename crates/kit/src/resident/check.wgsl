// Whether rows are those of a graph.

// The last place of `edges` may stand for none.
const EDGES = 1u;

@group(0) @binding(0) var<storage, read> offsets: array<u32>;
@group(0) @binding(1) var<storage, read> edges: array<u32>;
@group(0) @binding(2) var<storage, read> weights: array<u32>;
@group(0) @binding(3) var<storage, read_write> found: Found;

struct Found {
    // Rows that begin before the one that they follow, or end beyond the edges.
    rows: atomic<u32>,
    // Edges that lead to no vertex.
    outside: atomic<u32>,
    // Edges that lead to a vertex before that of the edge before them.
    unsorted: atomic<u32>,
    weight_max: atomic<u32>,
}

@compute @workgroup_size(64)
fn rows(@builtin(global_invocation_id) id: vec3<u32>) {
    let vertices = arrayLength(&offsets) - 1u;
    if id.x > vertices { return; }
    let start = offsets[id.x];
    if id.x == 0u && start != 0u { atomicAdd(&found.rows, 1u); }
    if id.x == vertices {
        // Where it is beyond them, the row before has been counted.
        if start < EDGES { atomicAdd(&found.rows, 1u); }
        return;
    }
    let end = offsets[id.x + 1u];
    if end < start || end > EDGES {
        atomicAdd(&found.rows, 1u);
        return;
    }
    var outside = 0u;
    var unsorted = 0u;
    var last = 0u;
    for (var e = start; e < end; e++) {
        let to = edges[e];
        outside += u32(to >= vertices);
        unsorted += u32(to < last);
        last = to;
    }
    if outside > 0u { atomicAdd(&found.outside, outside); }
    if unsorted > 0u { atomicAdd(&found.unsorted, unsorted); }
}

@compute @workgroup_size(64)
fn longest(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < EDGES { atomicMax(&found.weight_max, weights[id.x]); }
}
