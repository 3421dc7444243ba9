// Connected components: a few neighbours of each vertex join most of them, and whoever is in the largest component by
// then need not look at the others.

@group(0) @binding(0) var<storage, read> offsets: array<u32>;
@group(0) @binding(1) var<storage, read> edges: array<u32>;
// Above each vertex one with a lower number, or itself if it is a root.
@group(0) @binding(2) var<storage, read_write> above: array<atomic<u32>>;
// The neighbour whose turn it is, and the largest component.
@group(0) @binding(3) var<storage, read_write> words: array<u32>;
@group(0) @binding(4) var<storage, read_write> component: array<u32>;

@group(0) @binding(5) var<storage, read> back_offsets: array<u32>;
@group(0) @binding(6) var<storage, read> back_edges: array<u32>;

// Whether edges that enter a vertex are others than those that leave it.
const DIRECTED = false;
const ROUND = 0u;
const LARGEST = 1u;

@compute @workgroup_size(256)
fn begin(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&above) { atomicStore(&above[id.x], id.x); }
}

// Joins two trees: the root with the higher number comes below the other. Whoever fails to hang one
// was overtaken by somebody who did.
fn join(a: u32, b: u32) {
    var p = atomicLoad(&above[a]);
    var q = atomicLoad(&above[b]);
    while p != q {
        let high = max(p, q);
        let low = min(p, q);
        let was = atomicLoad(&above[high]);
        if was == low { break; }
        if was == high && atomicCompareExchangeWeak(&above[high], high, low).exchanged { break; }
        p = atomicLoad(&above[atomicLoad(&above[high])]);
        q = atomicLoad(&above[low]);
    }
}

@compute @workgroup_size(256)
fn few(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&above) { return; }
    let e = offsets[id.x] + words[ROUND];
    if e < offsets[id.x + 1u] { join(id.x, edges[e]); }
}

fn root(v: u32) -> u32 {
    var p = atomicLoad(&above[v]);
    loop {
        let higher = atomicLoad(&above[p]);
        if higher == p { break; }
        p = higher;
    }
    return p;
}

// Every vertex right below its root.
@compute @workgroup_size(256)
fn flatten(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&above) { return; }
    atomicStore(&above[id.x], root(id.x));
}

@compute @workgroup_size(1)
fn next_round() { words[ROUND] += 1u; }

const SAMPLES = 256u;
var<workgroup> roots: array<u32, SAMPLES>;
var<workgroup> best: atomic<u32>;

// The root that most of some vertices have.
@compute @workgroup_size(SAMPLES)
fn sample(@builtin(local_invocation_index) local: u32) {
    let v = (local * 2654435761u) % arrayLength(&above);
    roots[local] = atomicLoad(&above[v]);
    workgroupBarrier();
    var same = 0u;
    for (var i = 0u; i < SAMPLES; i += 1u) { same += u32(roots[i] == roots[local]); }
    atomicMax(&best, same << 8u | local);
    workgroupBarrier();
    if local == 0u { words[LARGEST] = roots[atomicLoad(&best) & 255u]; }
}

@compute @workgroup_size(256)
fn rest(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&above) || atomicLoad(&above[id.x]) == words[LARGEST] { return; }
    for (var e = offsets[id.x] + words[ROUND]; e < offsets[id.x + 1u]; e += 1u) { join(id.x, edges[e]); }
    if DIRECTED {
        for (var e = back_offsets[id.x]; e < back_offsets[id.x + 1u]; e += 1u) { join(id.x, back_edges[e]); }
    }
}

@compute @workgroup_size(256)
fn settle(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&above) { return; }
    component[id.x] = root(id.x);
}
