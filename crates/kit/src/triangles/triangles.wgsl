// Triangles: vertices are numbered by how many neighbours they have, most first, and edges lead to the lower number,
// which leaves each vertex few of them. Then each vertex marks those that it leads to, and counts the marks that they lead
// to in turn.

@group(0) @binding(0) var<storage, read> offsets: array<u32>;
@group(0) @binding(1) var<storage, read> edges: array<u32>;
// By vertex: how many neighbours, and itself; and then in order of those.
@group(0) @binding(2) var<storage, read_write> degrees: array<u32>;
@group(0) @binding(3) var<storage, read_write> vertices: array<u32>;
@group(0) @binding(4) var<storage, read> order: array<u32>;
// By vertex: its number in that order.
@group(0) @binding(5) var<storage, read_write> ranks: array<u32>;
// By number, and one more: edges that are kept, and where its row of them begins.
@group(0) @binding(6) var<storage, read_write> kept: array<u32>;
@group(0) @binding(7) var<storage, read> starts: array<u32>;
@group(0) @binding(8) var<storage, read_write> forward: array<u32>;
// The next vertex that nobody has taken.
@group(0) @binding(9) var<storage, read_write> next: atomic<u32>;
// A bit for each vertex, for each workgroup.
@group(0) @binding(10) var<storage, read_write> marks: array<u32>;
@group(0) @binding(11) var<storage, read_write> shared_marks: array<atomic<u32>>;
// The low and the high word.
@group(0) @binding(12) var<storage, read_write> total: array<atomic<u32>, 2>;

// Words of marks for each workgroup.
const WORDS = 1u;
// Vertices that are taken at once.
const TAKE = 64u;

@compute @workgroup_size(64)
fn measure(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&degrees) { return; }
    degrees[id.x] = offsets[id.x + 1u] - offsets[id.x];
    vertices[id.x] = id.x;
}

@compute @workgroup_size(64)
fn number(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&order) { ranks[order[id.x]] = id.x; }
}

// Whether the edge at `e`, of a row that begins at `start`, is kept by the vertex of this rank: not that of a loop, nor one
// that is there twice.
fn keeps(rank: u32, start: u32, e: u32) -> bool {
    let u = edges[e];
    if e > start && edges[e - 1u] == u { return false; }
    return ranks[u] < rank;
}

@compute @workgroup_size(64)
fn count_kept(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&order) { return; }
    let v = order[id.x];
    let start = offsets[v];
    let end = offsets[v + 1u];
    var count = 0u;
    for (var e = start; e < end; e++) { count += u32(keeps(id.x, start, e)); }
    kept[id.x] = count;
}

@compute @workgroup_size(64)
fn orient(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&order) { return; }
    let v = order[id.x];
    let start = offsets[v];
    let end = offsets[v + 1u];
    var at = starts[id.x];
    for (var e = start; e < end; e++) {
        if keeps(id.x, start, e) {
            forward[at] = ranks[edges[e]];
            at++;
        }
    }
}

fn add(low: u32, high: u32) {
    let before = atomicAdd(&total[0], low);
    atomicAdd(&total[1], high + u32(before + low < before));
}

// An invocation by itself, which nobody shares marks with.
@compute @workgroup_size(1)
fn count_alone(@builtin(workgroup_id) group: vec3<u32>) {
    let first = group.x * WORDS;
    var low = 0u;
    var high = 0u;
    loop {
        let begin = atomicAdd(&next, TAKE);
        if begin >= arrayLength(&starts) - 1u { break; }
        let stop = min(begin + TAKE, arrayLength(&starts) - 1u);
        for (var v = begin; v < stop; v++) {
            let start = starts[v];
            let end = starts[v + 1u];
            if end - start < 2u { continue; }
            for (var e = start; e < end; e++) {
                let u = forward[e];
                marks[first + (u >> 5u)] |= 1u << (u & 31u);
            }
            var count = 0u;
            for (var e = start; e < end; e++) {
                let u = forward[e];
                let last = starts[u + 1u];
                for (var f = starts[u]; f < last; f++) {
                    let w = forward[f];
                    count += (marks[first + (w >> 5u)] >> (w & 31u)) & 1u;
                }
            }
            for (var e = start; e < end; e++) { marks[first + (forward[e] >> 5u)] = 0u; }
            low += count;
            high += u32(low < count);
        }
    }
    add(low, high);
}

const LANES = 64u;
var<workgroup> taken: u32;

// The invocations of a workgroup take a vertex together, and a neighbour of it each.
@compute @workgroup_size(LANES)
fn count_together(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let first = group.x * WORDS;
    var low = 0u;
    var high = 0u;
    loop {
        if lane == 0u { taken = atomicAdd(&next, 1u); }
        let v = workgroupUniformLoad(&taken);
        if v >= arrayLength(&starts) - 1u { break; }
        let start = starts[v];
        let end = starts[v + 1u];
        for (var e = start + lane; e < end; e += LANES) {
            let u = forward[e];
            atomicOr(&shared_marks[first + (u >> 5u)], 1u << (u & 31u));
        }
        storageBarrier();
        var count = 0u;
        for (var e = start + lane; e < end; e += LANES) {
            let u = forward[e];
            for (var f = starts[u]; f < starts[u + 1u]; f++) {
                let w = forward[f];
                count += (atomicLoad(&shared_marks[first + (w >> 5u)]) >> (w & 31u)) & 1u;
            }
        }
        low += count;
        high += u32(low < count);
        storageBarrier();
        for (var e = start + lane; e < end; e += LANES) { atomicStore(&shared_marks[first + (forward[e] >> 5u)], 0u); }
        storageBarrier();
    }
    add(low, high);
}
