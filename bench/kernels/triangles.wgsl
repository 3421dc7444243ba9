// Triangles of a graph whose vertices are numbered by degree, the greatest first, so that heavy workgroups lie together:
// each vertex has the edges that lead to lower numbers, in order, and counts what it has in common with each of them.

struct Params {
    vertices: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> starts: array<u32>;
@group(0) @binding(2) var<storage, read> edges: array<u32>;
@group(0) @binding(3) var<storage, read_write> counts: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= params.vertices {
        return;
    }
    let first = starts[id.x];
    let end = starts[id.x + 1u];
    var count = 0u;
    for (var e = first; e < end; e++) {
        let other = edges[e];
        var a = first;
        var b = starts[other];
        let b_end = starts[other + 1u];
        while a < e && b < b_end {
            let u = edges[a];
            let v = edges[b];
            count += u32(u == v);
            a += u32(u <= v);
            b += u32(v <= u);
        }
    }
    counts[id.x] = count;
}
