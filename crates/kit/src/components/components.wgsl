// Connected components: two neighbours of each vertex join most of them, and whoever is in the largest component by
// then need not look at the others.

@group(0) @binding(0) var<storage, read> offsets: array<u32>;
@group(0) @binding(1) var<storage, read> edges: array<u32>;
// Above each vertex one with a lower number, or itself if it is a root.
@group(0) @binding(2) var<storage, read_write> above: array<atomic<u32>>;
// Which workgroups have to wait, and the largest component.
@group(0) @binding(3) var<storage, read_write> words: array<u32>;
@group(0) @binding(4) var<storage, read_write> component: array<u32>;

@group(0) @binding(5) var<storage, read> back_offsets: array<u32>;
@group(0) @binding(6) var<storage, read> back_edges: array<u32>;

// Whether edges that enter a vertex are others than those that leave it.
const DIRECTED = false;
const AFTER = 0u;
const LARGEST = 1u;

// The first neighbour needs no joining: nobody but a vertex itself says yet what is above it.
@compute @workgroup_size(256)
fn begin(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&above) { return; }
    let e = offsets[id.x];
    let u = select(id.x, edges[e], e < offsets[id.x + 1u]);
    atomicStore(&above[id.x], min(u, id.x));
    if id.x == 0u { words[AFTER] = 3u; }
}

// Joins two trees: the root with the higher number comes below the other. Whoever fails to hang one was overtaken by
// somebody who did. Half of the way up is cut off for those who come later.
fn join(a: u32, b: u32) {
    var p = atomicLoad(&above[a]);
    var q = atomicLoad(&above[b]);
    while p != q {
        let high = max(p, q);
        let low = min(p, q);
        let was = atomicLoad(&above[high]);
        if was == low { break; }
        if was == high && atomicCompareExchangeWeak(&above[high], high, low).exchanged { break; }
        let higher = atomicLoad(&above[was]);
        if was != high { atomicStore(&above[high], higher); }
        p = higher;
        q = low;
    }
}

// Second neighbours, of a quarter of the workgroups before those of all: few joins of each tree make most of them one,
// and the others find out soon that nothing is left to do for them.
@compute @workgroup_size(256)
fn second(@builtin(global_invocation_id) id: vec3<u32>, @builtin(workgroup_id) group: vec3<u32>) {
    if (group.x & words[AFTER]) != 0u || id.x >= arrayLength(&above) { return; }
    let e = offsets[id.x] + 1u;
    if e < offsets[id.x + 1u] { join(id.x, edges[e]); }
}

@compute @workgroup_size(1)
fn all() { words[AFTER] = 0u; }

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

const SAMPLES = 256u;
var<workgroup> roots: array<u32, SAMPLES>;
var<workgroup> best: atomic<u32>;

// The root that most of some vertices have.
@compute @workgroup_size(SAMPLES)
fn sample(@builtin(local_invocation_index) local: u32) {
    let v = (local * 2654435761u) % arrayLength(&above);
    roots[local] = root(v);
    workgroupBarrier();
    var same = 0u;
    for (var i = 0u; i < SAMPLES; i += 1u) { same += u32(roots[i] == roots[local]); }
    atomicMax(&best, same << 8u | local);
    workgroupBarrier();
    if local == 0u { words[LARGEST] = roots[atomicLoad(&best) & 255u]; }
}

// Who is below the root of the largest component is done, be it a root no longer: others may hang it below theirs
// meanwhile. Every vertex comes right below its root on the way.
@compute @workgroup_size(256)
fn rest(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&above) { return; }
    var p = id.x;
    var done = p == words[LARGEST];
    loop {
        let higher = atomicLoad(&above[p]);
        if higher == p { break; }
        p = higher;
        done |= p == words[LARGEST];
    }
    if p != id.x { atomicStore(&above[id.x], p); }
    if done { return; }
    for (var e = offsets[id.x]; e < offsets[id.x + 1u]; e += 1u) { join(id.x, edges[e]); }
    if DIRECTED {
        for (var e = back_offsets[id.x]; e < back_offsets[id.x + 1u]; e += 1u) { join(id.x, back_edges[e]); }
    }
}

@compute @workgroup_size(256)
fn settle(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&above) { return; }
    component[id.x] = root(id.x);
}
