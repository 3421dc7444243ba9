// Shortest paths, near ones first: two queues are the buckets. What is further than a threshold waits in the second
// until the first is empty, and then the threshold rises.

const FAR = 0xffffffffu;

// Whether sums of weights may not fit into 32 bits.
const CHECKED = false;

// A vertex, and how far it was when it was pushed.
alias Visit = vec2<u32>;

struct Words {
    // What is further waits.
    threshold: u32,
    // The nearest that waits.
    least: atomic<u32>,
}

@group(0) @binding(0) var<storage, read> offsets: array<u32>;
@group(0) @binding(1) var<storage, read> edges: array<u32>;
@group(0) @binding(2) var<storage, read> weights: array<u32>;
@group(0) @binding(3) var<storage, read_write> dist: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> words: Words;
@group(0) @binding(5) var<uniform> source: u32;
@group(0) @binding(6) var<uniform> delta: u32;
@group(0) @binding(7) var<storage, read_write> too_far: atomic<u32>;

// A way that does not fit leads nowhere.
fn longer(way: u32, weight: u32) -> u32 {
    if CHECKED { return way + min(weight, FAR - way); }
    return way + weight;
}

@compute @workgroup_size(256)
fn begin(@builtin(global_invocation_id) id: vec3<u32>) {
    let v = id.x;
    if v >= arrayLength(&dist) { return; }
    atomicStore(&dist[v], select(FAR, 0u, v == source));
    if v == source {
        words.threshold = delta;
        atomicStore(&words.least, FAR);
        near_push(Visit(v, 0u));
    }
}

@compute @workgroup_size(64)
fn relax(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= near_len() { return; }
    let visit = near_item(id.x);
    // Somebody has found a shorter way since.
    if atomicLoad(&dist[visit.x]) < visit.y { return; }
    let end = offsets[visit.x + 1u];
    let limit = words.threshold;
    var e = offsets[visit.x];
    while e < end {
        // As many as can all be kept: nothing is pushed inside the loop, which stays short.
        let stop = min(end, e + min(near_room(), far_room()));
        for (; e < stop; e += 1u) {
            let u = edges[e];
            let through = longer(visit.y, weights[e]);
            // Most ways are no shorter, and looking is cheaper than trying.
            if atomicLoad(&dist[u]) > through && atomicMin(&dist[u], through) > through {
                if through < limit { near_keep(Visit(u, through)); } else { far_keep(Visit(u, through)); }
            }
        }
        if near_room() < 8u { near_flush(); }
        if far_room() < 8u { far_flush(); }
    }
    near_flush();
    far_flush();
}

var<workgroup> least_here: atomic<u32>;

@compute @workgroup_size(256)
fn nearest(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if local == 0u { atomicStore(&least_here, FAR); }
    workgroupBarrier();
    if id.x < far_len() { atomicMin(&least_here, far_item(id.x).y); }
    workgroupBarrier();
    if local == 0u { atomicMin(&words.least, atomicLoad(&least_here)); }
}

@compute @workgroup_size(1)
fn rise() {
    if far_len() == 0u { return; }
    // At once to where something is, however long edges are.
    let start = max(words.threshold, atomicLoad(&words.least));
    words.threshold = start + min(delta, FAR - start);
    atomicStore(&words.least, FAR);
}

@compute @workgroup_size(256)
fn split(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let visit = far_item(min(id.x, max(far_len(), 1u) - 1u));
    let wanted = id.x < far_len() && atomicLoad(&dist[visit.x]) >= visit.y;
    near_push_if(wanted && visit.y < words.threshold, visit, local);
    far_push_if(wanted && visit.y >= words.threshold, visit, local);
}

// Edges from what was reached to what was not: their ways did not fit.
@compute @workgroup_size(64)
fn beyond(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&dist) || atomicLoad(&dist[id.x]) == FAR { return; }
    var count = 0u;
    let end = offsets[id.x + 1u];
    for (var e = offsets[id.x]; e < end; e += 1u) { count += u32(atomicLoad(&dist[edges[e]]) == FAR); }
    if count > 0u { atomicAdd(&too_far, count); }
}
