// PageRank: a vertex gets equal shares of the ranks of those that lead to it, until ranks hardly move. Blocks of
// vertices take their turns one after the other, so that each sees what became of those before it.

struct Words {
    go: u32,
    // The block whose turn it is.
    block: u32,
    // Vertices that edges leave.
    leading: atomic<u32>,
}

// Workgroups of a block.
const GROUPS = 64u;

struct How { damping: f32, tolerance: f32 }

// Edges that leave vertices, of which only the number counts, and those that enter them.
@group(0) @binding(0) var<storage, read> offsets: array<u32>;
@group(0) @binding(8) var<storage, read> back_offsets: array<u32>;
@group(0) @binding(1) var<storage, read> back_edges: array<u32>;
@group(0) @binding(2) var<storage, read_write> rank: array<f32>;
// A vertex's rank for each of its neighbours.
@group(0) @binding(3) var<storage, read_write> share: array<f32>;
@group(0) @binding(4) var<storage, read_write> next: array<f32>;
// By workgroup: how much its ranks moved.
@group(0) @binding(5) var<storage, read_write> moved: array<f32>;
@group(0) @binding(6) var<storage, read_write> words: Words;
@group(0) @binding(7) var<uniform> how: How;

fn degree(v: u32) -> f32 {
    return max(f32(offsets[v + 1u] - offsets[v]), 1.0);
}

var<workgroup> leading_here: atomic<u32>;

// How many vertices pass on what they have.
@compute @workgroup_size(256)
fn count(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let v = id.x;
    if v < arrayLength(&rank) && offsets[v + 1u] > offsets[v] { atomicAdd(&leading_here, 1u); }
    workgroupBarrier();
    if local == 0u { atomicAdd(&words.leading, atomicLoad(&leading_here)); }
}

// As if each edge passed on the same, which is nearer to the end than equal ranks.
@compute @workgroup_size(256)
fn begin(@builtin(global_invocation_id) id: vec3<u32>) {
    let v = id.x;
    if v >= arrayLength(&rank) { return; }
    let passed = f32(atomicLoad(&words.leading)) / f32(arrayLength(&back_edges));
    let entering = f32(back_offsets[v + 1u] - back_offsets[v]);
    rank[v] = ((1.0 - how.damping) + how.damping * passed * entering) / f32(arrayLength(&rank));
    share[v] = rank[v] / degree(v);
    if v == 0u { words.go = 1u; }
}

var<workgroup> parts: array<f32, 256>;

// The sum of all parts, in one order.
fn sum(local: u32) -> f32 {
    for (var half = 128u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if local < half { parts[local] += parts[local + half]; }
    }
    workgroupBarrier();
    return parts[0];
}

// What a vertex gets of its neighbours. By itself: nearly all of the work is here, and a loop that
// follows edges wants all registers.
@compute @workgroup_size(256)
fn pull(@builtin(global_invocation_id) id: vec3<u32>) {
    let v = words.block * GROUPS * 256u + id.x;
    if v >= arrayLength(&rank) { return; }
    let end = back_offsets[v + 1u];
    var total = 0.0;
    for (var e = back_offsets[v]; e < end; e += 1u) { total += share[back_edges[e]]; }
    next[id.x] = total;
}

@compute @workgroup_size(256)
fn settle(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3<u32>,
) {
    let v = words.block * GROUPS * 256u + id.x;
    parts[local] = 0.0;
    if v < arrayLength(&rank) {
        let now = (1.0 - how.damping) / f32(arrayLength(&rank)) + how.damping * next[id.x];
        parts[local] = abs(now - rank[v]);
        rank[v] = now;
        share[v] = now / degree(v);
    }
    let all = sum(local);
    if local == 0u { moved[words.block * GROUPS + group.x] = all; }
}

@compute @workgroup_size(1)
fn next_block() { words.block += 1u; }

@compute @workgroup_size(256)
fn judge(@builtin(local_invocation_index) local: u32) {
    parts[local] = 0.0;
    for (var i = local; i < arrayLength(&moved); i += 256u) { parts[local] += moved[i]; }
    let all = sum(local);
    if local > 0u { return; }
    words.go = u32(all > how.tolerance);
    words.block = 0u;
}
